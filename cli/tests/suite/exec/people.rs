//! What people see of a turn.

use insta::assert_snapshot;

use serde_json::json;

use super::served::{Served, begun, call, delta, thought};
use crate::support::{Answer, message};

#[test]
fn the_answer_goes_to_standard_output_and_the_rest_to_standard_error() {
    let served = Served::new();
    served.server.then(Answer::of([thought("Let me see."), message("msg_1", "It is 42.")]));
    assert_snapshot!(served.run(&["exec", "what is it?"]).to_string(), @"
    status: 0
    ----- stdout -----
    It is 42.

    ----- stderr -----
    session $ID
      model gpt-5.5 from local, in $ROOT/repo
     thinks Let me see.
     tokens 100: 100 read, 0 of them from the cache; 0 written
    ");
}

#[test]
fn a_message_is_written_once_however_it_comes() {
    let served = Served::new();
    let before = vec![delta("It "), delta("is 42")];
    served.server.then(Answer { before, ..Answer::of([message("msg_1", "It is 42.\n")]) });
    assert_eq!(served.run(&["exec", "what is it?"]).stdout, "It is 42.\n");
}

#[test]
fn each_message_is_a_line_and_what_stands_beside_the_answer_is_no_part_of_it() {
    let served = Served::new();
    let says = |id, text, phase| {
        let mut item = message(id, text);
        item["phase"] = json!(phase);
        item
    };
    let (aside, first) =
        (says("msg_1", "I look.", "commentary"), says("msg_2", "It is", "final_answer"));
    let before = vec![
        begun(&aside),
        delta("I "),
        delta("look."),
        begun(&first),
        delta("It is"),
        begun(&message("msg_3", "")),
        delta("4"),
    ];
    let items = [aside, first, message("msg_3", "42.")];
    served.server.then(Answer { before, ..Answer::of(items) });
    assert_snapshot!(served.run(&["exec", "what is it?"]).to_string(), @"
    status: 0
    ----- stdout -----
    It is
    42.

    ----- stderr -----
    session $ID
      model gpt-5.5 from local, in $ROOT/repo
    I look.
     tokens 100: 100 read, 0 of them from the cache; 0 written
    ");
}

#[test]
fn an_answer_that_breaks_off_begins_anew_on_a_line_of_its_own() {
    let served = Served::new();
    let failed = json!({"type": "response.failed", "response": {"error": {"code": "server_error", "message": "boom"}}});
    let torn =
        || Answer { before: vec![delta("It is 4"), failed.to_string()], ..Answer::default() };
    let again = ["-c", "model_providers.local.stream_max_retries=1"];
    served.server.then(torn());
    served.server.then(Answer::of([message("msg_1", "It is 42.")]));
    let run = served.run(&[&["exec"], &again[..], &["what is it?"]].concat());
    assert_snapshot!(run.to_string(), @"
    status: 0
    ----- stdout -----
    It is 4
    It is 42.

    ----- stderr -----
    session $ID
      model gpt-5.5 from local, in $ROOT/repo
    warning: the model's server failed: boom (server_error); asking again in 0.2 s
     tokens 100: 100 read, 0 of them from the cache; 0 written
    ");
    served.server.then(torn());
    let run = served.run(&[&["exec", "--json"], &again[..], &["what is it?"]].concat());
    let errors: Vec<&str> = run.stdout.lines().filter(|it| it.contains("boom")).collect();
    assert_snapshot!(errors.join("\n"), @r#"{"type":"error","message":"the model's server failed: boom (server_error); asking again in 0.2 s"}"#);
}

#[test]
fn a_prompt_that_a_hook_keeps_back_ends_the_turn_with_its_reason() {
    let served = Served::with_config(
        "[[hooks.UserPromptSubmit]]\n[[hooks.UserPromptSubmit.hooks]]\ntype = \"command\"\n\
         command = \"echo not today >&2; exit 2\"\n",
    );
    assert_snapshot!(served.run(&["exec", "hi"]).to_string(), @"
    status: 1
    ----- stderr -----
    session $ID
      model gpt-5.5 from local, in $ROOT/repo
    error: a hook ended the turn: not today
    ");
    assert_eq!(served.bodies().len(), 0);
}

#[test]
fn calls_are_told_with_what_they_gave() {
    let served = Served::new();
    let calls = call("call_1", "mcp__files__read", r#"{"path":"a.txt"}"#);
    served.server.then(Answer::of([message("msg_1", "I look."), calls]));
    served.server.then(Answer::of([message("msg_2", "Nothing.")]));
    assert_snapshot!(served.run(&["exec", "look"]).to_string(), @r#"
    status: 0
    ----- stdout -----
    I look.
    Nothing.

    ----- stderr -----
    session $ID
      model gpt-5.5 from local, in $ROOT/repo
      calls files/read {"path":"a.txt"}
        got files/read, 34 bytes: unsupported call: mcp__files__read
     tokens 200: 200 read, 0 of them from the cache; 0 written
    "#);
}

#[test]
fn a_session_goes_on() {
    let served = Served::new();
    served.run(&["exec", "one"]);
    served.server.then(Answer::of([message("msg_1", "two it is")]));
    assert_snapshot!(served.run(&["resume", "--last", "two"]).to_string(), @"
    status: 0
    ----- stdout -----
    two it is

    ----- stderr -----
    session $ID
      model gpt-5.5 from local, in $ROOT/repo
     tokens 100: 100 read, 0 of them from the cache; 0 written
    ");
    let bodies = served.bodies();
    let (first, second) = (bodies[0]["input"].to_string(), bodies[1]["input"].to_string());
    assert_eq!(second.strip_prefix(first.trim_end_matches(']')).map(|rest| &rest[..1]), Some(","));
    assert_eq!(bodies[0]["prompt_cache_key"], bodies[1]["prompt_cache_key"]);
}
