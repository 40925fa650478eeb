//! Reads the files that discovery chose, within one budget, and keeps what became of every candidate.

use std::path::PathBuf;

use recto_protocol::TrustLevel;

use super::discovery::{Chain, Probe, discover};
use super::document::{Candidate, CandidateOutcome, InstructionEntry, LostLine, ProjectDocs};
use crate::config::AgentsMdConfig;
use crate::environment::{
    FileContents, FileRead, FileSystemError, FileSystemResult, Metadata, TurnEnvironment,
    contents_of,
};

/// Bytes that are read past a budget, to show the first line that did not make it.
pub(super) const LOST_LINE_BYTES: u64 = 400;

/// The project docs of one environment, with what was seen on the way.
#[derive(Debug)]
pub(super) struct LoadedProject {
    pub(super) docs: ProjectDocs,
    pub(super) probes: Vec<Probe>,
}

/// Loads the project docs of one environment; only a policy that forbids a read is an error.
///
/// Takes four round trips: markers, candidates, the files that fit, and the file that the budget ends in. Blank files
/// behind that one take one more each.
pub(super) async fn load_project_docs(
    environment: &TurnEnvironment,
    config: &AgentsMdConfig,
    trust: Option<TrustLevel>,
) -> FileSystemResult<LoadedProject> {
    let file_system = &*environment.environment.file_system;
    let cwd = &environment.selection.cwd;
    let Chain { root, directories } = discover(file_system, cwd, config).await?;
    let mut candidates: Vec<Candidate> =
        directories.iter().flat_map(|directory| judge(directory)).collect();
    let entries = if let Some(reason) = nothing_is_read(config, trust) {
        refuse_all(&mut candidates, &reason);
        Vec::new()
    } else {
        let mut reader = Reader::new(config.project_doc_max_bytes, &mut candidates);
        reader.read_all(environment).await?;
        reader.entries
    };
    let docs = ProjectDocs {
        environment_id: environment.selection.environment_id.clone(),
        cwd: cwd.clone(),
        root,
        budget: config.project_doc_max_bytes,
        entries,
        candidates,
    };
    Ok(LoadedProject { docs, probes: directories.into_iter().flatten().collect() })
}

/// What one directory's candidates are before anything is read: the first regular file stands as loaded.
fn judge(directory: &[Probe]) -> impl Iterator<Item = Candidate> {
    let winner =
        directory.iter().find(|probe| probe.is_regular_file()).map(|probe| probe.path.clone());
    directory.iter().map(move |probe| {
        let metadata = probe.found.as_ref().ok();
        Candidate {
            path: probe.path.clone(),
            len: metadata.map(|it| it.len),
            through_link: metadata.is_some_and(|it| it.through_link),
            outcome: outcome_before_reading(probe, winner.as_ref()),
        }
    })
}

fn outcome_before_reading(probe: &Probe, winner: Option<&PathBuf>) -> CandidateOutcome {
    match (&probe.found, winner) {
        (Ok(_), Some(by)) if probe.is_regular_file() && *by != probe.path => {
            CandidateOutcome::Shadowed { by: by.clone() }
        }
        (Ok(_), _) if probe.is_regular_file() => CandidateOutcome::Loaded { lossy: false },
        (Ok(Metadata { kind, .. }), _) => CandidateOutcome::NotRegular(*kind),
        (Err(error), _) => error.clone().into(),
    }
}

/// Why no project doc is read at all.
fn nothing_is_read(config: &AgentsMdConfig, trust: Option<TrustLevel>) -> Option<CandidateOutcome> {
    if trust == Some(TrustLevel::Untrusted) {
        return Some(CandidateOutcome::Untrusted);
    }
    (config.project_doc_max_bytes == 0).then_some(CandidateOutcome::ProjectDocsOff)
}

fn refuse_all(candidates: &mut [Candidate], reason: &CandidateOutcome) {
    for candidate in
        candidates.iter_mut().filter(|it| matches!(it.outcome, CandidateOutcome::Loaded { .. }))
    {
        candidate.outcome = reason.clone();
    }
}

/// Spends a budget over the slots of a chain, from the root down.
struct Reader<'a> {
    remaining: u64,
    /// The candidates that hold a slot and are not read yet.
    slots: std::collections::VecDeque<&'a mut Candidate>,
    entries: Vec<InstructionEntry>,
}

