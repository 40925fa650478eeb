//! What a key is.

use super::words::{APPROVAL_POLICIES, FILE_ACCESSES};

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
    /// A list of tables, each with hooks and what they run for.
    Hooks,
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
            Self::Hooks => "a list of tables".to_owned(),
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
