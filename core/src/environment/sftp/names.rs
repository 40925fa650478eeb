//! Names of any bytes as text and back: the client speaks UTF-8 only.
//!
//! A byte that is no part of UTF-8 stands as a letter of the last private plane, from U+10FF80 on; so does each byte of
//! such a letter itself, so that nothing is mistaken for something else.

/// Byte 0x00 would stand here; only bytes from 0x80 on do.
const BASE: u32 = 0x10_ff00;

/// Writes bytes as text.
pub(super) fn as_text(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        for letter in chunk.valid().chars() {
            if byte_of(letter).is_some() {
                let mut buffer = [0; 4];
                text.extend(letter.encode_utf8(&mut buffer).bytes().filter_map(letter_of));
            } else {
                text.push(letter);
            }
        }
        text.extend(chunk.invalid().iter().copied().filter_map(letter_of));
    }
    text
}

/// The bytes that a text stands for.
pub(super) fn as_bytes(text: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len());
    for letter in text.chars() {
        match byte_of(letter) {
            Some(byte) => bytes.push(byte),
            None => bytes.extend_from_slice(letter.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
    bytes
}

fn letter_of(byte: u8) -> Option<char> {
    char::from_u32(BASE + u32::from(byte))
}

fn byte_of(letter: char) -> Option<u8> {
    let byte = u8::try_from(u32::from(letter).checked_sub(BASE)?).ok()?;
    (byte >= 0x80).then_some(byte)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_comes_back_as_it_was() {
        let private = "\u{10ff80}\u{10ffff}";
        let rows: [&[u8]; 6] =
            [b"", b"plain", "Grüße 🦀".as_bytes(), b"caf\xe9", b"\xff\x80\xc3", private.as_bytes()];
        for bytes in rows {
            assert_eq!(as_bytes(&as_text(bytes)), bytes);
        }
        assert_eq!(as_text(b"plain"), "plain");
        assert_eq!(as_text(b"caf\xe9"), "caf\u{10ffe9}");
    }
}
