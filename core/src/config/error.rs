//! Why a configuration cannot be used.

use std::path::PathBuf;

use super::location::Location;
use crate::environment::FileSystemError;

/// Why a configuration cannot be used; the words are one sentence, [`hint`](Self::hint) may add a way out.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ConfigError {
    /// A file is there and cannot be read.
    #[error("{}: the configuration cannot be read: {cause}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What went wrong.
        #[source]
        cause: FileSystemError,
    },
    /// A file is longer than a configuration may be.
    #[error("{}: the configuration has {len} bytes, more than the {limit} that are read", path.display())]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// Its bytes.
        len: u64,
        /// Bytes that are read.
        limit: u64,
    },
    /// A file holds bytes that are no UTF-8.
    #[error("{0}: the configuration is not UTF-8")]
    NotUtf8(Location),
    /// A file is not TOML.
    #[error("{location}: {message}")]
    Syntax {
        /// Where reading stopped.
        location: Location,
        /// The parser's words.
        message: String,
    },
    /// A value cannot stand where it stands.
    #[error("{0}")]
    Value(Box<ValueError>),
    /// The file that `model_instructions_file` names gives no text.
    #[error("{location}: model_instructions_file: {}: {problem}", path.display())]
    InstructionsFile {
        /// Where the file is named.
        location: Location,
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        problem: InstructionsProblem,
    },
    /// The file that `model_catalog_json` names describes no models.
    #[error("{0}")]
    ModelCatalog(Box<ModelCatalogError>),
    /// A `-c` is not `key=value`.
    #[error("-c {argument:?}: {problem}")]
    Override {
        /// What stood behind `-c`.
        argument: String,
        /// What is wrong with it.
        problem: OverrideProblem,
    },
    /// A profile is chosen by the key of older versions.
    #[error("{location}: `profile = {name:?}` is no longer supported")]
    LegacyProfile {
        /// Where it is chosen.
        location: Location,
        /// The profile.
        name: String,
    },
    /// The project's root cannot be looked for.
    #[error("the project's root cannot be looked for: {0}")]
    ProjectRoot(#[source] FileSystemError),
}

/// A value that cannot stand where it stands.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{location}: {key}: expected {expected}, found {found}")]
pub struct ValueError {
    /// Where the value stands.
    pub location: Location,
    /// The key, as a dotted path.
    pub key: String,
    /// What should stand there: `a whole number`.
    pub expected: String,
    /// What stands there: `a string "10"`.
    pub found: String,
    /// A way out.
    pub hint: Option<String>,
}

/// What is wrong with a file of base instructions.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InstructionsProblem {
    /// It cannot be read.
    #[error("{0}")]
    Unreadable(FileSystemError),
    /// It holds nothing but white space.
    #[error("the file is empty")]
    Empty,
    /// It holds bytes that are no UTF-8.
    #[error("the file is not UTF-8")]
    NotUtf8,
    /// It is longer than instructions may be.
    #[error("the file has {len} bytes, more than the {limit} that are read")]
    TooLarge {
        /// Its bytes.
        len: u64,
        /// Bytes that are read.
        limit: u64,
    },
}

/// The file that `model_catalog_json` names describes no models.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{location}: model_catalog_json: {}: {problem}", path.display())]
pub struct ModelCatalogError {
    /// Where the file is named.
    pub location: Location,
    /// The file.
    pub path: PathBuf,
    /// What is wrong with it.
    pub problem: CatalogProblem,
}

/// What is wrong with a file that describes models.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CatalogProblem {
    /// It cannot be read.
    #[error("{0}")]
    Unreadable(FileSystemError),
    /// It is no catalogue.
    #[error("expected {{\"models\":[{{\"slug\":\"…\"}}]}}: {0}")]
    Shape(String),
    /// It is longer than catalogues may be.
    #[error("the file has {len} bytes, more than the {limit} that are read")]
    TooLarge {
        /// Its bytes.
        len: u64,
        /// Bytes that are read.
        limit: u64,
    },
}

/// What is wrong with a `-c`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum OverrideProblem {
    /// It has no `=`.
    #[error("expected `key=value`, found no `=`")]
    NoEquals,
    /// Nothing stands before the `=`.
    #[error("expected a key before the `=`")]
    NoKey,
}

impl ConfigError {
    /// The place that it is about; none where it is about a whole file, or about no file.
    pub const fn location(&self) -> Option<&Location> {
        match self {
            Self::Syntax { location, .. }
            | Self::NotUtf8(location)
            | Self::InstructionsFile { location, .. }
            | Self::LegacyProfile { location, .. } => Some(location),
            Self::Value(error) => Some(&error.location),
            Self::ModelCatalog(error) => Some(&error.location),
            Self::Unreadable { .. }
            | Self::TooLarge { .. }
            | Self::Override { .. }
            | Self::ProjectRoot(_) => None,
        }
    }

    /// A way out, where there is one: one sentence without a full stop.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Value(error) => error.hint.clone(),
            Self::Override { problem: OverrideProblem::NoEquals, .. } => Some(
                "write -c model=gpt-5.5, or -c 'projects={\"/path\"={trust_level=\"trusted\"}}'"
                    .into(),
            ),
            Self::LegacyProfile { .. } => Some(
                "remove the key, and write what the profile sets at the top level or behind -c"
                    .into(),
            ),
            _ => None,
        }
    }
}
