//! The events of `--json`.

use libtest_mimic::Failed;
use serde_json::{Value, json};

use super::scene::{Scene, call};
use crate::support::{Answer, message};

/// Members whose values are names, and compared.
const NAMES: [&str; 5] = ["type", "status", "server", "tool", "id"];

/// Members that one of the two has alone; docs/compatibility.md tells why.
const THEIRS_ALONE: [&str; 1] = ["cache_write_input_tokens"];

/// The same answers make both print events of the same types with the same members, in the same order.
pub(super) fn events_are_named_alike(scene: &Scene) -> Result<(), Failed> {
    let thought = json!({
        "type": "reasoning", "id": "rs_1", "encrypted_content": "SEALED",
        "summary": [{"type": "summary_text", "text": "one"}, {"type": "summary_text", "text": "two"}],
    });
    let scripts = [
        ("an answer", vec![Answer::of([thought, message("msg_1", "It is 42.")])], vec![]),
        ("a call", vec![Answer::of([call("call_1", "read")])], vec![]),
        ("a failed call", vec![Answer::of([call("call_1", "bad")])], vec![]),
        ("two messages", vec![Answer::of([message("msg_1", "a"), message("msg_2", "b")])], vec![]),
        ("a refusal", vec![refused()], vec![]),
        ("an unknown model", vec![], vec!["-m", "some-model"]),
    ];
    for (name, answers, more) in scripts {
        let words: Vec<&str> = ["--json"].into_iter().chain(more).chain(["go"]).collect();
        let theirs = scene.theirs(&words, &answers);
        let ours = scene.ours(&[&["exec"], &*words].concat(), &answers);
        if ours.status != theirs.status {
            return Err(format!("{name}: {:?}, theirs {:?}", ours.status, theirs.status).into());
        }
        // Tools that are left out are told by us alone.
        let is_ours_alone = |event: &&Value| {
            let message = event["item"]["message"].as_str().unwrap_or_default();
            message.starts_with("the MCP server")
        };
        let ours: Vec<Value> =
            ours.events.iter().filter(|it| !is_ours_alone(it)).map(shape).collect();
        let theirs: Vec<Value> = theirs.events.iter().map(shape).collect();
        if ours != theirs {
            return Err(format!("{name}:\nours   {ours:#?}\ntheirs {theirs:#?}").into());
        }
    }
    Ok(())
}

fn refused() -> Answer {
    let body = json!({"error": {"message": "no such thing", "code": "bad"}}).to_string();
    Answer { status: "400 Bad Request", body: Some(body), ..Answer::default() }
}

/// A value with its names, and with the kinds of all else.
fn shape(value: &Value) -> Value {
    match value {
        Value::Object(members) => members
            .iter()
            .filter(|(name, _)| !THEIRS_ALONE.contains(&name.as_str()))
            .map(|(name, value)| {
                let is_name = NAMES.contains(&name.as_str()) && value.is_string();
                // Items of a warning that the other does not give shift the numbers.
                let shaped = if is_name && name != "id" { value.clone() } else { shape(value) };
                (name.clone(), shaped)
            })
            .collect(),
        Value::Array(_) => json!("a list"),
        Value::String(_) => json!("a text"),
        Value::Number(_) => json!("a number"),
        other => other.clone(),
    }
}
