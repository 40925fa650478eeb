//! What the reference makes of a server.

#![expect(clippy::disallowed_methods, reason = "the tree is ours, and node may be anywhere")]

use std::process::{Command, Stdio};

use libtest_mimic::Failed;
use recto_core::testing::FixtureDirectory;
use serde_json::{Value, json};

use super::compared::Compared;
use crate::programs::Programs;
use crate::support::{Answer, Server, message};

/// A model that the reference does not know: it is told of all tools at once.
const MODEL: &str = "gpt-5.4";

/// Runs one turn whose model makes all calls at once.
pub(super) fn theirs(
    programs: &Programs,
    tree: &FixtureDirectory,
    server: &str,
    config: &str,
    calls: &[(&str, String)],
) -> Result<Compared, Failed> {
    let provider = Server::start(|_| {});
    let items = calls.iter().enumerate().map(|(at, (name, arguments))| {
        json!({
            "type": "function_call", "id": format!("fc_{at}"), "call_id": format!("call_{at}"),
            "namespace": format!("mcp__{server}"), "name": name, "arguments": arguments,
        })
    });
    provider.then(Answer::of(items));
    provider.then(Answer::of([message("msg_1", "done")]));
    let trust =
        format!("[projects.{:?}]\ntrust_level = \"trusted\"\n", tree.path("repo").display());
    std::fs::write(tree.path("home/config.toml"), provider.config() + config + &trust)?;
    let mut child = Command::new("timeout");
    child.arg("90").arg(programs.reference()).args(["exec", "-m", MODEL, "go"]);
    child.current_dir(tree.cwd()).env_clear().stdin(Stdio::null());
    child.env("PATH", path()).env("SHELL", "/bin/bash").env("TZ", "UTC");
    child.env("HOME", tree.path("user")).env("CODEX_HOME", tree.path("home"));
    let output = child.output()?;
    let requests: Vec<Value> = provider
        .take_requests()
        .iter()
        .map(|(_, body)| serde_json::from_str(body).unwrap_or_default())
        .collect();
    let [first, second] = &requests[..] else {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned().into());
    };
    let namespace = format!("mcp__{server}");
    let tools = first["tools"].as_array().into_iter().flatten();
    let tools = tools.filter(|it| it["name"] == namespace.as_str()).cloned().collect();
    let outputs = calls.iter().enumerate().map(|(at, _)| {
        let id = format!("call_{at}");
        let mut items = second["input"].as_array().into_iter().flatten();
        let answers =
            |it: &&Value| it["type"] == "function_call_output" && it["call_id"] == id.as_str();
        items.find(answers).map(|it| it["output"].clone()).unwrap_or_default()
    });
    Ok(Compared { tools, outputs: outputs.collect() })
}

pub(super) fn path() -> String {
    std::env::var("PATH").unwrap_or_default()
}
