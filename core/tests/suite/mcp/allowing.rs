//! Which tools a model is told of.

#![expect(clippy::unwrap_used, reason = "what goes wrong in a helper of a test fails the test")]

use pretty_assertions::assert_eq;
use recto_core::config::McpApproval;
use recto_core::tools::ToolHandler;
use serde_json::json;

use super::calls::{function_call, texts};
use super::child::{options, ready, server, text, tool};

fn part() -> serde_json::Value {
    let mut writing = tool("write");
    writing["annotations"] = json!({ "readOnlyHint": false, "destructiveHint": false });
    let mut unsaid = tool("unsaid");
    unsaid.as_object_mut().unwrap().remove("annotations");
    json!({ "tools": [tool("read"), writing, unsaid], "calls": { "write": text("written") } })
}

/// The tools that are told of where these are allowed, and what the person is told.
async fn offered(allow: &[&str]) -> (Vec<String>, Vec<String>) {
    let mut options = options();
    options.allow = allow.iter().map(|&it| it.to_owned()).collect();
    let (tools, _events, told) = ready(&[server("s", &part())], options).await;
    (tools.definitions().into_iter().map(|it| it.name).collect(), told)
}

#[tokio::test]
async fn what_does_not_say_that_it_only_reads_is_left_out_and_told_once() {
    assert_eq!(
        offered(&[]).await,
        (
            vec!["mcp__s__read".to_owned()],
            vec![
                "the MCP server \"s\" does not say that these tools only read, so they are left out: write, unsaid; \
                 to allow one: --allow-tools s/write"
                    .to_owned()
            ]
        )
    );
}

#[tokio::test]
async fn a_tool_is_allowed_by_its_server_by_its_name_or_by_what_the_model_calls_it() {
    let all = ["mcp__s__read", "mcp__s__unsaid", "mcp__s__write"];
    for allow in [&["s"][..], &["s/*"], &["s/write", "mcp__s__unsaid"]] {
        assert_eq!(offered(allow).await, (all.map(str::to_owned).into(), vec![]), "{allow:?}");
    }
}

#[tokio::test]
async fn a_name_that_means_no_tool_is_told() {
    let (_, told) = offered(&["s", "s/nope", "z"]).await;
    assert_eq!(
        told,
        [
            "--allow-tools names \"s/nope\", and no MCP server that runs has such a tool",
            "--allow-tools names \"z\", and no MCP server that runs has such a tool",
        ]
    );
}

#[tokio::test]
async fn a_tool_that_is_left_out_is_not_run_either() {
    let (tools, _events, _) = ready(&[server("s", &part())], options()).await;
    let output = tools.call(&function_call(None, "mcp__s__write", "{}")).await;
    assert_eq!(
        texts(output),
        ["MCP tool call requires approval, and nobody can give it here: `s/write` may write"]
    );
}

#[tokio::test]
async fn the_settings_of_a_server_decide_too() {
    let names = async |change: &dyn Fn(&mut recto_core::config::McpServerConfig)| {
        let mut server = server("s", &part());
        change(&mut server);
        let (tools, _events, told) = ready(&[server], options()).await;
        let names: Vec<String> = tools.definitions().into_iter().map(|it| it.name).collect();
        (names.join(" "), told.len())
    };
    assert_eq!(
        names(&|it| it.default_approval = McpApproval::Approve).await,
        ("mcp__s__read mcp__s__unsaid mcp__s__write".to_owned(), 0)
    );
    assert_eq!(names(&|it| it.default_approval = McpApproval::Prompt).await, (String::new(), 1));
    let approve = |it: &mut recto_core::config::McpServerConfig| {
        it.tool_approvals.insert("write".to_owned(), McpApproval::Approve);
    };
    assert_eq!(names(&approve).await, ("mcp__s__read mcp__s__write".to_owned(), 1));
    assert_eq!(
        names(&|it| it.enabled_tools = Some(vec!["read".to_owned(), "nope".to_owned()])).await,
        ("mcp__s__read".to_owned(), 1)
    );
    assert_eq!(
        names(&|it| it.disabled_tools = vec!["read".to_owned(), "unsaid".to_owned()]).await,
        (String::new(), 1)
    );
}
