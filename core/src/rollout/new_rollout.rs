//! Who a session is that gets a file of its own.

use std::path::Path;

use recto_protocol::rollout::{RecordedInstructions, SessionMeta};
use recto_protocol::{DynamicTools, ThreadId};

use super::replay::ReplayedSession;
use super::settings::SessionStart;

/// The program that records, as files name it.
const ORIGINATOR: &str = "recto";

/// Every line carries the next ordinal; see [`SessionMeta::is_paginated`].
const PAGINATED: &str = "paginated";

/// Who a session is that gets a file of its own: a new one, or a fork.
#[derive(Debug, Clone, PartialEq)]
pub struct NewRollout {
    /// Its name.
    pub thread_id: ThreadId,
    /// When it began, as its file is named after.
    pub start: SessionStart,
    /// Where it begins to work.
    pub cwd: String,
    /// The version of the program.
    pub cli_version: String,
    /// How the program is used: `cli`, `exec`, ….
    pub source: String,
    /// The provider's name in the configuration.
    pub model_provider: String,
    /// The base instructions that it goes by; a resumed session takes them from here and never from today's files.
    pub base_instructions: Option<RecordedInstructions>,
    /// The tools that the host gives it; a resumed session has them from here.
    pub dynamic_tools: DynamicTools,
}

impl NewRollout {
    /// The meta of a session that begins at `timestamp`.
    pub(super) fn meta(&self, timestamp: &str) -> SessionMeta {
        let id = Some(self.thread_id.to_string());
        SessionMeta {
            session_id: id.clone(),
            id,
            timestamp: Some(timestamp.to_owned()),
            cwd: Some(self.cwd.clone()),
            originator: Some(ORIGINATOR.to_owned()),
            cli_version: Some(self.cli_version.clone()),
            source: Some(self.source.clone().into()),
            model_provider: Some(self.model_provider.clone()),
            base_instructions: self.base_instructions.clone(),
            dynamic_tools: self.dynamic_tools.clone(),
            history_mode: Some(PAGINATED.to_owned()),
            ..SessionMeta::default()
        }
    }

    /// The meta of a session that goes on from another, whose past is copied behind it.
    pub(super) fn meta_of_fork(&self, timestamp: &str, past: &ReplayedSession) -> SessionMeta {
        let mut meta = self.meta(timestamp);
        if meta.dynamic_tools.is_empty() {
            meta.dynamic_tools = past.meta.dynamic_tools.clone();
        }
        SessionMeta {
            forked_from_id: past.meta.id.clone(),
            base_instructions: meta.base_instructions.or_else(|| past.base_instructions.clone()),
            window_id: past.window.first_id.clone(),
            ..meta
        }
    }
}

/// Whether a session goes on in its own file: where that lies in our own home, or the person said so. A session in
/// another program's home goes on as a fork in ours.
pub fn continues_in_place(file: &Path, home: &Path, asked_for: bool) -> bool {
    asked_for || file.starts_with(home)
}
