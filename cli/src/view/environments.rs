//! The environments of a run: what each gave the model, under which label, and why one gave nothing.

use recto_core::agents_md::{CandidateOutcome, ProjectDocs};
use recto_core::environment::{EnvironmentFailure, TurnEnvironmentSelection};
use serde::Serialize;

use super::layout::{counted, grouped, one_line};
use super::names::shown;
use super::palette::{FAULT, NOTICE, PROJECT, QUIET};
use crate::engine::Captured;

/// One environment of a run.
#[derive(Debug, Serialize)]
pub(crate) struct EnvironmentReport {
    pub(crate) id: String,
    pub(crate) cwd: String,
    pub(crate) status: EnvironmentStatus,
    /// Files that the model reads from it.
    pub(crate) docs: u64,
    /// Bytes that it reads of them.
    pub(crate) bytes: u64,
    /// What stands before its docs in the text.
    pub(crate) label: Option<String>,
    /// Why it gave nothing.
    pub(crate) reason: Option<String>,
}

/// What an environment gave.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum EnvironmentStatus {
    /// Docs that the model reads.
    Read,
    /// Nothing: there is no doc that counts.
    Empty,
    /// Nothing: its docs could not be read.
    Unreadable,
    /// Nothing yet.
    Starting,
    /// Nothing: it did not come up, or went away.
    Failed,
}

/// All environments: those that are ready, in their order, then the others.
pub(crate) fn environments(captured: &Captured) -> Vec<EnvironmentReport> {
    let step = &captured.step;
    let is_labelled = step.agents_md.projects.len() > 1;
    let ready = step.agents_md.projects.iter().map(|project| ready(project, is_labelled));
    let starting = step.environments.starting.iter().map(|selection| {
        let reason = "it is still starting".to_owned();
        nothing(selection, EnvironmentStatus::Starting, reason)
    });
    let failed = step.environments.failed.iter().map(|EnvironmentFailure { selection, reason }| {
        nothing(selection, EnvironmentStatus::Failed, one_line(reason))
    });
    ready.chain(starting).chain(failed).collect()
}

fn ready(project: &ProjectDocs, is_labelled: bool) -> EnvironmentReport {
    let docs = project.entries.len() as u64;
    let (status, reason) = match why_empty(project) {
        _ if docs > 0 => (EnvironmentStatus::Read, None),
        (status, reason) => (status, Some(reason)),
    };
    let id = project.environment_id.to_string();
    let label = format!("for `{id}` with root {}", project.cwd.display());
    EnvironmentReport {
        id,
        cwd: shown(&project.cwd),
        status,
        docs,
        bytes: project.spent(),
        label: (is_labelled && docs > 0).then_some(label),
        reason,
    }
}

fn why_empty(project: &ProjectDocs) -> (EnvironmentStatus, String) {
    let outcomes = || project.candidates.iter().map(|candidate| &candidate.outcome);
    if let Some(CandidateOutcome::Unreadable(error)) =
        outcomes().find(|it| matches!(it, CandidateOutcome::Unreadable(_)))
    {
        return (EnvironmentStatus::Unreadable, format!("its docs cannot be read: {error}"));
    }
    let reason = if outcomes().any(|it| *it == CandidateOutcome::Untrusted) {
        "the project is not trusted"
    } else if outcomes().any(|it| *it == CandidateOutcome::ProjectDocsOff) {
        "project_doc_max_bytes is 0"
    } else if outcomes().any(|it| *it == CandidateOutcome::Blank) {
        "its docs are blank"
    } else {
        "there is no AGENTS.md"
    };
    (EnvironmentStatus::Empty, reason.to_owned())
}

fn nothing(
    selection: &TurnEnvironmentSelection,
    status: EnvironmentStatus,
    reason: String,
) -> EnvironmentReport {
    EnvironmentReport {
        id: selection.environment_id.to_string(),
        cwd: shown(&selection.cwd),
        status,
        docs: 0,
        bytes: 0,
        label: None,
        reason: Some(reason),
    }
}

impl EnvironmentReport {
    /// A name, and what is said of it.
    pub(crate) fn row(&self) -> (String, anstyle::Style, String) {
        let name = format!("{} {}", one_line(&self.id), self.cwd);
        let style = match self.status {
            EnvironmentStatus::Read => PROJECT,
            EnvironmentStatus::Empty => QUIET,
            EnvironmentStatus::Starting => NOTICE,
            EnvironmentStatus::Unreadable | EnvironmentStatus::Failed => FAULT,
        };
        let words = match (&self.reason, &self.label) {
            (Some(reason), _) => format!("{}: {reason}", self.status.as_str()),
            (None, label) => {
                let label =
                    label.as_ref().map(|label| format!(", told as \"{}\"", one_line(label)));
                let docs = counted(self.docs, "doc");
                format!("{docs}, {} bytes{}", grouped(self.bytes), label.unwrap_or_default())
            }
        };
        (name, style, words)
    }
}

impl EnvironmentStatus {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Empty => "empty",
            Self::Unreadable => "unreadable",
            Self::Starting => "starting",
            Self::Failed => "failed",
        }
    }
}
