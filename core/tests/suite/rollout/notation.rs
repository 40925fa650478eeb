//! Rollouts in the short notation of the list of reported faults.

use serde_json::{Value, json};

pub(crate) const TIME: &str = "2025-01-02T03:04:05.000Z";

fn line(kind: &str, payload: &Value) -> String {
    json!({"timestamp": TIME, "type": kind, "payload": payload}).to_string()
}

/// `M(id)` with more members.
pub(crate) fn meta_with(id: &str, more: &Value) -> String {
    let mut payload = json!({
        "id": id, "timestamp": TIME, "cwd": "/t/repo", "originator": "t", "cli_version": "0"
    });
    for (name, value) in more.as_object().into_iter().flatten() {
        payload[name] = value.clone();
    }
    line("session_meta", &payload)
}

/// `M(id)`.
pub(crate) fn meta(id: &str) -> String {
    meta_with(id, &json!({}))
}

pub(crate) fn message(role: &str, text: &str) -> Value {
    let part = if role == "assistant" { "output_text" } else { "input_text" };
    json!({"type": "message", "role": role, "content": [{"type": part, "text": text}]})
}

pub(crate) fn item(item: &Value) -> String {
    line("response_item", item)
}

/// `U(text)`.
pub(crate) fn user(text: &str) -> String {
    item(&message("user", text))
}

/// `A(text)`.
pub(crate) fn assistant(text: &str) -> String {
    item(&message("assistant", text))
}

/// `CP(replacement)`.
pub(crate) fn compacted(replacement: &[Value]) -> String {
    line("compacted", &json!({"message": "summary", "replacement_history": replacement}))
}

/// `RB(n)`.
pub(crate) fn rolled_back(turns: u64) -> String {
    event(&json!({"type": "thread_rolled_back", "num_turns": turns}))
}

pub(crate) fn event(payload: &Value) -> String {
    line("event_msg", payload)
}

pub(crate) fn started(turn_id: &str) -> String {
    event(&json!({"type": "task_started", "turn_id": turn_id}))
}

pub(crate) fn settings(cwd: &str, model: &str) -> String {
    line("turn_context", &json!({"cwd": cwd, "model": model}))
}

pub(crate) fn world_state(full: bool, state: &Value) -> String {
    line("world_state", &json!({"full": full, "state": state}))
}

/// Puts the ordinal into a line, as the reference does.
pub(crate) fn with_ordinal(line: &str, ordinal: &str) -> String {
    line.replacen(r#","timestamp""#, &format!(r#","ordinal":{ordinal},"timestamp""#), 1).replacen(
        r#"{"payload""#,
        &format!(r#"{{"ordinal":{ordinal},"payload""#),
        1,
    )
}

pub(crate) fn rollout(lines: &[String]) -> String {
    lines.iter().flat_map(|line| [line.as_str(), "\n"]).collect()
}
