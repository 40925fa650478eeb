//! Servers that bring tools, in the configuration.

use std::collections::BTreeMap;
use std::time::Duration;

use insta::assert_snapshot;
use pretty_assertions::assert_eq;
use recto_core::config::{McpApproval, McpServerConfig, McpTransport};

use super::config::{load_fixture, load_text};

async fn error(server: &str) -> String {
    load_text(&format!("[mcp_servers.s]\n{server}")).await.error()
}

#[tokio::test]
async fn a_program_is_read_with_all_that_is_said_about_it() {
    let loaded = load_text(
        r#"
[mcp_servers.s]
command = "x"
args = ["a", "b"]
env = { A = "1" }
env_vars = ["B", { name = "C" }, { name = "D", source = "remote" }]
cwd = "sub"
startup_timeout_sec = 1.5
startup_timeout_ms = 9
tool_timeout_sec = 2
required = true
enabled = false
enabled_tools = ["r"]
disabled_tools = ["w"]
supports_parallel_tool_calls = true
default_tools_approval_mode = "prompt"
tools.w.approval_mode = "approve"
"#,
    )
    .await;
    let [server] = &loaded.config().mcp_servers[..] else { panic!("one server") };
    let texts = |texts: &[&str]| texts.iter().map(|&it| it.to_owned()).collect::<Vec<_>>();
    assert_eq!(
        *server,
        McpServerConfig {
            name: "s".to_owned(),
            transport: McpTransport::Stdio {
                command: "x".to_owned(),
                args: texts(&["a", "b"]),
                env: BTreeMap::from([("A".to_owned(), "1".to_owned())]),
                env_vars: texts(&["B", "C"]),
                cwd: Some("sub".into()),
            },
            is_enabled: false,
            is_required: true,
            startup_timeout: Some(Duration::from_millis(1500)),
            tool_timeout: Some(Duration::from_secs(2)),
            enabled_tools: Some(texts(&["r"])),
            disabled_tools: texts(&["w"]),
            supports_parallel_calls: true,
            default_approval: McpApproval::Prompt,
            tool_approvals: BTreeMap::from([("w".to_owned(), McpApproval::Approve)]),
            location: server.location.clone(),
            project: None,
        }
    );
    assert_eq!(loaded.shown(&server.location), "$ROOT/home/config.toml:2:14");
    assert_eq!(loaded.warnings(), "");
}

#[tokio::test]
async fn a_server_behind_http_is_read_and_the_rest_is_left_to_the_caller() {
    let loaded = load_text(
        "[mcp_servers.\"a b\"]\nurl = \"http://x\"\nbearer_token_env_var = \"T\"\nenv_http_headers = { A = \"B\" }\n",
    )
    .await;
    let [server] = &loaded.config().mcp_servers[..] else { panic!("one server") };
    assert_eq!(
        server.transport,
        McpTransport::Http {
            url: "http://x".to_owned(),
            bearer_token_env_var: Some("T".to_owned()),
            http_headers: BTreeMap::new(),
            env_http_headers: BTreeMap::from([("A".to_owned(), "B".to_owned())]),
        }
    );
    let timeouts = (server.startup_timeout, server.tool_timeout);
    assert_eq!((server.is_enabled, timeouts), (true, (None, None)));
}

#[tokio::test]
async fn what_is_wrong_is_told_with_its_place_and_a_way_out() {
    assert_snapshot!(error("args = [\"a\"]").await, @"$ROOT/home/config.toml:1:1: mcp_servers.s: expected `command` or `url`, found neither");
    assert_snapshot!(error("command = \"x\"\nurl = \"http://x\"").await, @"
    $ROOT/home/config.toml:3:7: mcp_servers.s.url: expected nothing of a server behind HTTP beside `command`, found `url`
    hint: make it two servers, or take the key out
    ");
    assert_snapshot!(error("url = \"http://x\"\nenv = {}").await, @"
    $ROOT/home/config.toml:3:7: mcp_servers.s.env: expected nothing of a program beside `url`, found `env`
    hint: make it two servers, or take the key out
    ");
    assert_snapshot!(error("url = \"http://x\"\nbearer_token = \"t\"").await, @"
    $ROOT/home/config.toml:3:16: mcp_servers.s.bearer_token: expected no token in a file, found `bearer_token`
    hint: name the variable that holds it in `bearer_token_env_var`
    ");
    assert_snapshot!(error("command = \"x\"\ntool_timeout_sec = \"5\"").await, @r#"
    $ROOT/home/config.toml:3:20: mcp_servers.s.tool_timeout_sec: expected a number of seconds, found a string "5"
    hint: write 5 without quotes
    "#);
    assert_snapshot!(error("command = \"x\"\nstartup_timeout_sec = -1").await, @"$ROOT/home/config.toml:3:23: mcp_servers.s.startup_timeout_sec: expected a number of seconds, found a negative number -1");
    assert_snapshot!(error("command = \"x\"\nenv_vars = [\"A\", { nome = \"B\" }]").await, @r#"$ROOT/home/config.toml:3:18: mcp_servers.s.env_vars: expected a name, or { name = "…", source = "local" }, found a table"#);
    assert_snapshot!(error("command = \"x\"\ndefault_tools_approval_mode = \"aprove\"").await, @r#"
    $ROOT/home/config.toml:3:31: mcp_servers.s.default_tools_approval_mode: expected `auto`, `prompt`, `writes` or `approve`, found a string "aprove"
    hint: did you mean `approve`?
    "#);
}

#[tokio::test]
async fn a_trusted_project_may_bring_servers_and_an_untrusted_one_may_not() {
    for (trust, names) in [("trusted", vec!["own", "theirs"]), ("untrusted", vec!["own"])] {
        let loaded = load_fixture(&format!(
            "
            //- home/config.toml
            [projects.\"$ROOT/repo\"]
            trust_level = \"{trust}\"
            [mcp_servers.own]
            command = \"x\"
            //- repo/.git/HEAD
            x
            //- repo/.codex/config.toml
            [mcp_servers.theirs]
            command = \"y\"
            [mcp_servers.own]
            args = [\"z\"]
            //- cwd: repo
            "
        ))
        .await;
        let servers = &loaded.config().mcp_servers;
        assert_eq!(servers.iter().map(|it| it.name.as_str()).collect::<Vec<_>>(), names);
        let is_told = servers.iter().all(|it| it.project.is_some());
        assert_eq!(is_told, trust == "trusted", "also where it only changes the person's");
    }
}
