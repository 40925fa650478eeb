//! Bytes written as text: `\xNN` and its like, and quoted pieces that may be repeated.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;

/// The bytes that a text with escapes stands for.
pub(super) fn unescape(text: &str) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        bytes.extend_from_slice(&rest.as_bytes()[..at]);
        let (byte, length) = escape(&rest[at + 1..])
            .ok_or_else(|| format!("no such escape: {}", rest[at..].escape_debug()))?;
        bytes.push(byte);
        rest = &rest[at + 1 + length..];
    }
    bytes.extend_from_slice(rest.as_bytes());
    Ok(bytes)
}

/// The same as a path or a value that the operating system takes.
pub(super) fn unescape_os(text: &str) -> Result<OsString, String> {
    unescape(text).map(OsString::from_vec)
}

/// The byte that an escape stands for and the length of what follows the backslash.
fn escape(text: &str) -> Option<(u8, usize)> {
    let byte = match text.chars().next()? {
        'n' => b'\n',
        'r' => b'\r',
        't' => b'\t',
        '0' => b'\0',
        '\\' => b'\\',
        '"' => b'"',
        'x' => return Some((u8::from_str_radix(text.get(1..3)?, 16).ok()?, 3)),
        _ => return None,
    };
    Some((byte, 1))
}

/// The bytes of `"a\n"*2048 "b"`: quoted pieces, joined, each as often as it says.
pub(super) fn pieces(text: &str) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let mut rest = text.trim();
    while !rest.is_empty() {
        let quoted = rest.strip_prefix('"').ok_or_else(|| format!("no quote before: {rest}"))?;
        let end = closing_quote(quoted).ok_or_else(|| format!("no closing quote: {rest}"))?;
        let piece = unescape(&quoted[..end])?;
        let (times, after) = times(&quoted[end + 1..])?;
        bytes.extend_from_slice(&piece.repeat(times));
        rest = after.trim_start();
    }
    Ok(bytes)
}

fn closing_quote(text: &str) -> Option<usize> {
    let mut escaped = false;
    text.bytes().position(|byte| {
        let closes = byte == b'"' && !escaped;
        escaped = byte == b'\\' && !escaped;
        closes
    })
}

fn times(text: &str) -> Result<(usize, &str), String> {
    let Some(number) = text.strip_prefix('*') else { return Ok((1, text)) };
    let end = number.find(|it: char| !it.is_ascii_digit()).unwrap_or(number.len());
    let times = number[..end].parse().map_err(|_| format!("no number after *: {text}"))?;
    Ok((times, &number[end..]))
}
