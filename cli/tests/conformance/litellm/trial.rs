//! A session over the proxy, and what is told when it refuses.

#![expect(clippy::disallowed_methods, reason = "a test writes and looks through its own tree")]

use std::path::Path;
use std::process::{Command, Stdio};

use libtest_mimic::{Failed, Trial};
use recto_core::testing::{Fixture, FixtureDirectory};
use serde_json::Value;

use super::proxy::{Programs, Proxy};
use crate::programs::PARENT;

/// A key as the proxy wants it: long and nowhere else.
const KEY: &str = "sk-wire-5f0b7d1c9a3e4862b1d07c55aa9e4f10";

const TREE: &str = "
    //- user/
    //- proxy/
    //- home/
    //- repo/.git/HEAD = \"ref: refs/heads/main\"
    //- repo/AGENTS.md
    ROOT
    //- cwd: repo
";

/// Whether the proxy and what it stands before are installed.
pub(crate) fn is_installed() -> bool {
    Programs::installed().is_some()
}

/// The trial; it is skipped where the proxy is not installed.
pub(crate) fn trials() -> Vec<Trial> {
    let programs = Programs::installed();
    let is_ignored = programs.is_none();
    let run = move || programs.as_ref().map_or(Ok(()), hold);
    vec![Trial::test("litellm::a_session_and_its_refusals", run).with_ignored_flag(is_ignored)]
}

fn hold(programs: &Programs) -> Result<(), Failed> {
    let tree = Fixture::parse(TREE).lay_out_in(Path::new(PARENT));
    let proxy = Proxy::start(programs, KEY, &tree.path("proxy"))?;
    let config = format!(
        "model = \"mock\"\nmodel_provider = \"lite\"\n[model_providers.lite]\nname = \"Lite\"\n\
         base_url = \"http://127.0.0.1:{}/v1\"\nenv_key = \"LITE_KEY\"\n",
        proxy.port
    );
    std::fs::write(tree.path("home/config.toml"), config)?;
    its_answers_are_shown_and_recorded(&tree)?;
    its_refusals_are_told_with_a_hint(&tree, proxy.port)?;
    no_file_holds_the_key(&tree.path("home"))
}

/// How a run ended: status, standard output, standard error.
fn run(tree: &FixtureDirectory, words: &[&str]) -> Result<(Option<i32>, String, String), Failed> {
    let output = Command::new(env!("CARGO_BIN_EXE_recto"))
        .args(words)
        .current_dir(tree.cwd())
        .env_clear()
        .env("PATH", "/usr/bin:/bin")
        .env("SHELL", "/bin/bash")
        .env("TZ", "UTC")
        .env("HOME", tree.path("user"))
        .env("CODEX_HOME", tree.path("home"))
        .env("RECTO_HOME", tree.path("home"))
        .env("LITE_KEY", KEY)
        .stdin(Stdio::null())
        .output()?;
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    let (stdout, stderr) = (text(output.stdout), text(output.stderr));
    if stdout.contains(KEY) || stderr.contains(KEY) {
        return Err("the key is shown".into());
    }
    Ok((output.status.code(), stdout, stderr))
}

fn its_answers_are_shown_and_recorded(tree: &FixtureDirectory) -> Result<(), Failed> {
    let (status, stdout, stderr) = run(tree, &["exec", "--json", "hello one"])?;
    let events: Vec<Value> = stdout.lines().flat_map(serde_json::from_str).collect();
    let said = events.iter().find(|it| it["item"]["type"] == "agent_message");
    let usage = events.last().map(|it| &it["usage"]["output_tokens"]);
    if status != Some(0)
        || said.is_none_or(|it| it["item"]["text"] != "hello one")
        || usage.and_then(Value::as_u64).is_none_or(|tokens| tokens == 0)
    {
        return Err(format!("{status:?}\n{stdout}\n{stderr}").into());
    }
    let (status, stdout, stderr) = run(tree, &["resume", "--last", "hello two"])?;
    if (status, stdout.as_str()) != (Some(0), "hello two\n") {
        return Err(format!("{status:?}\n{stdout}\n{stderr}").into());
    }
    let (status, stdout, stderr) = run(tree, &["rollout", "verify", "--last"])?;
    if status == Some(0) { Ok(()) } else { Err(format!("{stdout}\n{stderr}").into()) }
}

fn its_refusals_are_told_with_a_hint(tree: &FixtureDirectory, port: u16) -> Result<(), Failed> {
    let nowhere = format!("model_providers.lite.base_url=http://127.0.0.1:{port}/nowhere");
    let nobody = "model_providers.lite.base_url=http://127.0.0.1:1/v1";
    let keyless = "model_providers.lite.env_key=NO_SUCH_KEY";
    for (change, status, expected) in [
        ("model=nope", 1, "Lite has no model `nope`"),
        (&nowhere, 1, "Lite has no Responses endpoint at http://"),
        (nobody, 1, "Lite cannot be reached at http://127.0.0.1:1/v1/responses"),
        (keyless, 2, "set the environment variable NO_SUCH_KEY"),
    ] {
        let once = "model_providers.lite.request_max_retries=0";
        let (code, _, stderr) = run(tree, &["exec", "-c", once, "-c", change, "hi"])?;
        if code != Some(status) || !stderr.contains(expected) {
            return Err(format!("{change}: {code:?}\n{stderr}").into());
        }
    }
    Ok(())
}

fn no_file_holds_the_key(directory: &Path) -> Result<(), Failed> {
    for entry in std::fs::read_dir(directory)? {
        let path = entry?.path();
        if path.is_dir() {
            no_file_holds_the_key(&path)?;
        } else if String::from_utf8_lossy(&std::fs::read(&path)?).contains(KEY) {
            return Err(format!("{} holds the key", path.display()).into());
        }
    }
    Ok(())
}
