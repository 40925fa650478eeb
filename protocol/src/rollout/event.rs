//! What happened beside the conversation.

use serde_json::{Value, json};

use crate::json_text::Members;

/// Something that happened; only what a replay or a listing asks for is typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EventMsg {
    /// A turn began.
    TaskStarted {
        /// Which.
        turn_id: Option<String>,
    },
    /// A turn ended, well or with an error.
    TaskComplete {
        /// Which.
        turn_id: Option<String>,
        /// What went wrong.
        error: Option<TurnError>,
    },
    /// A turn was cut short.
    TurnAborted {
        /// Which.
        turn_id: Option<String>,
        /// Why: `interrupted`, `replaced`, `review_ended` or `budget_limited`; the reference reads no other word.
        reason: Option<String>,
    },
    /// The last turns were taken back.
    ThreadRolledBack {
        /// How many turns of the user.
        num_turns: u64,
    },
    /// What a person typed, beside the item that holds it; files without ordinals have it.
    UserMessage {
        /// The text.
        message: String,
    },
    /// Anything else, by its name.
    Other {
        /// Its `type`; empty where it says none.
        name: String,
    },
}

/// What went wrong in a turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TurnError {
    /// In words for people.
    pub message: String,
    /// The reference's word for its kind, where it has one.
    pub code: Option<String>,
}

impl TurnError {
    /// The code of a conversation that no longer fits into the model's window.
    pub const CONTEXT_WINDOW_EXCEEDED: &'static str = "context_window_exceeded";

    /// Whether the conversation no longer fits.
    pub fn is_context_window_exceeded(&self) -> bool {
        self.code.as_deref() == Some(Self::CONTEXT_WINDOW_EXCEEDED)
    }

    fn decode(members: &Members<'_>) -> Option<Self> {
        let message = members.string("message")?;
        Some(Self { message, code: members.string("codex_error_info") })
    }

    fn to_value(&self) -> Value {
        match &self.code {
            Some(code) => json!({"message": self.message, "codex_error_info": code}),
            None => json!({"message": self.message}),
        }
    }
}

impl EventMsg {
    /// Reads a payload; none where it is no object.
    ///
    /// Most events are none that a replay asks for: where `type` stands first, only those are parsed.
    pub(super) fn decode(json: &str) -> Option<Self> {
        let leading = leading_tag(json);
        if let Some(name) = leading.filter(|name| !is_typed(name)) {
            return Some(Self::Other { name: name.to_owned() });
        }
        let members = Members::of(json).ok()?;
        let name = members.string("type").unwrap_or_default();
        let turn_id = members.string("turn_id");
        Some(match name.as_str() {
            "task_started" | "turn_started" => Self::TaskStarted { turn_id },
            "task_complete" | "turn_complete" => {
                let error = members.object("error").as_ref().and_then(TurnError::decode);
                Self::TaskComplete { turn_id, error }
            }
            "turn_aborted" => Self::TurnAborted { turn_id, reason: members.string("reason") },
            "thread_rolled_back" => {
                Self::ThreadRolledBack { num_turns: members.count("num_turns").unwrap_or(0) }
            }
            "user_message" => {
                Self::UserMessage { message: members.string("message").unwrap_or_default() }
            }
            _ => Self::Other { name },
        })
    }

    /// The payload that says this; none for an event that this program does not write.
    pub(super) fn to_value(&self) -> Option<Value> {
        Some(match self {
            Self::TaskStarted { turn_id } => json!({"type": "task_started", "turn_id": turn_id}),
            Self::TaskComplete { turn_id, error: None } => {
                json!({"type": "task_complete", "turn_id": turn_id, "last_agent_message": null})
            }
            Self::TaskComplete { turn_id, error: Some(error) } => json!({
                "type": "task_complete",
                "turn_id": turn_id,
                "last_agent_message": null,
                "error": error.to_value(),
            }),
            Self::TurnAborted { turn_id, reason } => {
                json!({"type": "turn_aborted", "turn_id": turn_id, "reason": reason})
            }
            Self::ThreadRolledBack { num_turns } => {
                json!({"type": "thread_rolled_back", "num_turns": num_turns})
            }
            Self::UserMessage { message } => json!({"type": "user_message", "message": message}),
            Self::Other { .. } => return None,
        })
    }
}

/// The tag, where it stands first and holds no escape.
fn leading_tag(json: &str) -> Option<&str> {
    let rest = json.strip_prefix(r#"{"type":""#)?;
    let (name, _) = rest.split_once('"')?;
    (!name.contains('\\')).then_some(name)
}

fn is_typed(name: &str) -> bool {
    matches!(
        name,
        "task_started"
            | "turn_started"
            | "task_complete"
            | "turn_complete"
            | "turn_aborted"
            | "thread_rolled_back"
            | "user_message"
    )
}
