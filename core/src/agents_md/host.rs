//! The host's own instructions: outside the project's budget, read once when a session is built.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use async_trait::async_trait;

use super::discovery::{AGENTS_MD_NAME, OVERRIDE_NAME, Probe};
use super::document::{Candidate, CandidateOutcome, HostInstructions, InstructionEntry};
use super::load::{LOST_LINE_BYTES, outcome_of_reading};
use crate::environment::{FileContents, FileKind, FileSystem, Metadata, metadata_of};

/// Bytes that the host's text may have: four million tokens, several times the largest window of a model.
const LARGEST_TEXT: usize = 16 * 1024 * 1024;

/// Bytes that are read of it: the text and the line after it.
const READ_BYTES: u64 = LARGEST_TEXT as u64 + LOST_LINE_BYTES;

/// Gives the instructions of whoever runs the agent, whatever the project.
#[async_trait]
pub trait UserInstructionsProvider: fmt::Debug + Send + Sync {
    /// Reads the instructions; faults are told by the candidates.
    async fn user_instructions(&self) -> HostInstructions;
}

/// Reads `AGENTS.override.md`, else `AGENTS.md`, in Codex's home: the first that is not blank, trimmed.
///
/// Unlike in a project, a blank file does not take the place of the next one. Of a text of more than 16 MiB, which
/// no model could read, the rest is cut.
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
        let answers = metadata_of(&*self.file_system, &paths).await;
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
            (Ok(Metadata { kind, .. }), _) if kind != FileKind::File => {
                CandidateOutcome::NotRegular(kind)
            }
            (Ok(_), Some(taken)) => CandidateOutcome::Shadowed { by: taken.path.clone() },
            (Ok(_), None) => match self.file_system.read_file(&probe.path, READ_BYTES).await {
                Ok(contents) => {
                    let (text, outcome) = judged(&contents);
                    candidate.len = Some(contents.len.max(contents.bytes.len() as u64));
                    *entry = text.map(|text| InstructionEntry { path: probe.path, text });
                    outcome
                }
                Err(error) => error.into(),
            },
            (Err(error), _) => error.into(),
        };
        candidate
    }
}

/// The text as the model reads it, none where it is blank, and what became of the file.
fn judged(contents: &FileContents) -> (Option<String>, CandidateOutcome) {
    let head = &contents.bytes[..contents.bytes.len().min(LARGEST_TEXT)];
    let text = String::from_utf8_lossy(head);
    let text = text.trim();
    if text.is_empty() {
        return (None, CandidateOutcome::Blank);
    }
    (Some(text.to_owned()), outcome_of_reading(contents, head.len()))
}
