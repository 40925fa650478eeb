//! Who a session is.

use serde::Serialize;
use serde_json::Value;

use crate::DynamicTools;
use crate::json_text::Members;

/// Who a session is, where it began and what it goes on from.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct SessionMeta {
    /// The thread, over all its files; the reference writes it beside `id`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session_id: Option<String>,
    /// The thread.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The thread that it was forked from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub forked_from_id: Option<String>,
    /// The first ordinal of that thread that is not part of this one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub forked_from_ordinal_exclusive: Option<u64>,
    /// When it began, RFC 3339.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timestamp: Option<String>,
    /// Where it began; later turns may work elsewhere.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cwd: Option<String>,
    /// The program that recorded it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub originator: Option<String>,
    /// That program's version.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cli_version: Option<String>,
    /// How the program was used: a word, or an object.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<Value>,
    /// The provider's name in the configuration.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model_provider: Option<String>,
    /// The base instructions that the session goes by.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base_instructions: Option<RecordedInstructions>,
    /// The tools that the host gave it.
    #[serde(skip_serializing_if = "DynamicTools::is_empty")]
    pub dynamic_tools: DynamicTools,
    /// `paginated`: every appended line must carry the next ordinal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub history_mode: Option<String>,
    /// The past that stands in another file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub history_base: Option<HistoryBase>,
    /// The name of the first context window.
    #[serde(
        rename = "context_window",
        skip_serializing_if = "Option::is_none",
        serialize_with = "window"
    )]
    pub window_id: Option<String>,
}

/// Base instructions as a session recorded them.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RecordedInstructions {
    /// The text.
    pub text: String,
    /// Where it came from, in the reference's words: `{"type":"model","model":..}`, `{"type":"custom"}`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub provenance: Option<Value>,
}

/// Where the past of a fork, or of a session that was taken back to an earlier turn, stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct HistoryBase {
    /// The thread whose file it is; a session that was taken back names itself.
    pub thread_id: String,
    /// The first ordinal there that does not belong to it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end_ordinal_exclusive: Option<u64>,
    /// The bytes of that file that belong to it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end_byte_offset: Option<u64>,
}

impl SessionMeta {
    /// Reads a payload; none where it is no object.
    pub(super) fn decode(json: &str) -> Option<Self> {
        let members = Members::of(json).ok()?;
        let base_instructions = members.object("base_instructions").and_then(|base| {
            Some(RecordedInstructions {
                text: base.string("text")?,
                provenance: base.value("provenance"),
            })
        });
        let dynamic_tools =
            members.get("dynamic_tools").and_then(DynamicTools::from_record).unwrap_or_default();
        Some(Self { base_instructions, dynamic_tools, ..Self::without_instructions(&members) })
    }

    /// Reads a payload but for base instructions and tools, which are most of it; for those who read many.
    pub fn identity_from_json(json: &str) -> Option<Self> {
        Members::of(json).ok().map(|members| Self::without_instructions(&members))
    }

    fn without_instructions(members: &Members<'_>) -> Self {
        Self {
            session_id: members.string("session_id"),
            id: members.string("id"),
            forked_from_id: members.string("forked_from_id"),
            forked_from_ordinal_exclusive: members.count("forked_from_ordinal_exclusive"),
            timestamp: members.string("timestamp"),
            cwd: members.string("cwd"),
            originator: members.string("originator"),
            cli_version: members.string("cli_version"),
            source: members.value("source"),
            model_provider: members.string("model_provider"),
            base_instructions: None,
            dynamic_tools: DynamicTools::default(),
            history_mode: members.string("history_mode"),
            history_base: members.object("history_base").and_then(|base| {
                Some(HistoryBase {
                    thread_id: base.string("thread_id")?,
                    end_ordinal_exclusive: base.count("end_ordinal_exclusive"),
                    end_byte_offset: base.count("end_byte_offset"),
                })
            }),
            window_id: members
                .object("context_window")
                .and_then(|window| window.string("window_id")),
        }
    }

    /// Whether every appended line must carry the next ordinal.
    pub fn is_paginated(&self) -> bool {
        self.history_mode.as_deref() == Some("paginated")
    }
}

#[expect(clippy::ref_option, reason = "serde hands the field over by reference")]
fn window<S: serde::Serializer>(id: &Option<String>, serializer: S) -> Result<S::Ok, S::Error> {
    serde_json::json!({ "window_id": id }).serialize(serializer)
}
