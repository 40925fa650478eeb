//! How servers start, and what one costs that does not.

use std::time::Duration;

use pretty_assertions::assert_eq;
use recto_core::tools::ToolHandler;
use recto_core::tools::mcp::{McpTools, ToolShape};
use serde_json::{Value, json};
use tokio::sync::mpsc::unbounded_channel;

use super::child::{options, program, ready, server, tool};

fn names(tools: &McpTools) -> Vec<String> {
    tools.definitions().into_iter().map(|it| it.name).collect()
}

#[tokio::test]
async fn tools_are_listed_sorted_and_the_same_each_time() {
    let servers = [
        server("b", &json!({ "tools": [tool("z"), tool("a")] })),
        server("a", &json!({ "pages": [[tool("y")], [tool("x")]] })),
    ];
    let (tools, _events, told) = ready(&servers, options()).await;
    assert_eq!(names(&tools), ["mcp__a__x", "mcp__a__y", "mcp__b__a", "mcp__b__z"]);
    assert_eq!(told, [""; 0]);
    let json = |tools: &McpTools| {
        tools.definitions().iter().map(|it| it.json.get().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(
        json(&tools)[0],
        r#"{"type":"function","name":"mcp__a__x","description":"the x","strict":false,"parameters":{"type":"object","properties":{}}}"#
    );
    let (again, _events, _) = ready(&servers, options()).await;
    assert_eq!(json(&tools), json(&again));
    tools.shutdown().await;
}

#[tokio::test]
async fn in_namespaces_a_server_has_its_own_words() {
    let servers = [server("a", &json!({ "tools": [tool("y"), tool("x")] }))];
    let mut options = options();
    options.shape = ToolShape::Namespaces;
    let (tools, _events, _) = ready(&servers, options).await;
    let json: Value = serde_json::from_str(tools.definitions()[0].json.get()).unwrap();
    assert_eq!(
        (&json["type"], &json["name"], &json["description"], &json["tools"][0]["name"]),
        (&json!("namespace"), &json!("mcp__a"), &json!("Use it so."), &json!("x"))
    );
}

#[tokio::test]
async fn a_server_that_fails_costs_its_own_tools_and_is_told() {
    let mut slow = server("slow", &json!({ "initialize": "hang" }));
    slow.startup_timeout = Some(Duration::from_millis(300));
    let mut babbling = server("babbling", &json!({ "initialize": "babble" }));
    babbling.startup_timeout = Some(Duration::from_millis(300));
    let mut off = server("off", &json!({ "tools": [tool("t")] }));
    off.is_enabled = false;
    let servers = [
        slow,
        babbling,
        off,
        server("dying", &json!({ "initialize": "die" })),
        server("listless", &json!({ "list": "die" })),
        server("lying", &json!({ "list": { "result": { "tools": 7 } } })),
        server("refusing", &json!({ "list": { "error": { "code": -1, "message": "not today" } } })),
        program("missing", "/nowhere/at/all", &[]),
        server("good", &json!({ "tools": [tool("t")] })),
    ];
    let (tools, _events, told) = ready(&servers, options()).await;
    assert_eq!(names(&tools), ["mcp__good__t"]);
    let expected = [
        r#"the MCP server "babbling" did not start; its tools are missing: it was not ready within 300ms"#,
        r#"the MCP server "dying" did not start; its tools are missing: it exited with code 3; its last words: no more[31m | of this"#,
        r#"the MCP server "listless" did not start; its tools are missing: it exited with code 3; its last words: no more[31m | of this"#,
        r#"the MCP server "lying" did not start; its tools are missing: its list of tools is none"#,
        r#"the MCP server "missing" did not start; its tools are missing: /nowhere/at/all: No such file or directory (os error 2)"#,
        r#"the MCP server "refusing" did not start; its tools are missing: its list of tools: Mcp error: -1: not today"#,
        r#"the MCP server "slow" did not start; its tools are missing: it was not ready within 300ms"#,
    ];
    assert_eq!(told, expected);
}

#[tokio::test]
async fn servers_start_side_by_side_and_nobody_waits_for_start() {
    let mut servers = Vec::new();
    for name in ["a", "b", "c", "d", "e", "f", "g", "h"] {
        let mut server = server(name, &json!({ "initialize": "hang" }));
        server.startup_timeout = Some(Duration::from_secs(1));
        servers.push(server);
    }
    let (sender, _events) = unbounded_channel();
    let began = tokio::time::Instant::now();
    let tools = McpTools::start(&servers, options(), sender);
    assert!(tools.definitions().is_empty());
    tools.ready().await.unwrap();
    assert!(began.elapsed() < Duration::from_secs(6), "{:?}", began.elapsed());
}

#[tokio::test]
async fn a_required_server_that_fails_is_an_error_and_the_others_are_there() {
    let mut required = program("needed", "/nowhere/at/all", &[]);
    required.is_required = true;
    let servers = [required, server("good", &json!({ "tools": [tool("t")] }))];
    let (sender, _events) = unbounded_channel();
    let tools = McpTools::start(&servers, options(), sender);
    assert_eq!(
        tools.ready().await.unwrap_err().to_string(),
        "required MCP servers did not start: needed: /nowhere/at/all: No such file or directory (os error 2)"
    );
    assert_eq!(names(&tools), ["mcp__good__t"]);
}

#[tokio::test]
async fn a_tool_that_cannot_be_used_is_left_out_and_told() {
    let mut huge = tool("huge");
    huge["description"] = json!({ "times": 10_000_000 });
    let twin = json!({ "name": "twin", "description": "the second", "inputSchema": {} });
    let part = json!({ "tools": [
        tool("good"),
        { "description": "nameless", "inputSchema": {} },
        { "name": "bare" },
        { "name": "wrong", "inputSchema": "x" },
        tool("twin"),
        twin,
    ] });
    let servers =
        [server("odd", &part), server("huge", &json!({ "tools": [huge, tool("small")] }))];
    let (tools, _events, told) = ready(&servers, options()).await;
    assert_eq!(names(&tools), ["mcp__huge__small", "mcp__odd__good", "mcp__odd__twin"]);
    let left_out = [
        r#"the tool "" of the MCP server "odd" is left out: it has no name"#,
        r#"the tool "bare" of the MCP server "odd" is left out: it does not say what it takes"#,
        r#"the tool "huge" of the MCP server "huge" is left out: it is described in 10000021 bytes, more than 65536"#,
        r#"the tool "twin" of the MCP server "odd" is left out: the server lists it twice; the first counts"#,
        r#"the tool "wrong" of the MCP server "odd" is left out: it does not say what it takes"#,
    ];
    assert_eq!(told, left_out);
}

#[tokio::test]
async fn a_server_that_a_project_brings_is_told() {
    let mut brought = server("brought", &json!({ "tools": [tool("t")] }));
    brought.project = Some("/repo/.codex/config.toml".into());
    let (tools, _events, told) = ready(&[brought], options()).await;
    assert_eq!(names(&tools), ["mcp__brought__t"]);
    assert_eq!(
        told,
        [
            "the MCP server \"brought\" is started as the project's own file says: /repo/.codex/config.toml"
        ]
    );
}

#[tokio::test]
async fn noise_around_the_protocol_does_no_harm() {
    let servers = [server("noisy", &json!({ "tools": [tool("t")], "noise": true }))];
    let (tools, _events, told) = ready(&servers, options()).await;
    assert_eq!((names(&tools), told), (vec!["mcp__noisy__t".to_owned()], vec![]));
}

#[tokio::test]
async fn a_list_without_end_is_cut_and_told() {
    let many: Vec<Value> = (0..600).map(|at| tool(&format!("t{at}"))).collect();
    let pages: Vec<Value> = (0..2).map(|at| json!([tool(&format!("p{at}"))])).collect();
    let servers = [
        server("many", &json!({ "tools": many })),
        server("endless", &json!({ "pages": pages, "endless": true })),
    ];
    let (tools, _events, told) = ready(&servers, options()).await;
    assert_eq!(tools.definitions().len(), 514);
    let cut: Vec<&String> = told.iter().filter(|it| it.contains("too many")).collect();
    assert_eq!(
        cut,
        [
            r#"the MCP server "endless" lists too many tools; the first 2 are used"#,
            r#"the MCP server "many" lists too many tools; the first 512 are used"#,
        ]
    );
}
