//! Both programs with one home, one project, one provider and one MCP server.

#![expect(clippy::disallowed_methods, reason = "a scene changes its own tree")]

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use libtest_mimic::Failed;
use recto_core::testing::{Fixture, FixtureDirectory};
use serde_json::Value;

use crate::programs::{PARENT, Programs};
use crate::support::{Answer, Server};

const TREE: &str = "
    //- user/
    //- home/AGENTS.md
    HOST
    //- repo/.git/HEAD = \"ref: refs/heads/main\"
    //- repo/AGENTS.md
    ROOT
    //- cwd: repo
";

/// How long something may take to happen.
const PATIENCE: Duration = Duration::from_secs(30);

pub(super) struct Scene {
    pub(super) server: Server,
    tree: FixtureDirectory,
    programs: Programs,
}

/// What came of a run.
pub(super) struct Run {
    is_theirs: bool,
    pub(super) status: Option<i32>,
    /// The lines of standard output as JSON; null where one is none.
    pub(super) events: Vec<Value>,
    pub(super) stderr: String,
    /// The requests: head and body.
    pub(super) requests: Vec<(String, Value)>,
}

impl Scene {
    pub(super) fn new(programs: &Programs) -> Self {
        let tree = Fixture::parse(TREE).lay_out_in(Path::new(PARENT));
        let server = Server::start(|_| {});
        let mcp = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/mcp_server.sh");
        let config = format!(
            "{}[projects.{:?}]\ntrust_level = \"trusted\"\n\
             [mcp_servers.files]\ncommand = \"sh\"\nargs = [{mcp:?}, {:?}]\n",
            server.config(),
            tree.path("repo").display().to_string(),
            tree.path("calls").display().to_string()
        );
        std::fs::write(tree.path("home/config.toml"), config).expect("the tree is ours");
        Self { server, tree, programs: programs.clone() }
    }

    /// Runs `codex exec` with these words.
    pub(super) fn theirs(&self, words: &[&str], answers: &[Answer]) -> Run {
        let mut command = self.command(self.programs.reference());
        command.arg("exec").args(words);
        Run { is_theirs: true, ..self.run(command, answers) }
    }

    /// Runs `recto` with these words.
    pub(super) fn ours(&self, words: &[&str], answers: &[Answer]) -> Run {
        let mut command = self.command(self.programs.recto());
        command.args(words);
        self.run(command, answers)
    }

    /// Runs `recto` with a home of its own beside the reference's.
    pub(super) fn ours_elsewhere(&self, words: &[&str]) -> Run {
        let mut command = self.command(self.programs.recto());
        command.args(words).env("RECTO_HOME", self.tree.path("own"));
        self.run(command, &[])
    }

    /// Starts `recto` with these words.
    pub(super) fn start(&self, words: &[&str], answers: &[Answer]) -> std::io::Result<Child> {
        for answer in answers {
            self.server.then(answer.clone());
        }
        self.command(self.programs.recto()).args(words).spawn()
    }

    /// Waits for that many calls of the MCP server.
    pub(super) fn wait_for_calls(&self, count: usize) -> Result<(), Failed> {
        let begun = Instant::now();
        while std::fs::read_to_string(self.tree.path("calls")).unwrap_or_default().lines().count()
            < count
        {
            if begun.elapsed() > PATIENCE {
                return Err(format!("call {count} does not come").into());
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        Ok(())
    }

    /// Both programs record in one home.
    fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(PathBuf::from(program));
        command.current_dir(self.tree.cwd()).env_clear().stdin(Stdio::null());
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command.env("PATH", "/usr/bin:/bin").env("SHELL", "/bin/bash").env("TZ", "UTC");
        command.env("HOME", self.tree.path("user")).env("CODEX_HOME", self.tree.path("home"));
        command.env("RECTO_HOME", self.tree.path("home"));
        command
    }

    fn run(&self, mut command: Command, answers: &[Answer]) -> Run {
        for answer in answers {
            self.server.then(answer.clone());
        }
        let Output { status, stdout, stderr } = command.output().expect("it starts");
        let lines = String::from_utf8_lossy(&stdout).into_owned();
        let parsed = |text: &str| serde_json::from_str(text).unwrap_or_default();
        let requests = self.server.take_requests().into_iter();
        Run {
            is_theirs: false,
            status: status.code(),
            events: lines.lines().map(parsed).collect(),
            stderr: String::from_utf8_lossy(&stderr).into_owned(),
            requests: requests.map(|(head, body)| (head, parsed(&body))).collect(),
        }
    }
}

impl Run {
    /// The input items of its last request, without base instructions among them and without ids.
    pub(super) fn last_input(&self) -> Vec<Value> {
        let body = self.requests.last().map(|(_, body)| body);
        let items = body.and_then(|body| body["input"].as_array()).into_iter().flatten();
        // Theirs are the first item, ours a member of the body.
        items.skip(usize::from(self.is_theirs)).map(essence).collect()
    }
}

/// An item without ids and members that are null.
fn essence(item: &Value) -> Value {
    let mut item = item.clone();
    if let Value::Object(members) = &mut item {
        members.retain(|name, value| name != "id" && !value.is_null());
    }
    item
}

/// A call of a tool of the MCP server, as each program tells it to the model.
pub(super) fn call(id: &str, tool: &str) -> Value {
    serde_json::json!({
        "type": "function_call", "id": format!("fc_{id}"), "call_id": id, "name": tool,
        "namespace": "mcp__files", "arguments": "{}",
    })
}
