//! What crossings are made of: what is recorded, and how requests compare.

#![expect(clippy::disallowed_methods, reason = "a crossing changes its own tree")]

use std::path::Path;

use libtest_mimic::Failed;
use serde_json::{Value, json};

use super::scene::Scene;
use crate::support::{Answer, message};

pub(super) fn block_on<T>(work: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().build();
    runtime.expect("a runtime needs nothing special").block_on(work)
}

/// Three turns of the reference: thoughts and a call, an edited file, a plain answer.
pub(super) fn record_theirs(scene: &Scene) -> Result<(), Failed> {
    scene.server.then(Answer::of([
        json!({"type": "reasoning", "id": "rs_1", "summary": [{"type": "summary_text", "text": "hm"}], "encrypted_content": "SEALED"}),
        json!({"type": "function_call", "id": "fc_1", "name": "exec_command", "call_id": "call_1", "arguments": r#"{"cmd":"echo hi"}"#}),
    ]));
    scene.server.then(Answer::of([message("msg_1", "first \u{1f600}")]));
    scene.reference("home", &["one"])?;
    write(&scene.tree.path("repo/AGENTS.md"), "EDITED\n");
    scene.reference("home", &["resume", "--last", "two"])?;
    Ok(())
}

/// The first item in which two requests differ, but for ids that no server issued and members that are null.
pub(super) fn same(ours: &[Value], theirs: &[Value]) -> Result<(), Failed> {
    for at in 0..ours.len().max(theirs.len()) {
        let (ours, theirs) = (ours.get(at).map(essence), theirs.get(at).map(essence));
        if ours != theirs {
            return Err(format!("item {at}\n  ours:   {ours:?}\n  theirs: {theirs:?}").into());
        }
    }
    Ok(())
}

fn essence(item: &Value) -> Value {
    let mut item = item.clone();
    if let Value::Object(members) = &mut item {
        members.retain(|name, value| name != "id" && !value.is_null());
    }
    item
}

pub(super) fn wire<'a>(items: impl IntoIterator<Item = &'a recto_protocol::Item>) -> Vec<Value> {
    let parse = |text: &str| serde_json::from_str(text).expect("an item is JSON");
    items.into_iter().map(|item| parse(&item.wire_json())).collect()
}

/// The texts of messages that tell the world's state.
pub(super) fn told_again(items: &[Value]) -> Vec<String> {
    let parts = items.iter().flat_map(|item| item["content"].as_array().into_iter().flatten());
    parts.filter_map(|part| part["text"].as_str().map(str::to_owned)).collect()
}

/// Whether none of these texts tells what the other program had told already.
pub(super) fn is_known(told: &[String]) -> Result<(), Failed> {
    let is_known = |text: &String| !text.contains("AGENTS.md") && !text.contains("<cwd>");
    if told.iter().all(is_known) { Ok(()) } else { Err(format!("told again: {told:#?}").into()) }
}

pub(super) fn is_user_text(item: Option<&Value>, text: &str) -> Result<(), Failed> {
    match item {
        Some(item) if item["role"] == "user" && item["content"][0]["text"] == text => Ok(()),
        other => Err(format!("expected {text:?}, found {other:?}").into()),
    }
}

pub(super) fn read(scene: &Scene) -> String {
    let chain = scene.rollout("home");
    let path = &chain.parts().last().expect("a chain has a file").path;
    crate::read(path)
}

pub(super) fn write(path: &Path, text: &str) {
    std::fs::write(path, text).expect("the tree is ours");
}

/// Whether a text stands in so many items of a request.
pub(super) fn told_in(items: &[Value], text: &str, times: usize) -> Result<(), Failed> {
    let parts = told_again(items);
    let found = parts.iter().filter(|part| part.contains(text)).count();
    if found == times { Ok(()) } else { Err(format!("{text:?} {found} times: {parts:#?}").into()) }
}
