//! What must hold when one program goes on with what the other recorded.

#![expect(clippy::disallowed_methods, reason = "a crossing changes its own tree")]

use std::path::Path;

use libtest_mimic::Failed;
use recto_core::rollout::{Record, RolloutReader};
use recto_core::testing::Reply;
use serde_json::{Value, json};

use super::scene::{OURS, Scene, replayed};
use crate::support::{Answer, message};

pub(super) type Hold = fn(&Scene) -> Result<(), Failed>;

/// The cases by their names.
pub(super) const CASES: &[(&str, Hold)] = &[
    ("we_send_what_the_reference_recorded_as_it_does", we_go_on_with_theirs),
    ("the_reference_sends_what_we_recorded_and_we_go_on_again", they_go_on_with_ours),
    ("the_reference_goes_on_with_a_fork_of_ours", they_go_on_with_our_fork),
    ("files_of_the_reference_go_through_byte_for_byte", files_go_through),
];

const FORK: &str = "00000000-0000-7000-8000-000000000002";

fn block_on<T>(work: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().build();
    runtime.expect("a runtime needs nothing special").block_on(work)
}

/// Three turns of the reference: thoughts and a call, an edited file, a plain answer.
fn record_theirs(scene: &Scene) -> Result<(), Failed> {
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

fn we_go_on_with_theirs(scene: &Scene) -> Result<(), Failed> {
    record_theirs(scene)?;
    let recorded = replayed(&scene.rollout("home")).items.len();
    // Two messages of context, three of the first turn and its call and output, an update, two of the second turn.
    if recorded != 10 {
        return Err(format!("{recorded} items were recorded").into());
    }
    let ours = block_on(async {
        let mut fork = scene.fork(FORK, Vec::new()).await;
        let request = fork.say("three").await;
        fork.end().await;
        request
    });
    let theirs = scene.reference("home", &["resume", "--last", "three"])?.remove(0);
    // Theirs begins with the base instructions, which are a field of their own in ours.
    same(&ours[..recorded], &theirs[1..=recorded])?;
    same(&ours[ours.len() - 1..], &theirs[theirs.len() - 1..])?;
    let told = told_again(&ours[recorded..ours.len() - 1]);
    let is_known = |text: &String| !text.contains("AGENTS.md") && !text.contains("<cwd>");
    if told.iter().all(is_known) { Ok(()) } else { Err(format!("told again: {told:#?}").into()) }
}

fn they_go_on_with_ours(scene: &Scene) -> Result<(), Failed> {
    let script = vec![
        vec![Reply::Call("call_1", "tool", "{}")],
        vec![Reply::Message("done \u{1f600}"), Reply::Usage(200)],
    ];
    let ours = block_on(async {
        let mut ours = scene.begin(script).await;
        ours.say("one").await;
        write(&scene.tree.path("repo/AGENTS.md"), "EDITED\n");
        ours.say("two").await;
        let prompt = ours.session.prompt();
        ours.end().await;
        wire(&prompt.input)
    });
    let before = read(scene);
    let theirs = scene.reference("home", &["resume", OURS, "three"])?.remove(0);
    same(&ours, &theirs[1..=ours.len()])?;
    is_user_text(theirs.last(), "three")?;
    let after = read(scene);
    if !after.starts_with(&before) {
        return Err("what was recorded before was changed".into());
    }
    let session = replayed(&scene.rollout("home"));
    if session.faults.total() > 0 {
        return Err(format!("{:?}", session.faults).into());
    }
    let again = block_on(async {
        let mut ours = scene.resume("home", Vec::new()).await;
        let request = ours.say("four").await;
        ours.end().await;
        request
    });
    same(&again[..ours.len()], &ours)?;
    is_user_text(again.last(), "four")?;
    let texts = again.iter().filter(|item| is_user_text(Some(item), "three").is_ok()).count();
    if texts != 1 {
        return Err(format!("their turn is there {texts} times").into());
    }
    let sent = session.items.len();
    let theirs = scene.reference("home", &["resume", OURS, "five"])?.remove(0);
    same(&again, &theirs[1..=again.len()])?;
    if sent > again.len() {
        return Err("items were lost".into());
    }
    Ok(())
}

fn they_go_on_with_our_fork(scene: &Scene) -> Result<(), Failed> {
    record_theirs(scene)?;
    let ours = block_on(async {
        let mut fork = scene.fork(FORK, Vec::new()).await;
        fork.say("three").await;
        let prompt = fork.session.prompt();
        fork.end().await;
        wire(&prompt.input)
    });
    let theirs = scene.reference("own", &["resume", FORK, "four"])?.remove(0);
    same(&ours, &theirs[1..=ours.len()])
}

fn files_go_through(scene: &Scene) -> Result<(), Failed> {
    record_theirs(scene)?;
    let bytes = read(scene);
    let mut copy = String::new();
    let mut reader = RolloutReader::new(bytes.as_bytes());
    while let Some(record) = reader.next_record()? {
        match record {
            Record::Line(_, line) => copy = copy + line.text() + "\n",
            Record::Fault(fault) => return Err(format!("{fault:?}").into()),
        }
    }
    if copy == bytes { Ok(()) } else { Err("the copy has other bytes".into()) }
}

/// The first item in which two requests differ, but for ids that no server issued and members that are null.
fn same(ours: &[Value], theirs: &[Value]) -> Result<(), Failed> {
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

fn wire<'a>(items: impl IntoIterator<Item = &'a recto_protocol::Item>) -> Vec<Value> {
    let parse = |text: &str| serde_json::from_str(text).expect("an item is JSON");
    items.into_iter().map(|item| parse(&item.wire_json())).collect()
}

/// The texts of messages that tell the world's state.
fn told_again(items: &[Value]) -> Vec<String> {
    let parts = items.iter().flat_map(|item| item["content"].as_array().into_iter().flatten());
    parts.filter_map(|part| part["text"].as_str().map(str::to_owned)).collect()
}

fn is_user_text(item: Option<&Value>, text: &str) -> Result<(), Failed> {
    match item {
        Some(item) if item["role"] == "user" && item["content"][0]["text"] == text => Ok(()),
        other => Err(format!("expected {text:?}, found {other:?}").into()),
    }
}

fn read(scene: &Scene) -> String {
    let chain = scene.rollout("home");
    let path = &chain.parts().last().expect("a chain has a file").path;
    crate::read(path)
}

fn write(path: &Path, text: &str) {
    std::fs::write(path, text).expect("the tree is ours");
}
