//! Questions to the one list of keys: types, warnings and documentation all come from it.

use super::key::{KnownKey, OtherKey, ProjectRule};
use super::key_list::{KNOWN_KEYS, OTHER_KEYS};

/// What stands at a path, by the lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Position {
    /// A key that recto reads.
    Known(&'static KnownKey),
    /// A key that only Codex reads.
    Other(&'static OtherKey),
    /// A table on the way to a key that recto reads.
    Table,
    /// A table on the way to keys that only Codex reads.
    OtherTable,
    /// Nothing.
    Unknown,
}

/// What stands at a path.
pub(super) fn position(path: &[&str]) -> Position {
    if let Some(key) = KNOWN_KEYS.iter().find(|key| matches(key.path, path) == Match::Whole) {
        return Position::Known(key);
    }
    if let Some(key) = OTHER_KEYS.iter().find(|key| matches(key.path, path) == Match::Whole) {
        return Position::Other(key);
    }
    if KNOWN_KEYS.iter().any(|key| matches(key.path, path) == Match::Start) {
        return Position::Table;
    }
    if OTHER_KEYS.iter().any(|key| matches(key.path, path) == Match::Start) {
        return Position::OtherTable;
    }
    Position::Unknown
}

#[derive(PartialEq, Eq)]
enum Match {
    Whole,
    Start,
    No,
}

fn matches(pattern: &str, path: &[&str]) -> Match {
    let mut segments = pattern.split('.');
    for name in path {
        match segments.next() {
            Some(segment) if segment == "*" || segment == *name => {}
            _ => return Match::No,
        }
    }
    if segments.next().is_none() { Match::Whole } else { Match::Start }
}

/// The names that may stand in the table at a path, without the ones that the person chooses.
pub(super) fn names_in(path: &[&str]) -> impl Iterator<Item = &'static str> {
    let patterns =
        KNOWN_KEYS.iter().map(|key| key.path).chain(OTHER_KEYS.iter().map(|key| key.path));
    patterns
        .filter(|pattern| matches(pattern, path) == Match::Start)
        .filter_map(|pattern| pattern.split('.').nth(path.len()))
        .filter(|name| *name != "*")
}

/// Tables whose names are common words that other tables may well hold.
const OWN_WORDS: [&str; 2] = ["mcp_servers.", "permissions."];

/// The key that recto reads by this name, in whichever table but those of [`OWN_WORDS`].
pub(super) fn known_by_name(name: &str) -> Option<&'static KnownKey> {
    KNOWN_KEYS
        .iter()
        .filter(|key| !OWN_WORDS.iter().any(|table| key.path.starts_with(table)))
        .find(|key| key.path.rsplit('.').next() == Some(name))
}

/// The key that recto reads by this name at the top level.
pub(super) fn known_at_top(name: &str) -> Option<&'static KnownKey> {
    KNOWN_KEYS.iter().find(|key| key.path == name)
}

/// Whether a project's own file may set this key of the top level.
pub(super) fn project_may_set(name: &str) -> bool {
    !KNOWN_KEYS
        .iter()
        .any(|key| key.project == ProjectRule::MayNot && key.path.split('.').next() == Some(name))
}
