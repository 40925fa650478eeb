//! Names that a model calls tools by.

use pretty_assertions::assert_eq;
use recto_core::tools::ToolHandler;
use recto_core::tools::mcp::ToolShape;
use serde_json::{Value, json};

use super::calls::function_call;
use super::child::{options, ready, server, text, tool};

fn parts() -> [recto_core::config::McpServerConfig; 3] {
    let long = ["y".repeat(200), format!("{}z", "y".repeat(199))];
    let names = ["a.b", "a_b", "a b", "ünï", "UP", "", &long[0], &long[1]];
    let tools: Vec<Value> = names.iter().map(|name| tool(name)).collect();
    let calls: serde_json::Map<String, Value> =
        names.iter().map(|name| ((*name).to_owned(), text(name))).collect();
    [
        server("fs", &json!({ "tools": tools, "calls": calls })),
        server("my-server", &json!({ "tools": [tool("r")] })),
        server("my_server", &json!({ "tools": [tool("r")] })),
    ]
}

#[tokio::test]
async fn functions_have_names_that_every_server_takes() {
    let (tools, _events, _) = ready(&parts(), options()).await;
    let names: Vec<String> = tools.definitions().into_iter().map(|it| it.name).collect();
    insta::assert_snapshot!(names.join("\n"), @r"
    mcp__fs__UP
    mcp__fs___
    mcp__fs___n_
    mcp__fs__a_b_2dab1161f05c
    mcp__fs__a_b_34a984c02593
    mcp__fs__a_b_e2a97a2b5dcd
    mcp__fs__yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy_bfa45810f0fc
    mcp__fs__yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy_bfa45814d9d3
    mcp__my_server_b170d29e25c8__r
    mcp__my_server_ea050b038a96__r
    ");
    assert!(names.iter().all(|it| it.len() <= 64));
}

#[tokio::test]
async fn names_in_namespaces_are_as_in_the_reference_but_for_the_digits() {
    let mut options = options();
    options.shape = ToolShape::Namespaces;
    let (tools, _events, _) = ready(&parts(), options).await;
    let mut lines = Vec::new();
    for definition in tools.definitions() {
        let json: Value = serde_json::from_str(definition.json.get()).unwrap_or_default();
        for tool in json["tools"].as_array().into_iter().flatten() {
            lines.push(format!("{} {}", definition.name, tool["name"].as_str().unwrap_or("")));
        }
    }
    insta::assert_snapshot!(lines.join("\n"), @r"
    mcp__fs UP
    mcp__fs _
    mcp__fs _n_
    mcp__fs a_b_2dab1161f05c
    mcp__fs a_b_34a984c02593
    mcp__fs a_b_e2a97a2b5dcd
    mcp__fs yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy_bfa45810f0fc
    mcp__fs yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy_bfa45814d9d3
    mcp__my_server_b170d29e25c8 r
    mcp__my_server_ea050b038a96 r
    ");
}

#[tokio::test]
async fn a_call_can_be_told_by_the_names_that_people_use() {
    let (tools, _events, _) = ready(&parts(), options()).await;
    let told =
        |name: &str| tools.name_of(&function_call(None, name, "{}")).map(|it| it.to_string());
    assert_eq!(told("mcp__my_server_ea050b038a96__r").as_deref(), Some("my-server/r"));
    assert_eq!(told("mcp__fs___n_").as_deref(), Some("fs/ünï"));
    assert_eq!(told("mcp__fs__nope"), None);
}

#[tokio::test]
async fn every_name_calls_its_own_tool() {
    let (tools, _events, _) = ready(&parts(), options()).await;
    let mut seen = std::collections::BTreeSet::new();
    for definition in tools.definitions() {
        let output = tools.call(&function_call(None, &definition.name, "{}")).await;
        seen.insert(super::calls::texts(output));
    }
    assert_eq!(seen.len(), 8, "two servers say nothing, as does the tool whose name is empty");
}
