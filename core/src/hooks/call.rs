//! What a hook is told: one JSON object on its standard input.

use std::borrow::Cow;
use std::path::PathBuf;

use recto_protocol::ApprovalPolicy;
use serde::Serialize;
use serde_json::Value;

use super::spec::{HookEvent, HookSpec};

/// What every hook of a moment is told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HookContext {
    /// The session.
    pub session_id: String,
    /// The turn; a hook on the start of a session is not told.
    pub turn_id: Option<String>,
    /// The rollout that records the session.
    pub transcript_path: Option<PathBuf>,
    /// Where the agent works, and the hook too.
    pub cwd: PathBuf,
    /// The model's name on the wire.
    pub model: String,
    /// When the person is asked.
    pub approval_policy: ApprovalPolicy,
}

/// Why hooks run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HookCall {
    /// The session starts.
    SessionStart {
        /// In what way.
        source: SessionStartSource,
    },
    /// A person gave a prompt.
    UserPromptSubmit {
        /// The prompt.
        prompt: String,
    },
    /// The model has nothing more to do.
    Stop {
        /// Whether the turn goes on only because a hook wanted it already.
        stop_hook_active: bool,
        /// The model's last words.
        last_assistant_message: Option<String>,
    },
}

/// In what way a session starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SessionStartSource {
    /// It is new.
    Startup,
    /// It goes on from a record.
    Resume,
    /// Its history was shortened.
    Compact,
}

impl SessionStartSource {
    /// The word that hooks know.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Startup => "startup",
            Self::Resume => "resume",
            Self::Compact => "compact",
        }
    }
}

/// The object; its members stand in the order of the reference.
#[derive(Serialize)]
struct Input<'a> {
    session_id: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    turn_id: Option<&'a str>,
    transcript_path: Option<Cow<'a, str>>,
    cwd: Cow<'a, str>,
    hook_event_name: &'static str,
    model: &'a str,
    permission_mode: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    prompt: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stop_hook_active: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    last_assistant_message: Option<Value>,
}

impl HookCall {
    /// The event of the call.
    pub const fn event(&self) -> HookEvent {
        match self {
            Self::SessionStart { .. } => HookEvent::SessionStart,
            Self::UserPromptSubmit { .. } => HookEvent::UserPromptSubmit,
            Self::Stop { .. } => HookEvent::Stop,
        }
    }

    /// Whether a hook runs for this call.
    pub(super) fn concerns(&self, hook: &HookSpec) -> bool {
        let matches = match self {
            Self::SessionStart { source } => hook.matcher.matches(source.as_str()),
            Self::UserPromptSubmit { .. } | Self::Stop { .. } => true,
        };
        hook.event == self.event() && matches
    }

    /// The text for standard input: one line.
    pub(super) fn input(&self, context: &HookContext) -> String {
        let mut input = Input {
            session_id: &context.session_id,
            turn_id: context.turn_id.as_deref(),
            transcript_path: context.transcript_path.as_ref().map(|it| it.to_string_lossy()),
            cwd: context.cwd.to_string_lossy(),
            hook_event_name: self.event().as_str(),
            model: &context.model,
            permission_mode: permission_mode(context.approval_policy),
            source: None,
            prompt: None,
            stop_hook_active: None,
            last_assistant_message: None,
        };
        match self {
            Self::SessionStart { source } => {
                input.turn_id = None;
                input.source = Some(source.as_str());
            }
            Self::UserPromptSubmit { prompt } => input.prompt = Some(prompt),
            Self::Stop { stop_hook_active, last_assistant_message } => {
                input.stop_hook_active = Some(*stop_hook_active);
                input.last_assistant_message = Some(last_assistant_message.as_deref().into());
            }
        }
        serde_json::to_string(&input).unwrap_or_else(|_| unreachable!("plain data")) + "\n"
    }
}

/// The word for how much is asked; the reference was only seen to use the first.
const fn permission_mode(policy: ApprovalPolicy) -> &'static str {
    match policy {
        ApprovalPolicy::Never => "bypassPermissions",
        _ => "default",
    }
}