impl<'a> Reader<'a> {
    fn new(budget: u64, candidates: &'a mut [Candidate]) -> Self {
        let slots = candidates
            .iter_mut()
            .filter(|it| matches!(it.outcome, CandidateOutcome::Loaded { .. }))
            .collect();
        Self { remaining: budget, slots, entries: Vec::new() }
    }

    async fn read_all(&mut self, environment: &TurnEnvironment) -> FileSystemResult<()> {
        while !self.slots.is_empty() && self.remaining > 0 {
            let reads = self.next_reads();
            let answers = contents_of(&*environment.environment.file_system, &reads).await;
            for answer in answers {
                let Some(slot) = self.slots.pop_front() else { break };
                self.take(slot, answer)?;
            }
        }
        for slot in self.slots.drain(..) {
            slot.outcome = CandidateOutcome::BudgetSpent;
        }
        Ok(())
    }

    /// The files at the front that fit into what remains, or the one that does not.
    ///
    /// A file that does not fit waits for those before it: one of them may turn out blank and leave its share.
    fn next_reads(&self) -> Vec<FileRead> {
        let mut remaining = self.remaining;
        let mut reads = Vec::new();
        for slot in &self.slots {
            let len = slot.len.unwrap_or(0);
            if len > remaining && !reads.is_empty() {
                break;
            }
            reads.push(FileRead {
                path: slot.path.clone(),
                limit: remaining.saturating_add(LOST_LINE_BYTES),
            });
            remaining = remaining.saturating_sub(len);
            if remaining == 0 {
                break;
            }
        }
        reads
    }

    fn take(
        &mut self,
        slot: &mut Candidate,
        answer: FileSystemResult<FileContents>,
    ) -> FileSystemResult<()> {
        let contents = match answer {
            Ok(contents) => contents,
            Err(error @ FileSystemError::Denied { .. }) => return Err(error),
            Err(error) => {
                slot.outcome = error.into();
                return Ok(());
            }
        };
        slot.len = Some(contents.len);
        if self.remaining == 0 {
            slot.outcome = CandidateOutcome::BudgetSpent;
            return Ok(());
        }
        let kept = contents.bytes.len().min(usize::try_from(self.remaining).unwrap_or(usize::MAX));
        let head = &contents.bytes[..kept];
        let text = String::from_utf8_lossy(head).into_owned();
        if text.trim().is_empty() {
            slot.outcome = CandidateOutcome::Blank;
            return Ok(());
        }
        self.remaining -= kept as u64;
        slot.outcome = outcome_of_reading(&contents, kept);
        self.entries.push(InstructionEntry { path: slot.path.clone(), text });
        Ok(())
    }
}

/// What became of a file of which the model reads the first `kept` bytes.
pub(super) fn outcome_of_reading(contents: &FileContents, kept: usize) -> CandidateOutcome {
    let head = &contents.bytes[..kept];
    let kept = kept as u64;
    let lossy = has_invalid_utf8(head, contents.len > kept);
    if contents.len > kept {
        let first_lost_line = lost_line(&contents.bytes, head.len());
        CandidateOutcome::Cut { kept, lost: contents.len - kept, first_lost_line, lossy }
    } else {
        CandidateOutcome::Loaded { lossy }
    }
}

/// Whether bytes are no UTF-8; a character that only the cut split does not count.
fn has_invalid_utf8(bytes: &[u8], is_cut: bool) -> bool {
    match std::str::from_utf8(bytes) {
        Ok(_) => false,
        Err(error) => !(is_cut && error.error_len().is_none()),
    }
}

/// The line that a cut at `at` took first, from the bytes that were read around it.
///
/// A line that lost only its line break is there whole, unless nothing follows it.
fn lost_line(bytes: &[u8], at: usize) -> LostLine {
    let at = if bytes[at..].starts_with(b"\n") && bytes.len() > at + 1 { at + 1 } else { at };
    let before = &bytes[..at];
    let start = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |newline| newline + 1);
    let number = before.split(|byte| *byte == b'\n').count() as u64;
    let rest = &bytes[start..];
    let line = rest.split(|byte| *byte == b'\n').next().unwrap_or(rest);
    let shown = &line[..line.len().min(usize::try_from(LOST_LINE_BYTES).unwrap_or(usize::MAX))];
    LostLine { number, text: String::from_utf8_lossy(shown).trim_end().to_owned() }
}
