//! What programs see of a turn: the events of `codex exec --json`.

use insta::assert_snapshot;

use super::served::{Served, call, refused, thought};
use crate::support::{Answer, message};

#[test]
fn each_event_is_a_line() {
    let served = Served::new();
    let calls = call("call_1", "mcp__files__read", r#"{"path":"a.txt"}"#);
    served.server.then(Answer::of([thought("Let me see."), calls]));
    served.server.then(Answer::of([message("msg_1", "It is 42.")]));
    assert_snapshot!(served.run(&["exec", "--json", "what is it?"]).to_string(), @r#"
    status: 0
    ----- stdout -----
    {"type":"thread.started","thread_id":"$ID"}
    {"type":"turn.started"}
    {"type":"item.completed","item":{"id":"item_0","type":"reasoning","text":"Let me see."}}
    {"type":"item.started","item":{"id":"item_1","type":"mcp_tool_call","server":"files","tool":"read","arguments":{"path":"a.txt"},"result":null,"error":null,"status":"in_progress"}}
    {"type":"item.completed","item":{"id":"item_1","type":"mcp_tool_call","server":"files","tool":"read","arguments":{"path":"a.txt"},"result":{"content":[{"text":"unsupported call: mcp__files__read","type":"text"}],"structured_content":null},"error":null,"status":"completed"}}
    {"type":"item.completed","item":{"id":"item_2","type":"agent_message","text":"It is 42."}}
    {"type":"turn.completed","usage":{"input_tokens":200,"cached_input_tokens":0,"output_tokens":0,"reasoning_output_tokens":0}}
    "#);
}

#[test]
fn a_turn_that_fails_says_so_twice_as_in_the_reference() {
    let served = Served::new();
    served.server.then(refused("400 Bad Request", "bad", "no such thing"));
    assert_snapshot!(served.run(&["exec", "--json", "what is it?"]).to_string(), @r#"
    status: 1
    ----- stdout -----
    {"type":"thread.started","thread_id":"$ID"}
    {"type":"turn.started"}
    {"type":"error","message":"local refused with 400 Bad Request: no such thing (bad)"}
    {"type":"turn.failed","error":{"message":"local refused with 400 Bad Request: no such thing (bad)"}}
    "#);
}

#[test]
fn usage_is_that_of_the_whole_session() {
    let served = Served::new();
    served.run(&["exec", "--json", "one"]);
    let second = served.run(&["resume", "--json", "--last", "two"]).stdout;
    let last = second.lines().last().unwrap_or_default();
    assert_snapshot!(last, @r#"{"type":"turn.completed","usage":{"input_tokens":200,"cached_input_tokens":0,"output_tokens":0,"reasoning_output_tokens":0}}"#);
}

#[test]
fn warnings_are_items() {
    let served = Served::new();
    let run = served.run(&["exec", "--json", "-m", "some-model", "hi"]);
    assert_snapshot!(run.to_string(), @r#"
    status: 0
    ----- stdout -----
    {"type":"thread.started","thread_id":"$ID"}
    {"type":"item.completed","item":{"id":"item_0","type":"error","message":"the model `some-model` is not known here; what every Responses server takes is assumed; `model_catalog_json` can describe it"}}
    {"type":"turn.started"}
    {"type":"item.completed","item":{"id":"item_1","type":"agent_message","text":"ok"}}
    {"type":"turn.completed","usage":{"input_tokens":100,"cached_input_tokens":0,"output_tokens":0,"reasoning_output_tokens":0}}
    "#);
}
