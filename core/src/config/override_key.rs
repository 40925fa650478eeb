//! The key of a `-c key=value`.

/// A key and where it ends.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct OverrideKey {
    /// Its segments.
    pub(super) segments: Vec<String>,
    /// The byte of the `=` after it.
    pub(super) equals: usize,
}

/// Reads the dotted path before the first `=`; none where there is no `=`.
///
/// It is split at every dot and quotes are part of a segment, as in the reference: `projects./a/b.trust_level` works
/// unquoted, and a path with a dot in it needs an inline table.
pub(super) fn parse(argument: &str) -> Option<OverrideKey> {
    let equals = argument.find('=')?;
    let segments = argument[..equals].trim().split('.').map(str::to_owned).collect();
    Some(OverrideKey { segments, equals })
}

/// The key that somebody means who quotes a segment as in TOML; none where no segment is quoted.
pub(super) fn parse_as_toml(argument: &str) -> Option<OverrideKey> {
    let mut segments = Vec::new();
    let mut has_quotes = false;
    let mut start = 0;
    loop {
        let rest = &argument[start..];
        let quoted = quoted_segment(rest);
        has_quotes |= quoted.is_some();
        let (name, len) = quoted.unwrap_or_else(|| bare_segment(rest));
        segments.push(name);
        let end = start + len;
        match argument.as_bytes().get(end)? {
            b'=' => return has_quotes.then_some(OverrideKey { segments, equals: end }),
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
