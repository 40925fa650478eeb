//! The key of a `-c key=value`.

/// A key and where it ends.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct OverrideKey {
    /// Its segments, quotes taken off.
    pub(super) segments: Vec<String>,
    /// The byte of the `=` after it.
    pub(super) equals: usize,
}

/// Reads the dotted path before the `=`; none where there is no `=`.
///
/// A segment in quotes may hold dots and equals signs. Any other segment is taken as it stands, so that
/// `projects./a/b.trust_level` works unquoted.
pub(super) fn parse(argument: &str) -> Option<OverrideKey> {
    let mut segments = Vec::new();
    let mut start = 0;
    loop {
        let rest = &argument[start..];
        let (name, len) = quoted_segment(rest).unwrap_or_else(|| bare_segment(rest));
        segments.push(name);
        let end = start + len;
        match argument.as_bytes().get(end)? {
            b'=' => return Some(OverrideKey { segments, equals: end }),
            _ => start = end + 1,
        }
    }
}

fn bare_segment(rest: &str) -> (String, usize) {
    let len = rest.find(['.', '=']).unwrap_or(rest.len());
    (rest[..len].trim().to_owned(), len)
}

/// A segment in quotes and the bytes up to the `.` or `=` after it.
fn quoted_segment(rest: &str) -> Option<(String, usize)> {
    let inside = rest.trim_start();
    let quote = inside.chars().next().filter(|it| matches!(it, '"' | '\''))?;
    let mut name = String::new();
    let mut characters = inside.char_indices().skip(1);
    loop {
        match characters.next()? {
            (_, '\\') if quote == '"' => name.push(characters.next()?.1),
            (at, character) if character == quote => {
                let after = &inside[at + 1..];
                let behind = after.trim_start();
                return behind.starts_with(['.', '=']).then(|| (name, rest.len() - behind.len()));
            }
            (_, character) => name.push(character),
        }
    }
}
