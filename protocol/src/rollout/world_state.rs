//! What the model was told of the world.

use serde_json::Value;

use crate::json_text::Members;

/// What the model was told: whole at first and after a compaction, otherwise as a merge patch (RFC 7386).
#[derive(Debug, Clone, PartialEq)]
pub struct WorldStateRecord {
    /// Whether `state` is the whole state.
    pub full: bool,
    /// The state or the patch; none where it does not decode, and then nobody knows what the model was told.
    pub state: Option<Value>,
}

impl WorldStateRecord {
    /// Reads a payload; none where it is no object.
    pub(super) fn decode(json: &str) -> Option<Self> {
        let members = Members::of(json).ok()?;
        Some(Self {
            full: members.get("full") == Some("true"),
            state: members.value("state").filter(Value::is_object),
        })
    }
}
