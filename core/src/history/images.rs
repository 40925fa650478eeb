//! Whether a server can take a picture.
//!
//! A picture that it cannot take would have every later request refused, since it stays in the conversation. Only the
//! frame is looked at: the base64, the first bytes, and where a format says how long it is, that it is so long.

/// The longest `data:` URL: the largest request that the API takes has 50 MB.
const MAX_URL_BYTES: usize = 50_000_000;

/// Why a server could not take a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ImageProblem {
    /// It is an address somewhere else; the reference takes none.
    #[error("it is on another machine")]
    Remote,
    /// It is too long.
    #[error("it is larger than a request may be")]
    TooLarge,
    /// It is no base64.
    #[error("it is not base64")]
    NotBase64,
    /// The bytes are not those of a PNG, JPEG, GIF or WebP picture.
    #[error("it is not a PNG, JPEG, GIF or WebP picture")]
    UnknownFormat,
    /// The end of it is missing.
    #[error("its end is missing")]
    Truncated,
}

impl ImageProblem {
    /// The text that stands for the picture, as the reference writes it.
    pub const fn placeholder(self) -> &'static str {
        match self {
            Self::Remote => "image content omitted because remote image URLs are not supported",
            Self::TooLarge => "image content omitted because it exceeded the supported size limit",
            Self::NotBase64 | Self::UnknownFormat | Self::Truncated => {
                "image content omitted because it could not be processed"
            }
        }
    }
}

/// Checks the address of a picture.
pub(crate) fn check_picture(url: &str) -> Result<(), ImageProblem> {
    let scheme = url.split_once(':').map(|(scheme, _)| scheme.to_ascii_lowercase());
    match scheme.as_deref() {
        Some("data") => {}
        Some("http" | "https") => return Err(ImageProblem::Remote),
        _ => return Err(ImageProblem::UnknownFormat),
    }
    if url.len() > MAX_URL_BYTES {
        return Err(ImageProblem::TooLarge);
    }
    let (header, data) = url.split_once(',').ok_or(ImageProblem::NotBase64)?;
    if !header.to_ascii_lowercase().ends_with(";base64") {
        return Err(ImageProblem::NotBase64);
    }
    Base64::new(data).ok_or(ImageProblem::NotBase64).and_then(|bytes| picture(&bytes))
}

fn picture(bytes: &Base64<'_>) -> Result<(), ImageProblem> {
    if bytes.starts_with(0, b"\x89PNG\r\n\x1a\n") {
        return if png_is_whole(bytes) { Ok(()) } else { Err(ImageProblem::Truncated) };
    }
    if bytes.starts_with(0, b"RIFF") && bytes.starts_with(8, b"WEBP") {
        let length = bytes.number([7, 6, 5, 4]).unwrap_or(usize::MAX);
        return if length.saturating_add(8) <= bytes.len() {
            Ok(())
        } else {
            Err(ImageProblem::Truncated)
        };
    }
    let known: [&[u8]; 3] = [b"\xff\xd8\xff", b"GIF87a", b"GIF89a"];
    if known.iter().any(|magic| bytes.starts_with(0, magic)) {
        Ok(())
    } else {
        Err(ImageProblem::UnknownFormat)
    }
}

/// Whether the chunks of a PNG go on to its end chunk: a length of four bytes, a name, the data, four bytes of check.
fn png_is_whole(bytes: &Base64<'_>) -> bool {
    let mut at = 8;
    while let Some(length) = bytes.number([at, at + 1, at + 2, at + 3]) {
        let next = at.saturating_add(length).saturating_add(12);
        if next > bytes.len() {
            return false;
        }
        if bytes.starts_with(at + 4, b"IEND") {
            return true;
        }
        at = next;
    }
    false
}

/// A text that is base64, read byte by byte where somebody asks.
struct Base64<'a>(&'a [u8]);

impl<'a> Base64<'a> {
    /// Takes the standard alphabet, with padding or without.
    fn new(text: &'a str) -> Option<Self> {
        let digits = text.trim_end_matches('=').as_bytes();
        let padding = text.len() - digits.len();
        let padded = padding <= 2 && text.len().is_multiple_of(4);
        let sound = (padding == 0 || padded) && digits.len() % 4 != 1;
        let standard = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/');
        (sound && digits.iter().all(standard)).then_some(Self(digits))
    }

    /// How many bytes it stands for.
    fn len(&self) -> usize {
        self.0.len() / 4 * 3 + (self.0.len() % 4 * 3) / 4
    }

    fn byte(&self, index: usize) -> Option<u8> {
        if index >= self.len() {
            return None;
        }
        let digit = index / 3 * 4 + index % 3;
        let (high, low) = (sextet(*self.0.get(digit)?), sextet(*self.0.get(digit + 1)?));
        Some(match index % 3 {
            0 => high << 2 | low >> 4,
            1 => high << 4 | low >> 2,
            _ => high << 6 | low,
        })
    }

    fn starts_with(&self, at: usize, expected: &[u8]) -> bool {
        expected.iter().zip(at..).all(|(byte, index)| self.byte(index) == Some(*byte))
    }

    /// The number whose bytes stand at these places, the greatest first.
    fn number(&self, places: [usize; 4]) -> Option<usize> {
        places
            .iter()
            .try_fold(0, |number, place| Some(number << 8 | usize::from(self.byte(*place)?)))
    }
}

fn sextet(digit: u8) -> u8 {
    match digit {
        b'A'..=b'Z' => digit - b'A',
        b'a'..=b'z' => digit - b'a' + 26,
        b'0'..=b'9' => digit - b'0' + 52,
        b'+' => 62,
        _ => 63,
    }
}
