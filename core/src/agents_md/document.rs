//! What was loaded, from where, and what became of every file that was looked at.

use std::ops::Range;
use std::path::{Path, PathBuf};

use crate::environment::{EnvironmentId, FileKind, FileSystemError, ProjectRoot};

/// Stands between the host's text and the first project doc.
pub(super) const PROJECT_DOC_SEPARATOR: &str = "\n\n--- project-doc ---\n\n";

/// Stands between two project docs.
pub(super) const DOC_SEPARATOR: &str = "\n\n";

/// The text of one file as the model reads it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct InstructionEntry {
    /// The file, by the path it was found under.
    pub path: PathBuf,
    /// Its text, decoded lossily and cut to its budget.
    pub text: String,
}

/// Instructions of the host: the same for every environment, fixed when a session is built.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HostInstructions {
    /// The text, trimmed; none where there is no file or only blank ones.
    pub entry: Option<InstructionEntry>,
    /// Every file that was looked at, in the order of precedence.
    pub candidates: Vec<Candidate>,
}

/// A file that was looked at, and what became of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    /// The file.
    pub path: PathBuf,
    /// Bytes on disk, where they are known.
    pub len: Option<u64>,
    /// Whether the path itself is a link.
    pub through_link: bool,
    /// What became of it.
    pub outcome: CandidateOutcome,
}

/// What became of a file that was looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CandidateOutcome {
    /// The model reads it whole.
    Loaded {
        /// Whether bytes that are no UTF-8 were replaced by U+FFFD.
        lossy: bool,
    },
    /// The model reads its head; the budget ended inside it.
    Cut {
        /// Bytes that the model reads.
        kept: u64,
        /// Bytes that it does not.
        lost: u64,
        /// The first line that is not there whole.
        first_lost_line: LostLine,
        /// Whether bytes that are no UTF-8 were replaced by U+FFFD.
        lossy: bool,
    },
    /// A file of higher precedence stands in the same directory.
    Shadowed {
        /// That file.
        by: PathBuf,
    },
    /// It holds only white space; it takes the place of the names after it all the same.
    Blank,
    /// Nothing is there.
    Absent,
    /// Something else has the name.
    NotRegular(FileKind),
    /// A link that leads nowhere.
    BrokenLink,
    /// It could not be read; the rest was.
    Unreadable(FileSystemError),
    /// The project is not trusted.
    Untrusted,
    /// The files before it used the budget up.
    BudgetSpent,
    /// `project_doc_max_bytes` is 0.
    ProjectDocsOff,
}

impl From<FileSystemError> for CandidateOutcome {
    /// What a file is that could not be looked at or read.
    fn from(error: FileSystemError) -> Self {
        match error {
            FileSystemError::NotFound => Self::Absent,
            FileSystemError::BrokenLink => Self::BrokenLink,
            FileSystemError::NotAFile(kind) => Self::NotRegular(kind),
            error => Self::Unreadable(error),
        }
    }
}

/// A line that a cut took, in whole or in part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LostLine {
    /// Counted from 1.
    pub number: u64,
    /// Its text as far as it was read.
    pub text: String,
}

/// The project docs of one environment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProjectDocs {
    /// The environment.
    pub environment_id: EnvironmentId,
    /// The directory that the walk started in.
    pub cwd: PathBuf,
    /// Where the walk ended.
    pub root: ProjectRoot,
    /// Bytes that the docs may have together.
    pub budget: u64,
    /// The docs, root first.
    pub entries: Vec<InstructionEntry>,
    /// Every file that was looked at, root first and by precedence in each directory.
    pub candidates: Vec<Candidate>,
}

impl ProjectDocs {
    /// Bytes of the budget that the docs used.
    pub fn spent(&self) -> u64 {
        self.candidates
            .iter()
            .map(|candidate| match candidate.outcome {
                CandidateOutcome::Loaded { .. } => candidate.len.unwrap_or(0),
                CandidateOutcome::Cut { kept, .. } => kept,
                _ => 0,
            })
            .sum()
    }
}

/// All instructions that stand for one selection of environments; never changes once it is loaded.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LoadedAgentsMd {
    /// The host's own instructions.
    pub host: HostInstructions,
    /// The project docs of each environment, in the order of the selection.
    pub projects: Vec<ProjectDocs>,
}

/// A part of the text and the file that it came from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceSpan {
    /// Bytes of the text.
    pub range: Range<usize>,
    /// The file.
    pub path: PathBuf,
}

/// The text that the model reads, and where each part of it came from.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct InstructionsText {
    /// The text.
    pub text: String,
    /// Its parts that came from files, in order; what lies between them is ours.
    pub spans: Vec<SourceSpan>,
    /// The directory for the heading; none where no project doc was loaded or several environments are told.
    pub directory: Option<PathBuf>,
}

impl LoadedAgentsMd {
    /// The files that the model reads, host first, then project docs in order.
    pub fn instruction_sources(&self) -> impl Iterator<Item = &Path> {
        self.host
            .entry
            .iter()
            .chain(self.projects.iter().flat_map(|project| &project.entries))
            .map(|entry| entry.path.as_path())
    }

    /// Every file that was looked at, host first.
    pub fn candidates(&self) -> impl Iterator<Item = &Candidate> {
        self.host
            .candidates
            .iter()
            .chain(self.projects.iter().flat_map(|project| &project.candidates))
    }

    /// The text that the model reads; none where there is nothing to read.
    ///
    /// The host's text, `--- project-doc ---` before the first project doc, an empty line between project docs. Where
    /// several environments have docs, each group is labelled with its environment and directory.
    pub fn to_text(&self) -> Option<InstructionsText> {
        let mut out = InstructionsText::default();
        if let Some(host) = &self.host.entry {
            out.push_entry(host);
        }
        let groups: Vec<&ProjectDocs> =
            self.projects.iter().filter(|project| !project.entries.is_empty()).collect();
        let labelled = self.projects.len() > 1;
        for (at, group) in groups.iter().enumerate() {
            match (at, self.host.entry.is_some()) {
                (0, true) => out.text.push_str(PROJECT_DOC_SEPARATOR),
                (0, false) => {}
                (_, _) => out.text.push_str(DOC_SEPARATOR),
            }
            if labelled {
                let label =
                    format!("for `{}` with root {}\n\n", group.environment_id, group.cwd.display());
                out.text.push_str(&label);
            }
            for (at, entry) in group.entries.iter().enumerate() {
                if at > 0 {
                    out.text.push_str(DOC_SEPARATOR);
                }
                out.push_entry(entry);
            }
        }
        out.directory = match groups.as_slice() {
            [only] if !labelled => Some(only.cwd.clone()),
            _ => None,
        };
        (!out.spans.is_empty()).then_some(out)
    }
}

impl InstructionsText {
    fn push_entry(&mut self, entry: &InstructionEntry) {
        let start = self.text.len();
        self.text.push_str(&entry.text);
        self.spans.push(SourceSpan { range: start..self.text.len(), path: entry.path.clone() });
    }
}
