//! What the person configured.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use crate::config::{HookConfig, HookMatcher};

/// How long a hook may take where its configuration does not say.
pub const DEFAULT_TIMEOUT: Duration = Duration::from_mins(10);

/// A point of a session at which hooks run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum HookEvent {
    /// The session starts, is resumed, or was compacted.
    SessionStart,
    /// A person gave a prompt that is not sent yet.
    UserPromptSubmit,
    /// The model has nothing more to do.
    Stop,
}

impl HookEvent {
    /// Every event.
    pub const ALL: [Self; 3] = [Self::SessionStart, Self::UserPromptSubmit, Self::Stop];

    /// The name in configuration, input and output.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::SessionStart => "SessionStart",
            Self::UserPromptSubmit => "UserPromptSubmit",
            Self::Stop => "Stop",
        }
    }

    /// The event of this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|event| event.as_str() == name)
    }

    /// The name at the start of a run's id.
    pub(super) const fn slug(self) -> &'static str {
        match self {
            Self::SessionStart => "session-start",
            Self::UserPromptSubmit => "user-prompt-submit",
            Self::Stop => "stop",
        }
    }
}

impl fmt::Display for HookEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// One hook.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HookSpec {
    /// When it runs.
    pub event: HookEvent,
    /// For which of the event's sources.
    pub matcher: HookMatcher,
    /// What `sh -c` runs.
    pub command: String,
    /// How long it may take.
    pub timeout: Duration,
    /// The file that configured it.
    pub source: PathBuf,
}

impl HookSpec {
    /// The hook that somebody configured; none where its event is not one of [`HookEvent::ALL`].
    pub fn configured(hook: &HookConfig) -> Option<Self> {
        Some(Self {
            event: HookEvent::from_name(&hook.event)?,
            matcher: hook.matcher.clone(),
            command: hook.command.clone(),
            timeout: hook.timeout.unwrap_or(DEFAULT_TIMEOUT),
            source: hook.source.clone(),
        })
    }
}
