//! Where a setting stands.

use std::fmt;
use std::path::{Path, PathBuf};

/// Where settings come from; a later kind overrides an earlier one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LayerSource {
    /// The machine's file.
    System {
        /// The file.
        path: PathBuf,
    },
    /// The person's file, `$CODEX_HOME/config.toml`.
    User {
        /// The file.
        path: PathBuf,
    },
    /// A project's own file, `.codex/config.toml`.
    Project {
        /// The file.
        path: PathBuf,
    },
    /// One `-c key=value`.
    Override {
        /// What stood behind `-c`.
        argument: String,
    },
}

impl LayerSource {
    /// The file, where it is one.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Self::System { path } | Self::User { path } | Self::Project { path } => Some(path),
            Self::Override { .. } => None,
        }
    }

    /// How high the kind of layer stands.
    pub(super) const fn height(&self) -> u8 {
        match self {
            Self::System { .. } => 0,
            Self::User { .. } => 1,
            Self::Project { .. } => 2,
            Self::Override { .. } => 3,
        }
    }

    /// How deep a project's file lies, which is how high it stands among the project's files; otherwise 0.
    pub(super) fn project_depth(&self) -> usize {
        match self {
            Self::Project { path } => path.components().count(),
            Self::System { .. } | Self::User { .. } | Self::Override { .. } => 0,
        }
    }
}

impl fmt::Display for LayerSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.path() {
            Some(path) => write!(f, "{}", path.display()),
            None => f.write_str("-c"),
        }
    }
}

/// The place of one key or value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Location {
    /// The file or argument.
    pub source: LayerSource,
    /// Its line, from 1.
    pub line: usize,
    /// The character in the line, from 1.
    pub column: usize,
}

impl Location {
    /// The place of a byte of a text.
    pub(super) fn of(source: &LayerSource, text: &str, offset: usize) -> Self {
        let before = text.get(..offset).unwrap_or(text);
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        Self {
            source: source.clone(),
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
        }
    }
}

/// `FILE:LINE:COLUMN`, or `-c`.
impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.source.path() {
            Some(path) => write!(f, "{}:{}:{}", path.display(), self.line, self.column),
            None => write!(f, "{}", self.source),
        }
    }
}
