//! Makes the text of lines, so that the reference reads what is written here.

use serde::Serialize;
use serde_json::{Value, json};

use super::{Compacted, EventMsg, SessionMeta, TokenUsageRecord, TurnContext};
use crate::json_text::replace_lone_surrogates;
use crate::wire_text::METADATA;
use crate::{ContentKind, Item};

/// What every line begins with. Its methods make one line each, without the newline at its end.
#[derive(Debug, Clone, Copy)]
pub struct LineStamp<'a> {
    /// When it is written: RFC 3339 in UTC with milliseconds, as `2026-12-01T00:00:38.390Z`.
    pub timestamp: &'a str,
    /// Its place, in a file whose lines carry one.
    pub ordinal: Option<u64>,
}

impl LineStamp<'_> {
    /// Who the session is.
    pub fn session_meta(self, meta: &SessionMeta) -> String {
        self.line("session_meta", &to_json(meta))
    }

    /// An item of the conversation, with its kinds and its turn beside it where nothing is recorded yet.
    pub fn response_item(self, item: &Item, turn_id: Option<&str>) -> String {
        self.line("response_item", &recorded_item(item, turn_id))
    }

    /// Under which settings a turn runs.
    pub fn turn_context(self, context: &TurnContext) -> String {
        self.line("turn_context", &to_json(context))
    }

    /// Settings that a program has in a form of its own; `context` is an object.
    pub fn turn_context_value(self, context: &Value) -> String {
        self.line("turn_context", &context.to_string())
    }

    /// What the model was told of the world: the whole state, or a merge patch.
    pub fn world_state(self, full: bool, state: &Value) -> String {
        self.line("world_state", &json!({ "full": full, "state": state }).to_string())
    }

    /// The conversation is replaced.
    pub fn compacted(self, compacted: &Compacted) -> String {
        let mut members = vec![member("message", compacted.message.as_str())];
        if let Some(items) = &compacted.replacement_history {
            let items: Vec<String> = items.iter().map(|item| recorded_item(item, None)).collect();
            members.push(format!(r#""replacement_history":[{}]"#, items.join(",")));
        }
        members.extend(compacted.window_number.map(|number| member("window_number", number)));
        for (name, id) in [
            ("first_window_id", &compacted.first_window_id),
            ("previous_window_id", &compacted.previous_window_id),
            ("window_id", &compacted.window_id),
        ] {
            members.extend(id.as_ref().map(|id| member(name, id.as_str())));
        }
        self.line("compacted", &format!("{{{}}}", members.join(",")))
    }

    /// Something happened; none for an event that this program does not write.
    pub fn event_msg(self, event: &EventMsg) -> Option<String> {
        Some(self.line("event_msg", &event.to_value()?.to_string()))
    }

    /// An event that a program has in a form of its own; `event` is an object with a `type`.
    pub fn event_value(self, event: &Value) -> String {
        self.line("event_msg", &event.to_string())
    }

    /// The server said that the conversation no longer fits into a window of so many tokens.
    ///
    /// The reference goes by this event and cuts the conversation down before it asks again.
    pub fn context_full(self, window: u64) -> String {
        let usage = json!({
            "input_tokens": 0,
            "cached_input_tokens": 0,
            "output_tokens": 0,
            "reasoning_output_tokens": 0,
            "total_tokens": window,
        });
        let info = json!({
            "total_token_usage": usage,
            "last_token_usage": usage,
            "model_context_window": window,
        });
        let event = json!({"type": "token_count", "info": info, "rate_limits": null});
        self.line("event_msg", &event.to_string())
    }

    /// What a response cost.
    pub fn token_usage_record(self, usage: &TokenUsageRecord) -> String {
        self.line("token_usage_record", &to_json(usage))
    }

    fn line(self, kind: &str, payload: &str) -> String {
        let timestamp = Value::from(self.timestamp);
        let ordinal =
            self.ordinal.map_or_else(String::new, |number| format!(r#""ordinal":{number},"#));
        format!(r#"{{"timestamp":{timestamp},{ordinal}"type":"{kind}","payload":{payload}}}"#)
    }
}

fn to_json(payload: &impl Serialize) -> String {
    serde_json::to_string(payload).unwrap_or_else(|_| unreachable!("a payload is plain data"))
}

fn member(name: &str, value: impl Into<Value>) -> String {
    format!(r#""{name}":{}"#, value.into())
}

/// An item as a rollout holds it: on one line, readable by any JSON reader, its kinds beside it.
fn recorded_item(item: &Item, turn_id: Option<&str>) -> String {
    let mut text = replace_lone_surrogates(item.json()).into_owned();
    if text.contains(['\n', '\r']) {
        // Line breaks cannot stand inside of JSON strings, so these are between tokens.
        text = text.replace(['\n', '\r'], " ");
    }
    let kinds: Vec<&str> = item.kinds().iter().map(ContentKind::as_str).collect();
    if (kinds.is_empty() && turn_id.is_none()) || text.contains(METADATA) {
        return text;
    }
    let mut metadata = serde_json::Map::new();
    if let Some(turn_id) = turn_id {
        metadata.insert("turn_id".to_owned(), turn_id.into());
    }
    if !kinds.is_empty() {
        metadata.insert("content_item_kinds".to_owned(), kinds.into());
    }
    let metadata = Value::Object(metadata);
    let members = text.trim_end().strip_suffix('}').unwrap_or(&text).trim_end();
    let comma = if members.ends_with('{') { "" } else { "," };
    format!(r#"{members}{comma}"{METADATA}":{metadata}}}"#)
}
