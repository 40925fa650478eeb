//! What goes over the pipes: version 3 of the protocol, as far as the guard must know it.

use super::names::{as_bytes, as_text};

/// Bytes of an answer; servers send no more than 256 KiB at once.
const LARGEST: usize = 1024 * 1024;

const VERSION: u8 = 2;
const STATUS: u8 = 101;
const HANDLE: u8 = 102;
const DATA: u8 = 103;
const NAME: u8 = 104;
const ATTRIBUTES: u8 = 105;
const EXTENDED_REPLY: u8 = 201;

/// Questions whose first word after the number is a path: open, lstat, opendir, realpath, stat, readlink.
const ABOUT_A_PATH: [u8; 6] = [3, 7, 11, 16, 17, 19];

/// A question of a kind with a name of its own.
const EXTENDED: u8 = 200;

/// The one of them that is about a path: the real path, `~` understood.
const EXPAND_PATH: &[u8] = b"expand-path@openssh.com";

/// Why an answer is let through no further.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(super) enum PacketError {
    /// Its length cannot be.
    #[error("an answer of {0} bytes")]
    Length(usize),
    /// It is of a kind that no answer is.
    #[error("an answer of the unknown kind {0}")]
    Kind(u8),
    /// Another version of the protocol.
    #[error("version {0} of it, and only version 3 is understood")]
    Version(u32),
    /// Its parts do not fill it.
    #[error("an answer whose parts do not fit")]
    Parts,
}

/// Checks the length that an answer claims to have.
pub(super) fn answer_length(claimed: [u8; 4]) -> Result<usize, PacketError> {
    let length = u32::from_be_bytes(claimed) as usize;
    if (5..=LARGEST).contains(&length) { Ok(length) } else { Err(PacketError::Length(length)) }
}

/// A question with its path in bytes, its length before it.
pub(super) fn question(body: &[u8]) -> Vec<u8> {
    with_length(&with_path_in_bytes(body).unwrap_or_else(|| body.to_owned()))
}

fn with_path_in_bytes(body: &[u8]) -> Option<Vec<u8>> {
    let mut parts = Parts(body);
    let kind = parts.byte()?;
    let number = parts.take(4)?;
    let mut out = vec![kind];
    out.extend_from_slice(number);
    match kind {
        EXTENDED if parts.text()? == EXPAND_PATH => push_text(&mut out, EXPAND_PATH),
        kind if ABOUT_A_PATH.contains(&kind) => {}
        _ => return None,
    }
    let path = as_bytes(std::str::from_utf8(parts.text()?).ok()?);
    push_text(&mut out, &path);
    out.extend_from_slice(parts.0);
    Some(out)
}

/// An answer that the client can read, its length before it.
pub(super) fn answer(body: &[u8]) -> Result<Vec<u8>, PacketError> {
    let mut parts = Parts(body);
    let kind = parts.byte().ok_or(PacketError::Parts)?;
    match kind {
        VERSION => match parts.number() {
            Some(3) => Ok(with_length(body)),
            Some(other) => Err(PacketError::Version(other)),
            None => Err(PacketError::Parts),
        },
        EXTENDED_REPLY | ATTRIBUTES => Ok(with_length(body)),
        HANDLE | DATA => {
            let fits = parts.take(4).is_some() && parts.text().is_some() && parts.0.is_empty();
            if fits { Ok(with_length(body)) } else { Err(PacketError::Parts) }
        }
        STATUS => status(parts).ok_or(PacketError::Parts),
        NAME => names(parts).ok_or(PacketError::Parts),
        kind => Err(PacketError::Kind(kind)),
    }
}

/// A status with a message that is text; some servers leave message and language out.
fn status(mut parts: Parts<'_>) -> Option<Vec<u8>> {
    let mut out = vec![STATUS];
    out.extend_from_slice(parts.take(8)?);
    for _ in 0..2 {
        let text = if parts.0.is_empty() { b"" } else { parts.text()? };
        push_text(&mut out, String::from_utf8_lossy(text).as_bytes());
    }
    Some(with_length(&out))
}

/// Names as text; their number must be what really follows.
fn names(mut parts: Parts<'_>) -> Option<Vec<u8>> {
    let mut out = vec![NAME];
    out.extend_from_slice(parts.take(4)?);
    let count = parts.take(4)?;
    out.extend_from_slice(count);
    for _ in 0..u32::from_be_bytes(count.try_into().ok()?) {
        push_text(&mut out, as_text(parts.text()?).as_bytes());
        push_text(&mut out, parts.text()?);
        out.extend_from_slice(parts.attributes()?);
    }
    parts.0.is_empty().then(|| with_length(&out))
}

