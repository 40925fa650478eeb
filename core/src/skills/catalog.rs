//! All skills that a session knows, and what kept others out.

use std::fmt;
use std::path::PathBuf;

use super::front_matter::FrontMatterError;
use crate::environment::FileSystemError;

/// Who a skill belongs to; also the order in which skills are told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SkillScope {
    /// It came with the program.
    System,
    /// The project.
    Repo,
    /// The person.
    User,
}

/// A directory in which skills were looked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkillRoot {
    /// Its path, with no link in it.
    pub path: PathBuf,
    /// Who it belongs to.
    pub scope: SkillScope,
    /// The name of the plugin that brings it; it stands before the names of the skills.
    pub plugin: Option<String>,
}

/// One skill.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skill {
    /// The name by which it is mentioned; several may share one.
    pub name: String,
    /// What it is for, on one line.
    pub description: String,
    /// Its `SKILL.md`.
    pub path: PathBuf,
    /// Which of [`SkillCatalog::roots`] it was found below.
    pub root: usize,
    /// Who it belongs to.
    pub scope: SkillScope,
}

/// All skills of one moment.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SkillCatalog {
    /// The directories that exist, in the order of the search.
    pub roots: Vec<SkillRoot>,
    /// The system's, the project's and the person's, by name in each.
    pub skills: Vec<Skill>,
    /// What could not be used, sorted by path.
    pub diagnostics: Vec<SkillDiagnostic>,
}

/// A place that gave no skill though one was expected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkillDiagnostic {
    /// The file or directory.
    pub path: PathBuf,
    /// Why.
    pub problem: SkillProblem,
}

impl fmt::Display for SkillDiagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path.display(), self.problem)
    }
}

/// Why a place gave no skill.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SkillProblem {
    /// Its head does not describe a skill.
    #[error("{0}")]
    FrontMatter(#[from] FrontMatterError),
    /// It cannot be read.
    #[error("{0}")]
    Unreadable(FileSystemError),
    /// The file is a link; directories may be.
    #[error("it is a symbolic link; link the skill's directory instead")]
    Linked,
    /// So much lies below a root that the rest was not looked at.
    #[error("more than {limit} entries below this root; the rest was not looked at")]
    TooManyEntries {
        /// Entries that were looked at.
        limit: usize,
    },
    /// A mentioned file is longer than a body may be.
    #[error("it has {length} bytes, a skill may have {limit}")]
    LongBody {
        /// Its bytes.
        length: u64,
        /// Bytes that are allowed.
        limit: u64,
    },
    /// A mentioned file is not text.
    #[error("it is not valid UTF-8")]
    BodyNotUtf8,
}
