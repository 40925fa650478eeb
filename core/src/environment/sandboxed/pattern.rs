//! Patterns of paths: `*` and `?` within a name, `[..]` for one letter, `**` for any directories.

use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// A pattern of absolute paths.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PathPattern {
    text: String,
}

impl PathPattern {
    pub(super) fn new(text: impl Into<String>) -> Self {
        Self { text: text.into() }
    }

    /// The pattern as it was written.
    pub(super) fn as_str(&self) -> &str {
        &self.text
    }

    /// Whether a path fits, or lies below one that does.
    pub(super) fn covers(&self, path: &Path) -> bool {
        let pattern: Vec<&[u8]> = parts(self.text.as_bytes());
        path.ancestors().any(|it| fits(&pattern, &parts(it.as_os_str().as_bytes())))
    }
}

fn parts(path: &[u8]) -> Vec<&[u8]> {
    path.split(|byte| *byte == b'/').filter(|part| !part.is_empty()).collect()
}

/// Remembers the last `**` and goes back to it alone, so that no pattern takes long.
fn fits(pattern: &[&[u8]], path: &[&[u8]]) -> bool {
    with_wildcard(pattern, path, |part| *part == b"**", |part, name| name_fits(part, name))
}

fn name_fits(pattern: &[u8], name: &[u8]) -> bool {
    let letters = letters(pattern);
    with_wildcard(&letters, name, |letter| *letter == Letter::AnyNumber, |it, byte| it.fits(*byte))
}

/// Matches a list in which some elements stand for any number of others.
fn with_wildcard<P, T>(
    pattern: &[P],
    list: &[T],
    is_wildcard: impl Fn(&P) -> bool,
    fits: impl Fn(&P, &T) -> bool,
) -> bool {
    let (mut at, mut seen) = (0, 0);
    let mut retry: Option<(usize, usize)> = None;
    while seen < list.len() {
        if at < pattern.len() && is_wildcard(&pattern[at]) {
            at += 1;
            retry = Some((at, seen));
        } else if at < pattern.len() && fits(&pattern[at], &list[seen]) {
            at += 1;
            seen += 1;
        } else if let Some((after, start)) = retry {
            (at, seen) = (after, start + 1);
            retry = Some((after, start + 1));
        } else {
            return false;
        }
    }
    pattern[at..].iter().all(is_wildcard)
}

/// What one letter of a pattern stands for.
#[derive(Debug, PartialEq, Eq)]
enum Letter<'a> {
    Itself(u8),
    Any,
    AnyNumber,
    OneOf { set: &'a [u8], is_negated: bool },
}

impl Letter<'_> {
    fn fits(&self, byte: u8) -> bool {
        match self {
            Self::Itself(own) => *own == byte,
            Self::Any => true,
            Self::AnyNumber => false,
            Self::OneOf { set, is_negated } => in_set(set, byte) != *is_negated,
        }
    }
}

fn letters(mut pattern: &[u8]) -> Vec<Letter<'_>> {
    let mut letters = Vec::new();
    while let Some((first, rest)) = pattern.split_first() {
        let (letter, rest) = match first {
            b'*' => (Letter::AnyNumber, rest),
            b'?' => (Letter::Any, rest),
            b'[' => set(rest).unwrap_or((Letter::Itself(b'['), rest)),
            byte => (Letter::Itself(*byte), rest),
        };
        letters.push(letter);
        pattern = rest;
    }
    letters
}

/// The set that begins behind a bracket; a bracket that nothing closes stands for itself.
fn set(rest: &[u8]) -> Option<(Letter<'_>, &[u8])> {
    let is_negated = rest.first().is_some_and(|it| matches!(it, b'!' | b'^'));
    let inner = &rest[usize::from(is_negated)..];
    let end = 1 + inner.iter().skip(1).position(|byte| *byte == b']')?;
    Some((Letter::OneOf { set: &inner[..end], is_negated }, &inner[end + 1..]))
}

fn in_set(mut set: &[u8], byte: u8) -> bool {
    loop {
        set = match set {
            [] => return false,
            [from, b'-', to, rest @ ..] if (*from..=*to).contains(&byte) || rest.is_empty() => {
                return (*from..=*to).contains(&byte);
            }
            [_, b'-', _, rest @ ..] => rest,
            [own, ..] if *own == byte => return true,
            [_, rest @ ..] => rest,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_covers_what_fits_and_what_lies_below() {
        let rows = [
            ("/w/*.env", "/w/.env", true),
            ("/w/*.env", "/w/a/.env", false),
            ("/w/**/.env", "/w/.env", true),
            ("/w/**/.env", "/w/a/b/.env", true),
            ("/w/**/.env", "/x/a/b/.env", false),
            ("/w/secret/**", "/w/secret", true),
            ("/w/secret/**", "/w/secret/a/b", true),
            ("/w/secret/**", "/w/secrets", false),
            ("/w/s?cret", "/w/secret/below", true),
            ("/w/[a-c]x", "/w/bx", true),
            ("/w/[a-c]x", "/w/dx", false),
            ("/w/[!a-c]x", "/w/dx", true),
            ("/w/[]x]y", "/w/]y", true),
            ("/w/[x", "/w/[x", true),
            ("/w/a*b*c", "/w/a-b-b-c", true),
            ("/w/a*b*c", "/w/a-b-b", false),
        ];
        for (pattern, path, expected) in rows {
            assert_eq!(
                PathPattern::new(pattern).covers(Path::new(path)),
                expected,
                "{pattern} {path}"
            );
        }
    }
}