fn with_length(body: &[u8]) -> Vec<u8> {
    let mut packet = Vec::with_capacity(body.len() + 4);
    push_text(&mut packet, body);
    packet
}

/// Adds bytes with their length before them.
fn push_text(out: &mut Vec<u8>, text: &[u8]) {
    // No packet is longer than a few MiB.
    out.extend_from_slice(&u32::try_from(text.len()).unwrap_or(u32::MAX).to_be_bytes());
    out.extend_from_slice(text);
}

/// What is left of a packet.
struct Parts<'a>(&'a [u8]);

impl<'a> Parts<'a> {
    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    fn byte(&mut self) -> Option<u8> {
        self.take(1).map(|byte| byte[0])
    }

    fn number(&mut self) -> Option<u32> {
        Some(u32::from_be_bytes(self.take(4)?.try_into().ok()?))
    }

    fn text(&mut self) -> Option<&'a [u8]> {
        let length = self.number()?;
        self.take(length as usize)
    }

    /// The attributes of a file: which ones there are says the first word.
    fn attributes(&mut self) -> Option<&'a [u8]> {
        let whole = self.0;
        let flags = self.number()?;
        for (flag, bytes) in [(1, 8), (2, 8), (4, 4), (8, 8)] {
            if flags & flag != 0 {
                self.take(bytes)?;
            }
        }
        if flags & 0x8000_0000 != 0 {
            for _ in 0..self.number()? {
                self.text()?;
                self.text()?;
            }
        }
        Some(&whole[..whole.len() - self.0.len()])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(bytes: &[u8]) -> Vec<u8> {
        let mut out = Vec::new();
        push_text(&mut out, bytes);
        out
    }

    #[test]
    fn a_path_goes_out_in_bytes() {
        let body = |path: &[u8]| [&[17, 0, 0, 0, 7][..], &text(path), b"rest"].concat();
        let asked = body(as_text(b"/caf\xe9").as_bytes());
        assert_eq!(question(&asked), text(&body(b"/caf\xe9")));
        let asked =
            |path: &[u8]| [&[EXTENDED, 0, 0, 0, 7][..], &text(EXPAND_PATH), &text(path)].concat();
        assert_eq!(question(&asked("\u{10ffe9}".as_bytes())), text(&asked(b"\xe9")));
        let handle = [&[5, 0, 0, 0, 7][..], &text(b"\xff")].concat();
        assert_eq!(question(&handle), text(&handle));
    }

    #[test]
    fn an_answer_that_does_not_fit_is_refused() {
        let number = [0, 0, 0, 7];
        let of = |kind: u8, rest: &[u8]| [&[kind][..], &number, rest].concat();
        let refused = [
            (of(DATA, &[0, 0, 0, 9, 1]), PacketError::Parts),
            (of(HANDLE, &[0, 0]), PacketError::Parts),
            (of(NAME, &[255, 255, 255, 255]), PacketError::Parts),
            (of(NAME, &[0, 0, 0, 0, 1]), PacketError::Parts),
            (of(STATUS, &[0, 0]), PacketError::Parts),
            (of(77, &[]), PacketError::Kind(77)),
        ];
        for (body, error) in refused {
            assert_eq!(answer(&body), Err(error), "{body:?}");
        }
        assert_eq!(answer_length([0, 0, 0, 4]), Err(PacketError::Length(4)));
        assert_eq!(answer_length([255; 4]), Err(PacketError::Length(u32::MAX as usize)));
        assert_eq!(answer_length([0, 0, 0, 5]), Ok(5));
    }

    #[test]
    fn a_short_status_gets_its_missing_words_and_a_name_becomes_text() {
        let short = [STATUS, 0, 0, 0, 7, 0, 0, 0, 2];
        assert_eq!(answer(&short), Ok(text(&[&short[..], &[0; 8]].concat())));
        let attributes = [0, 0, 0, 4, 0, 0, 1, 0xa4];
        let entry = |name: &[u8]| [text(name), text(b"long \xff"), attributes.to_vec()].concat();
        let body = |name: &[u8]| [&[NAME, 0, 0, 0, 7, 0, 0, 0, 1][..], &entry(name)].concat();
        assert_eq!(answer(&body(b"\xe9")), Ok(text(&body("\u{10ffe9}".as_bytes()))));
    }
}
