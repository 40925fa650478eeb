//! The host's own instructions: outside every budget, read once when a session is built.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use async_trait::async_trait;

use super::discovery::{AGENTS_MD_NAME, OVERRIDE_NAME, Probe};
use super::document::{Candidate, CandidateOutcome, HostInstructions, InstructionEntry};
use super::load::has_invalid_utf8;
use crate::environment::{FileSystem, FileSystemError, Metadata};

/// Gives the instructions of whoever runs the agent, whatever the project.
#[async_trait]
pub trait UserInstructionsProvider: fmt::Debug + Send + Sync {
    /// Reads the instructions; faults are told by the candidates.
    async fn user_instructions(&self) -> HostInstructions;
}

/// Reads `AGENTS.override.md`, else `AGENTS.md`, in Codex's home: the first that is not blank, trimmed.
///
/// Unlike in a project, a blank file does not take the place of the next one.
#[derive(Debug, Clone)]
pub struct CodexHomeInstructions {
    /// The machine that the home is on; not an environment of a turn.
    pub file_system: Arc<dyn FileSystem>,
    /// `$CODEX_HOME`.
    pub codex_home: PathBuf,
}

#[async_trait]
impl UserInstructionsProvider for CodexHomeInstructions {
    async fn user_instructions(&self) -> HostInstructions {
        let paths = [OVERRIDE_NAME, AGENTS_MD_NAME].map(|name| self.codex_home.join(name));
        let answers = self.file_system.get_metadata_all(&paths).await;
        let mut host = HostInstructions::default();
        for (path, found) in paths.into_iter().zip(answers) {
            let candidate = self.take(&mut host.entry, Probe { path, found }).await;
            host.candidates.push(candidate);
        }
        host
    }
}

impl CodexHomeInstructions {
    async fn take(&self, entry: &mut Option<InstructionEntry>, probe: Probe) -> Candidate {
        let metadata = probe.found.as_ref().ok();
        let mut candidate = Candidate {
            len: metadata.map(|it| it.len),
            through_link: metadata.is_some_and(|it| it.through_link),
            outcome: CandidateOutcome::Absent,
            path: probe.path.clone(),
        };
        candidate.outcome = match (probe.found, &entry) {
            (Ok(Metadata { kind, .. }), _) if kind != crate::environment::FileKind::File => {
                CandidateOutcome::NotRegular(kind)
            }
            (Ok(_), Some(taken)) => CandidateOutcome::Shadowed { by: taken.path.clone() },
            (Ok(_), None) => match self.file_system.read_file(&probe.path, u64::MAX).await {
                Ok(contents) => {
                    candidate.len = Some(contents.len);
                    let text = String::from_utf8_lossy(&contents.bytes);
                    let text = text.trim();
                    if text.is_empty() {
                        CandidateOutcome::Blank
                    } else {
                        *entry = Some(InstructionEntry { path: probe.path, text: text.to_owned() });
                        CandidateOutcome::Loaded { lossy: has_invalid_utf8(&contents.bytes, false) }
                    }
                }
                Err(error) => refusal(error),
            },
            (Err(error), _) => refusal(error),
        };
        candidate
    }
}

fn refusal(error: FileSystemError) -> CandidateOutcome {
    match error {
        FileSystemError::NotFound => CandidateOutcome::Absent,
        FileSystemError::BrokenLink => CandidateOutcome::BrokenLink,
        FileSystemError::NotAFile(kind) => CandidateOutcome::NotRegular(kind),
        error => CandidateOutcome::Unreadable(error),
    }
}
