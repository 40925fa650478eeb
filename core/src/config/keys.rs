//! What a key is, and questions to the one list of them: types, warnings and documentation all come from it.

use super::approval::APPROVAL_POLICIES;
use super::key_list::{KNOWN_KEYS, OTHER_KEYS};
use super::permission_profile::FILE_ACCESSES;

/// One key that recto reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KnownKey {
    /// Its path; `*` stands for a name that the person chooses.
    pub path: &'static str,
    /// What its value must be.
    pub kind: ValueKind,
    /// Whether a project's own file may set it.
    pub project: ProjectRule,
    /// What it does, as one sentence.
    pub summary: &'static str,
}

/// What a value must be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ValueKind {
    /// Any text.
    Text,
    /// The path of a file; relative to the directory of the file that names it, `~` is the home directory.
    Path,
    /// A number without a sign and without a fraction.
    WholeNumber,
    /// A number of seconds, whole or not, without a sign.
    Seconds,
    /// `true` or `false`.
    Boolean,
    /// A list of texts.
    TextList,
    /// A list of paths, each as in [`Path`](Self::Path).
    PathList,
    /// A table whose values are texts.
    TextMap,
    /// A list of names of variables, each as it is or in a table with where it is looked up.
    VariableList,
    /// One of these words.
    OneOf(&'static [&'static str]),
    /// `true` or `false`, or a table of the feature's own settings.
    Feature,
    /// One of the approval policies, or a table `granular`.
    Approval,
    /// One of the words for access to files, or a table of them.
    FileAccess,
}

/// Whether a project's own file may set a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProjectRule {
    /// It may, once the project is trusted.
    May,
    /// It may not: a repository would choose where its reader's data goes, or how far up its own text reaches.
    MayNot,
}

/// A key that Codex reads and recto does not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OtherKey {
    /// Its path; `*` stands for a name that the person chooses.
    pub path: &'static str,
    /// What stands there.
    pub shape: OtherShape,
}

/// What stands at a key that recto does not read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OtherShape {
    /// A value.
    Value,
    /// A table whose names are fixed, none of them the name of a top-level key of recto.
    Closed,
    /// A table with names that anybody may choose.
    Open,
}

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

/// The key that recto reads by this name, in whichever table; not in a permission profile or a server of tools,
/// whose names are common words that other tables may well hold.
pub(super) fn known_by_name(name: &str) -> Option<&'static KnownKey> {
    KNOWN_KEYS
        .iter()
        .filter(|key| {
            !key.path.starts_with("permissions.") && !key.path.starts_with("mcp_servers.")
        })
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

impl KnownKey {
    /// Where the key belongs, as a phrase for people: ``at the top level``, ``in [projects."…"]``.
    pub(super) fn home(&self) -> String {
        match self.path.rsplit_once('.') {
            None => "at the top level".to_owned(),
            Some((table, _)) => format!("in [{}]", table.replace('*', "\"…\"")),
        }
    }
}

impl ValueKind {
    /// The kind as a phrase for people: `a whole number`.
    pub fn expected(&self) -> String {
        match self {
            Self::Text => "a string".to_owned(),
            Self::Path => "a path".to_owned(),
            Self::WholeNumber => "a whole number".to_owned(),
            Self::Seconds => "a number of seconds".to_owned(),
            Self::VariableList => "a list of names of variables".to_owned(),
            Self::Boolean => "true or false".to_owned(),
            Self::TextList => "a list of strings".to_owned(),
            Self::PathList => "a list of paths".to_owned(),
            Self::TextMap => "a table of strings".to_owned(),
            Self::OneOf(words) => one_of(words),
            Self::Feature => "true or false, or a table".to_owned(),
            Self::FileAccess => format!("{}, or a table of them", one_of(FILE_ACCESSES)),
            Self::Approval => format!("{}, or a table `granular`", one_of(APPROVAL_POLICIES)),
        }
    }
}

/// `` `a`, `b` or `c` ``
fn one_of(words: &[&str]) -> String {
    let quoted: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
    match quoted.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        _ => quoted.concat(),
    }
}
