//! What a server that is a program gets, and that nothing of it is left behind.

#![expect(clippy::disallowed_methods, reason = "a pipe tells whether a process still holds it")]
#![expect(clippy::unwrap_used, reason = "what goes wrong in a helper of a test fails the test")]

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use pretty_assertions::assert_eq;
use recto_core::config::{McpServerConfig, McpTransport};
use recto_core::tools::mcp::{McpOptions, McpTools};
use rustix::fs::{CWD, Mode, mkfifoat};
use tempfile::TempDir;
use tokio::sync::mpsc::unbounded_channel;

use super::child::{options, program, ready, told};

/// A pipe that tells whether anybody still holds its other end.
fn pipe() -> (TempDir, PathBuf) {
    let directory = tempfile::tempdir().unwrap();
    let pipe = directory.path().join("pipe");
    mkfifoat(CWD, &pipe, Mode::RWXU).unwrap();
    (directory, pipe)
}

/// A server that holds a pipe and runs a script.
fn holder(pipe: &Path, script: &str) -> McpServerConfig {
    program("holder", "/bin/sh", &["-c", &format!("exec 3>{}; {script}", pipe.display())])
}

/// Reads what a server writes into its pipe, from when it opens it.
async fn reader(pipe: PathBuf) -> BufReader<File> {
    let opened = tokio::task::spawn_blocking(move || File::open(pipe).unwrap());
    BufReader::new(opened.await.unwrap())
}

fn line(reader: &mut BufReader<File>) -> String {
    let mut line = String::new();
    reader.read_line(&mut line).unwrap();
    line
}

#[tokio::test]
async fn a_server_ends_with_us_and_so_does_what_it_started() {
    let (_directory, pipe) = pipe();
    let servers = [holder(&pipe, "echo up >&3; sleep 100 & wait")];
    let (sender, mut events) = unbounded_channel();
    let tools = McpTools::start(&servers, options(), sender);
    let mut reader = reader(pipe).await;
    assert_eq!(line(&mut reader), "up\n");
    tools.shutdown().await;
    // The pipe ends when nobody holds it any more.
    assert_eq!(line(&mut reader), "");
    assert_eq!(told(&mut events), [""; 0]);
}

#[tokio::test]
async fn what_a_server_leaves_running_ends_with_it() {
    let (_directory, pipe) = pipe();
    let servers = [holder(&pipe, "sleep 100 & echo up >&3; echo bye >&2; exit 4")];
    let (sender, mut events) = unbounded_channel();
    let tools = McpTools::start(&servers, options(), sender);
    let mut reader = reader(pipe).await;
    assert_eq!(line(&mut reader), "up\n");
    tools.ready().await.unwrap();
    assert_eq!(line(&mut reader), "");
    assert_eq!(
        told(&mut events),
        [
            "the MCP server \"holder\" did not start; its tools are missing: it exited with code 4; its last words: bye"
        ]
    );
}

#[tokio::test]
async fn a_server_ends_when_its_tools_are_dropped() {
    let (_directory, pipe) = pipe();
    let servers = [holder(&pipe, "echo up >&3; sleep 100 & wait")];
    let (sender, _events) = unbounded_channel();
    let tools = McpTools::start(&servers, options(), sender);
    let mut reader = reader(pipe).await;
    assert_eq!(line(&mut reader), "up\n");
    drop(tools);
    let rest = tokio::task::spawn_blocking(move || line(&mut reader));
    assert_eq!(rest.await.unwrap(), "");
}

#[test]
fn a_server_ends_when_the_runtime_does() {
    let (_directory, pipe) = pipe();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let mut reader = runtime.block_on(async {
        let servers = [holder(&pipe, "echo up >&3; sleep 100 & wait")];
        let (sender, _events) = unbounded_channel();
        let tools = McpTools::start(&servers, options(), sender);
        let mut reader = reader(pipe).await;
        assert_eq!(line(&mut reader), "up\n");
        std::mem::forget(tools);
        reader
    });
    drop(runtime);
    assert_eq!(line(&mut reader), "");
}

/// What a server says on standard error before it exits.
async fn last_words(server: McpServerConfig, options: McpOptions) -> String {
    let (_tools, _events, told) = ready(&[server], options).await;
    let (_, words) = told[0].split_once("its last words: ").unwrap();
    words.to_owned()
}

#[tokio::test]
async fn a_server_gets_few_variables_and_those_that_are_named() {
    let mut options = options();
    let variables = ["PATH", "HOME", "TZ", "OPENAI_API_KEY", "WANTED", "LC_CTYPE"];
    options.variables =
        variables.map(|name| (name.to_owned(), format!("/{}", name.to_lowercase()))).into();
    let mut server = program("s", "/bin/sh", &["-c", "/usr/bin/env | /usr/bin/sort >&2"]);
    if let McpTransport::Stdio { env, env_vars, .. } = &mut server.transport {
        env.insert("OWN".to_owned(), "own".to_owned());
        env.insert("TZ".to_owned(), "UTC".to_owned());
        env_vars.extend(["WANTED".to_owned(), "MISSING".to_owned()]);
    }
    let words = last_words(server, options).await;
    let names = words.split(" | ").filter(|it| !it.starts_with("PWD=") && !it.starts_with("_="));
    // The last five lines are shown; `SHLVL` may be the shell's own.
    let names: Vec<&str> = names.filter(|it| !it.starts_with("SHLVL=")).collect();
    assert_eq!(names, ["OWN=own", "PATH=/path", "TZ=UTC", "WANTED=/wanted"]);
}

#[tokio::test]
async fn a_server_runs_in_the_directory_of_the_session_or_in_its_own_below_it() {
    let directory = tempfile::tempdir().unwrap();
    std::fs::create_dir(directory.path().join("sub")).unwrap();
    let root = directory.path().canonicalize().unwrap();
    for (cwd, expected) in [(None, root.clone()), (Some("sub"), root.join("sub"))] {
        let mut server = program("s", "/bin/sh", &["-c", "pwd -P >&2"]);
        if let McpTransport::Stdio { cwd: of_server, .. } = &mut server.transport {
            *of_server = cwd.map(PathBuf::from);
        }
        let words = last_words(server, McpOptions::new(root.clone())).await;
        assert_eq!(words, expected.to_string_lossy());
    }
}
