//! A turn with the tools of an MCP server.

use insta::assert_snapshot;
use pretty_assertions::assert_eq;
use rustix::process::Signal;
use serde_json::Value;

use super::served::{call, with_tools};
use super::stop::{end, lines, send, start, texts_after, wait_for};
use crate::support::{Answer, message};

fn tool_names(body: &Value) -> Vec<&str> {
    let tools = body["tools"].as_array().into_iter().flatten();
    tools.filter_map(|tool| tool["name"].as_str()).collect()
}

#[test]
fn tools_that_only_read_are_offered_and_called() {
    let (served, _) = with_tools();
    let calls = [call("call_1", "mcp__files__read", "{}"), call("call_2", "mcp__files__bad", "{}")];
    served.server.then(Answer::of(calls));
    served.server.then(Answer::of([message("msg_1", "There.")]));
    let run = served.run(&["exec", "--json", "look"]);
    let bodies = served.bodies();
    assert_eq!(tool_names(&bodies[0]), ["mcp__files__bad", "mcp__files__read", "mcp__files__slow"]);
    assert_snapshot!(without_times(&run.to_string()), @r#"
    status: 0
    ----- stdout -----
    {"type":"thread.started","thread_id":"$ID"}
    {"type":"item.completed","item":{"id":"item_0","type":"error","message":"the MCP server \"files\" does not say that these tools only read, so they are left out: write; to allow one: --allow-tools files/write"}}
    {"type":"turn.started"}
    {"type":"item.started","item":{"id":"item_1","type":"mcp_tool_call","server":"files","tool":"read","arguments":{},"result":null,"error":null,"status":"in_progress"}}
    {"type":"item.started","item":{"id":"item_2","type":"mcp_tool_call","server":"files","tool":"bad","arguments":{},"result":null,"error":null,"status":"in_progress"}}
    {"type":"item.completed","item":{"id":"item_1","type":"mcp_tool_call","server":"files","tool":"read","arguments":{},"result":{"content":[{"text":"read is done","type":"text"}],"structured_content":null},"error":null,"status":"completed"}}
    {"type":"item.completed","item":{"id":"item_2","type":"mcp_tool_call","server":"files","tool":"bad","arguments":{},"result":{"content":[{"text":"it broke","type":"text"}],"structured_content":null},"error":null,"status":"failed"}}
    {"type":"item.completed","item":{"id":"item_3","type":"agent_message","text":"There."}}
    {"type":"turn.completed","usage":{"input_tokens":200,"cached_input_tokens":0,"output_tokens":0,"reasoning_output_tokens":0}}
    "#);
}

/// Takes the digits of wall times out.
fn without_times(text: &str) -> String {
    let mut parts = text.split("Wall time: ");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| {
        text + "Wall time: $TIME"
            + part.trim_start_matches(|it: char| it.is_ascii_digit() || it == '.')
    })
}

#[test]
fn a_tool_that_may_write_has_to_be_allowed() {
    let (served, calls) = with_tools();
    let write = || Answer::of([call("call_1", "mcp__files__write", "{}")]);
    served.server.then(write());
    let refused = served.run(&["exec", "write"]);
    assert!(!tool_names(&served.bodies()[0]).contains(&"mcp__files__write"));
    assert_snapshot!(without_times(&refused.stderr), @r#"
    session $ID
      model gpt-5.5 from local, in $ROOT/repo
    warning: the MCP server "files" does not say that these tools only read, so they are left out: write; to allow one: --allow-tools files/write
      calls files/write {}
     failed files/write, 85 bytes: MCP tool call requires approval, and nobody can give it here: `files/write` may write
     tokens 200: 200 read, 0 of them from the cache; 0 written
    "#);
    assert_eq!(lines(&calls), 0);
    served.server.then(write());
    served.run(&["exec", "--allow-tools", "files/write", "write"]);
    assert_eq!(lines(&calls), 1);
}

#[test]
fn a_turn_that_was_killed_in_its_second_call_goes_on() {
    let (served, calls) = with_tools();
    served.server.then(Answer::of([call("call_1", "mcp__files__read", "{}")]));
    served.server.then(Answer::of([call("call_2", "mcp__files__slow", "{}")]));
    let child = start(&served, &["exec", "look twice"]);
    wait_for(|| lines(&calls) == 2);
    send(&child, Signal::KILL);
    end(&served, child);
    let texts = texts_after(&served);
    assert_eq!(texts, ["look twice", "and now?"]);
    let rollout = served.run(&["rollout", "show", "--last"]).stdout;
    assert!(rollout.contains("read is done"), "{rollout}");
}

#[test]
fn a_call_that_is_interrupted_is_answered_in_the_record() {
    let (served, calls) = with_tools();
    served.server.then(Answer::of([call("call_1", "mcp__files__slow", "{}")]));
    let child = start(&served, &["exec", "look"]);
    wait_for(|| lines(&calls) == 1);
    send(&child, Signal::INT);
    assert_eq!(end(&served, child).status, Some(1));
    served.server.take_requests();
    served.run(&["resume", "--last", "on"]);
    let input = served.bodies()[0]["input"].clone();
    let output = input
        .as_array()
        .into_iter()
        .flatten()
        .find(|it| it["call_id"] == "call_1" && it["type"] == "function_call_output");
    assert_eq!(output.map(|it| it["output"].clone()), Some("aborted".into()));
}
