//! What the person configured.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

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

/// The sources of an event for which a hook runs; only the start of a session has any.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HookMatcher(Vec<String>);

impl HookMatcher {
    /// Reads `startup|resume`: names between bars. `*`, nothing and no text at all stand for every source.
    pub fn new(text: &str) -> Self {
        match text.trim() {
            "" | "*" => Self::default(),
            text => Self(text.split('|').map(|name| name.trim().to_owned()).collect()),
        }
    }

    /// Whether a hook runs for this source.
    pub fn matches(&self, source: &str) -> bool {
        self.0.is_empty() || self.0.iter().any(|name| name == source)
    }
}
