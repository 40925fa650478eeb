//! Calls: how they find their tool, how they end, what is told when they do not.

#![expect(clippy::disallowed_methods, reason = "a log tells what a server heard")]
#![expect(clippy::unwrap_used, reason = "what goes wrong in a helper of a test fails the test")]

use std::task::{Context, Waker};
use std::time::Duration;

use pretty_assertions::assert_eq;
use recto_core::tools::mcp::McpTools;
use recto_core::tools::{ToolCall, ToolHandler, tool_call};
use recto_protocol::{ContentItem, Item, OutputPayload};
use serde_json::{Value, json};

use super::child::{options, ready, server, text, told, tool};

/// A call of a function, as a model writes it.
pub(super) fn function_call(namespace: Option<&str>, name: &str, arguments: &str) -> ToolCall {
    let mut call = json!({
        "type": "function_call", "call_id": "c", "name": name, "arguments": arguments,
    });
    if let Some(namespace) = namespace {
        call["namespace"] = json!(namespace);
    }
    tool_call(&Item::from_json(&call.to_string()).unwrap().decoded()).unwrap()
}

/// The texts of an output behind the line with the time.
pub(super) fn texts(output: OutputPayload) -> Vec<String> {
    let texts: Vec<String> = match output {
        OutputPayload::Text(text) => text.splitn(3, '\n').map(str::to_owned).collect(),
        OutputPayload::Content(parts) => {
            parts.iter().filter_map(ContentItem::text).map(str::to_owned).collect()
        }
    };
    match texts.split_first() {
        Some((head, rest)) if head.starts_with("Wall time: ") => rest.to_vec(),
        _ => texts,
    }
}

async fn said(tools: &McpTools, name: &str, arguments: &str) -> Vec<String> {
    texts(tools.call(&function_call(None, name, arguments)).await)
}

#[tokio::test]
async fn a_call_finds_its_tool_in_either_shape() {
    let part = json!({ "tools": [tool("t")], "calls": { "t": text("hello") } });
    let (tools, _events, _) = ready(&[server("s", &part)], options()).await;
    for (namespace, name) in [(None, "mcp__s__t"), (Some("mcp__s"), "t")] {
        let output = tools.call(&function_call(namespace, name, "{}")).await;
        assert_eq!(texts(output), ["hello"], "{namespace:?} {name}");
    }
    for (namespace, name) in [(None, "t"), (Some("mcp__s"), "mcp__s__t"), (Some("mcp__z"), "t")] {
        let output = tools.call(&function_call(namespace, name, "{}")).await;
        assert_eq!(output, OutputPayload::Text(format!("unsupported call: {name}")));
    }
}

#[tokio::test]
async fn arguments_that_are_no_object_are_told_to_the_model() {
    let part = json!({ "tools": [tool("t")], "calls": { "t": text("hello") } });
    let (tools, _events, _) = ready(&[server("s", &part)], options()).await;
    let failed = "tool call error: tool call failed for `s/t`\n\nCaused by:\n    ";
    assert_eq!(said(&tools, "mcp__s__t", " ").await, ["hello"]);
    assert_eq!(
        said(&tools, "mcp__s__t", "[1]").await,
        [format!("{failed}MCP tool arguments must be a JSON object, got [1]")]
    );
    let [told] = &said(&tools, "mcp__s__t", "{").await[..] else { panic!() };
    assert!(told.starts_with(&format!("{failed}the arguments are not JSON: ")), "{told}");
}

#[tokio::test]
async fn an_error_of_the_server_is_told_to_the_model() {
    let part = json!({
        "tools": [tool("t")],
        "calls": { "t": { "error": { "code": -32602, "message": "no", "data": { "x": 1 } } } },
    });
    let (tools, _events, _) = ready(&[server("s", &part)], options()).await;
    assert_eq!(
        said(&tools, "mcp__s__t", "{}").await,
        [
            "tool call error: tool call failed for `s/t`\n\nCaused by:\n    Mcp error: -32602: no({\"x\":1})"
        ]
    );
}

#[tokio::test]
async fn a_call_that_takes_too_long_is_cancelled() {
    let log = tempfile::NamedTempFile::new().unwrap();
    let part = json!({
        "tools": [tool("slow"), tool("t")], "calls": { "slow": "hang" }, "log": log.path(),
    });
    let mut server = server("s", &part);
    server.tool_timeout = Some(Duration::from_secs(1));
    let (tools, mut events, _) = ready(&[server], options()).await;
    assert_eq!(
        said(&tools, "mcp__s__slow", "{}").await,
        [
            "tool call error: tool call failed for `s/slow`\n\nCaused by:\n    timed out awaiting tools/call after 1s"
        ]
    );
    // The next answer shows that the server heard what was sent before.
    said(&tools, "mcp__s__t", "{}").await;
    assert_eq!(cancelled(log.path()), 1);
    assert_eq!(
        told(&mut events),
        ["the call \"c\" failed: timed out awaiting tools/call after 1s"]
    );
}

fn cancelled(log: &std::path::Path) -> usize {
    let log = std::fs::read_to_string(log).unwrap();
    log.lines().filter(|it| it.starts_with("\"notifications/cancelled\"")).count()
}

