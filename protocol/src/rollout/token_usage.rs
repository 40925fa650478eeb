//! What responses cost.

use serde::Serialize;

use crate::TokenUsage;
use crate::json_text::Members;

/// What one response cost, and the sums so far.
///
/// The reference reads such a line only where every member is there and the names of threads and turns are UUIDs.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct TokenUsageRecord {
    /// The thread.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thread_id: Option<String>,
    /// The turn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<String>,
    /// The thread's first name; the same as the thread's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session_id: Option<String>,
    /// The turn that this turn belongs to; itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub root_turn_id: Option<String>,
    /// The response, as the server named it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub response_id: Option<String>,
    /// This response.
    pub usage: TokenUsage,
    /// The turn so far.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turn_token_usage: Option<TokenUsage>,
    /// The thread so far.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thread_token_usage: Option<TokenUsage>,
}

impl TokenUsageRecord {
    /// Reads a payload; none where it is no object or says no usage.
    pub fn from_json(json: &str) -> Option<Self> {
        let members = Members::of(json).ok()?;
        let usage = |name| {
            members.get(name).and_then(|usage| serde_json::from_str::<TokenUsage>(usage).ok())
        };
        Some(Self {
            thread_id: members.string("thread_id"),
            turn_id: members.string("turn_id"),
            session_id: members.string("session_id"),
            root_turn_id: members.string("root_turn_id"),
            response_id: members.string("response_id"),
            usage: usage("usage")?,
            turn_token_usage: usage("turn_token_usage"),
            thread_token_usage: usage("thread_token_usage"),
        })
    }
}
