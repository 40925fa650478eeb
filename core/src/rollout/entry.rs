//! What a session has recorded of itself, in the order in which it happened.

use std::fmt;

use async_trait::async_trait;
use recto_protocol::{ApprovalPolicy, Item, PermissionProfile, TokenUsage, TurnId};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// One thing to be recorded.
#[derive(Debug, Clone, PartialEq)]
pub enum RolloutEntry {
    /// An item that the model reads from now on, or wrote.
    Item(Item),
    /// What the model was told of the world: whole, or as a merge patch to what stood before.
    WorldState {
        /// Whether `state` is the whole state.
        full: bool,
        /// The state, or the patch.
        state: Value,
    },
    /// A program takes the session up, under these settings; what it had loaded before is loaded anew.
    SettingsApplied(ThreadSettings),
    /// Under which settings a turn runs.
    TurnContext(TurnContextItem),
    /// The conversation was replaced.
    Compacted {
        /// The summary that the model wrote.
        summary: String,
        /// What stands now.
        replacement_history: Vec<Item>,
    },
    /// The last turns were taken back.
    RolledBack {
        /// How many.
        turns: u32,
    },
    /// What a response cost.
    Usage(TokenUsage),
    /// The server said that the conversation no longer fits; the turn ends with it.
    ContextFull {
        /// Tokens of the window.
        window: u64,
    },
    /// A turn began.
    TurnStarted(TurnId),
    /// A turn ended; with a reason where it did not end by itself.
    TurnEnded {
        /// Which.
        turn_id: TurnId,
        /// Why it was cut short.
        reason: Option<String>,
    },
}

/// The settings that a session goes by from some place on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ThreadSettings {
    /// Where it works.
    pub cwd: String,
    /// Directories that belong to the work.
    pub workspace_roots: Vec<String>,
    /// When the person is asked.
    pub approval_policy: ApprovalPolicy,
    /// What commands may reach.
    pub permission_profile: PermissionProfile,
    /// The model's slug.
    pub model: String,
    /// The provider that serves it.
    pub model_provider: String,
    /// How it is to work with the person.
    pub collaboration_mode: Option<String>,
}

/// The settings of one turn, as they are persisted; never part of the conversation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TurnContextItem {
    /// The turn.
    pub turn_id: TurnId,
    /// Where it works.
    pub cwd: String,
    /// The day.
    #[serde(default)]
    pub current_date: Option<String>,
    /// The IANA name of the time zone.
    #[serde(default)]
    pub timezone: Option<String>,
    /// When the person is asked.
    pub approval_policy: ApprovalPolicy,
    /// What commands may reach.
    pub permission_profile: PermissionProfile,
    /// The model's slug.
    pub model: String,
    /// The provider that serves it, and alone reads what it sealed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model_provider: Option<String>,
    /// How the model is to sound.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub personality: Option<String>,
    /// How it is to work with the person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub collaboration_mode: Option<String>,
}

/// A record that did not reach its place; it is kept and written again, in order, with the next one.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the session could not be recorded: {message}")]
pub struct RecordError {
    /// The system's words, and the file.
    pub message: String,
}

/// Takes what a session records.
#[async_trait]
pub trait SessionRecorder: fmt::Debug + Send + Sync {
    /// Records entries in their order; they are acknowledged when this returns well.
    ///
    /// They are taken when the future is first polled: one that is dropped later loses none of them.
    async fn record(&self, entries: Vec<RolloutEntry>) -> Result<(), RecordError>;
}
