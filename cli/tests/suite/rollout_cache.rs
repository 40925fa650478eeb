//! `recto rollout show --cache`: what each request has of the one before, and why it has not all of it.

use pretty_assertions::assert_eq;
use serde_json::{Value, json};

use super::command::{Recto, cli_snapshot};
use super::rollouts::{FIRST, line, message, meta, of_reference, write};

/// A tree with a session beside it.
fn with_file(lines: impl Fn(&Recto) -> String) -> Recto {
    let recto = Recto::in_tree("//- repo/.git/HEAD\n//- cwd: repo\n");
    let lines = lines(&recto);
    write(&recto, "session.jsonl", lines);
    recto
}

fn document(recto: &Recto) -> Value {
    let run = recto.run(&["rollout", "show", "../session.jsonl", "--cache", "--json"]);
    serde_json::from_str(&run.stdout).unwrap_or_else(|_| panic!("{run}"))
}

fn world(second: usize, full: bool, text: &str) -> String {
    let state = format!(r#"{{"full":{full},"state":{{"agents_md":{{"text":"{text}"}}}}}}"#);
    line(second, "world_state", &state)
}

#[test]
fn a_compaction_breaks_off_and_the_first_item_that_differs_is_named() {
    let recto = with_file(|recto| of_reference(recto, "compaction.jsonl"));
    cli_snapshot!(recto, "rollout", "show", "../session.jsonl", "--cache");
}

#[test]
fn another_model_has_nothing_in_its_cache() {
    let recto = with_file(|recto| of_reference(recto, "model_switch.jsonl"));
    cli_snapshot!(recto, "rollout", "show", "../session.jsonl", "--cache");
}

#[test]
fn turns_without_a_break_keep_all_and_calls_are_requests_of_their_own() {
    let recto = with_file(|recto| of_reference(recto, "tool_calls.jsonl"));
    cli_snapshot!(recto, "rollout", "show", "../session.jsonl", "--cache", "--turn", "1");
    let requests = document(&recto)["requests"].as_array().expect("it is a list").clone();
    assert_eq!(requests.len(), 9);
    for pair in requests.windows(2) {
        let kept = &pair[1]["kept"];
        assert_eq!((&kept["bytes"], &kept["broken"]), (&pair[0]["bytes"], &Value::Null));
    }
}

#[test]
fn a_rollback_breaks_off_and_tells_the_field_that_was_told_otherwise() {
    let recto = with_file(|_| {
        [
            meta(FIRST, "/t"),
            world(1, true, "one"),
            message(1, "user", "<environment_context>\\n</environment_context>"),
            message(2, "user", "first"),
            message(3, "assistant", "a"),
            world(4, false, "twotwo"),
            message(5, "user", "second"),
            message(6, "assistant", "b"),
            line(7, "event_msg", r#"{"type":"thread_rolled_back","num_turns":1}"#),
            world(8, false, "three"),
            message(9, "user", "third"),
            message(10, "assistant", "c"),
        ]
        .concat()
    });
    cli_snapshot!(recto, "rollout", "show", "../session.jsonl", "--cache");
    let third = &document(&recto)["requests"][2];
    assert_eq!(third["kept"]["broken"]["causes"], json!([{"type": "taken_back", "turns": 1}]));
    assert_eq!(
        third["kept"]["broken"]["state"],
        json!([{"section": "agents_md", "before": {"text": "twotwo"}, "after": {"text": "three"}}])
    );
}

#[test]
fn a_session_without_an_answer_has_no_request() {
    let recto = with_file(|_| meta(FIRST, "/t") + &message(1, "user", "hello"));
    cli_snapshot!(recto, "rollout", "show", "../session.jsonl", "--cache");
}