#[tokio::test]
async fn a_call_that_is_dropped_is_cancelled() {
    let log = tempfile::NamedTempFile::new().unwrap();
    let part = json!({
        "tools": [tool("slow"), tool("t")], "calls": { "slow": "hang" }, "log": log.path(),
    });
    let (tools, _events, _) = ready(&[server("s", &part)], options()).await;
    let call = function_call(None, "mcp__s__slow", "{}");
    let mut running = tools.call(&call);
    assert!(running.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
    said(&tools, "mcp__s__t", "{}").await;
    drop(running);
    said(&tools, "mcp__s__t", "{}").await;
    assert_eq!(cancelled(log.path()), 1);
}

#[tokio::test]
async fn a_server_that_dies_fails_its_calls_and_is_told_once() {
    let part = json!({ "tools": [tool("t"), tool("deadly")], "calls": { "deadly": "die" } });
    let other = json!({ "tools": [tool("t")], "calls": { "t": text("hello") } });
    let (tools, mut events, _) =
        ready(&[server("s", &part), server("other", &other)], options()).await;
    let died = "Caused by:\n    the server ended: it exited with code 3; its last words: no more[31m | of this";
    for name in ["deadly", "t"] {
        let [said] = &said(&tools, &format!("mcp__s__{name}"), "{}").await[..] else { panic!() };
        assert!(said.ends_with(died), "{said}");
    }
    assert_eq!(said(&tools, "mcp__other__t", "{}").await, ["hello"]);
    assert_eq!(tools.definitions().len(), 3, "requests keep their prefix");
    assert_eq!(
        told(&mut events),
        [
            "the MCP server \"s\" ended; its tools fail from now on: it exited with code 3; its last words: no more[31m | of this",
            "the call \"c\" failed: the server ended: it exited with code 3; its last words: no more[31m | of this",
            "the call \"c\" failed: the server ended: it exited with code 3; its last words: no more[31m | of this"
        ]
    );
}

#[tokio::test]
async fn what_a_server_asks_is_answered_with_a_refusal() {
    let cases: [(&str, Value, &str); 4] = [
        (
            "elicitation/create",
            json!({ "message": "?", "requestedSchema": { "type": "object", "properties": {} } }),
            r#"{"action":"decline"}"#,
        ),
        ("sampling/createMessage", json!({ "messages": [], "maxTokens": 1 }), "-32601"),
        ("roots/list", Value::Null, r#"{"roots":[]}"#),
        ("something/else", json!({}), "-32601"),
    ];
    for (method, params, expected) in cases {
        let part = json!({ "tools": [tool("t")], "calls": { "t": method }, "params": params });
        let (tools, _events, _) = ready(&[server("s", &part)], options()).await;
        let [said] = &said(&tools, "mcp__s__t", "{}").await[..] else { panic!() };
        assert!(said.contains(expected), "{method}: {said}");
    }
}

#[tokio::test]
async fn another_list_of_tools_is_told_once_and_changes_nothing() {
    let part = json!({ "tools": [tool("t")], "news": true });
    let (tools, mut events, _) = ready(&[server("s", &part)], options()).await;
    for _ in 0..3 {
        assert_eq!(said(&tools, "mcp__s__t", "{}").await, ["news"]);
    }
    assert_eq!(tools.definitions().len(), 1);
    assert_eq!(
        told(&mut events),
        [
            "the MCP server \"s\" says that it has other tools now; this session goes on with those of its start"
        ]
    );
}

#[tokio::test]
async fn an_error_without_end_is_cut_like_an_output() {
    let error = json!({ "error": { "code": -1, "message": "no ".repeat(30_000) } });
    let part = json!({ "tools": [tool("t")], "calls": { "t": error } });
    let (tools, mut events, _) = ready(&[server("s", &part)], options()).await;
    let [said] = &said(&tools, "mcp__s__t", "{}").await[..] else { panic!() };
    assert!(said.len() < 49_000 && said.contains("tokens truncated"), "{}", said.len());
    assert_eq!(told(&mut events).len(), 2, "the cut, and that the call failed");
}

#[tokio::test]
async fn calls_that_only_read_run_side_by_side_and_others_do_not() {
    let mut writing = tool("w");
    writing["annotations"] = json!({});
    let part = json!({
        "tools": [tool("slow"), tool("t"), writing],
        "calls": { "slow": "hang", "t": text("read"), "w": text("written") },
    });
    let mut server = server("s", &part);
    server.tool_timeout = Some(Duration::from_secs(2));
    let mut options = options();
    options.allow = vec!["s/w".to_owned()];
    let (tools, _events, _) = ready(&[server], options).await;
    let order = std::sync::Mutex::new(Vec::new());
    let run = async |name: &str| {
        said(&tools, &format!("mcp__s__{name}"), "{}").await;
        order.lock().unwrap().push(name.to_owned());
    };
    tokio::join!(run("slow"), run("w"), run("t"));
    let order = order.into_inner().unwrap();
    assert_eq!(order, ["slow", "w", "t"], "a call that may write is alone, in its place");
    let order = std::sync::Mutex::new(Vec::new());
    let run = async |name: &str| {
        said(&tools, &format!("mcp__s__{name}"), "{}").await;
        order.lock().unwrap().push(name.to_owned());
    };
    tokio::join!(run("slow"), run("t"));
    assert_eq!(order.into_inner().unwrap(), ["t", "slow"]);
}
