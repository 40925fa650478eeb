//! Under which settings a turn ran.

use serde::Serialize;
use serde_json::Value;

use crate::json_text::Members;

/// The settings of one turn; no part of the conversation.
///
/// What other versions write beside these stays in the line's text.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct TurnContext {
    /// The turn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<String>,
    /// Where it worked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cwd: Option<String>,
    /// The day, where the program records it here.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub current_date: Option<String>,
    /// The IANA name of the time zone, where the program records it here.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timezone: Option<String>,
    /// When the person was asked: a word, or an object.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub approval_policy: Option<Value>,
    /// What commands might reach.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub permission_profile: Option<Value>,
    /// The model's slug.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The provider, where the program records it here.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model_provider: Option<String>,
    /// The name of the model's way of compacting; where it differs from the next model's, the reference compacts first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub comp_hash: Option<String>,
    /// How the model was to sound.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub personality: Option<String>,
    /// How it was to work with the person: a word, or an object with `mode` and `settings`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub collaboration_mode: Option<Value>,
    /// How hard it was to think.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub effort: Option<String>,
    /// Which summaries of its thoughts were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
    /// The sandbox, in the reference's older words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sandbox_policy: Option<Value>,
}

impl TurnContext {
    /// Reads a payload; none where it is no object.
    pub fn from_json(json: &str) -> Option<Self> {
        let members = Members::of(json).ok()?;
        Some(Self {
            turn_id: members.string("turn_id"),
            cwd: members.string("cwd"),
            current_date: members.string("current_date"),
            timezone: members.string("timezone"),
            approval_policy: members.value("approval_policy"),
            permission_profile: members.value("permission_profile"),
            model: members.string("model"),
            model_provider: members.string("model_provider"),
            comp_hash: members.string("comp_hash"),
            personality: members.string("personality"),
            collaboration_mode: members.value("collaboration_mode"),
            effort: members.string("effort"),
            summary: members.string("summary"),
            sandbox_policy: members.value("sandbox_policy"),
        })
    }
}
