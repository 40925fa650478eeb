//! The program in a tree, and a provider that answers it.

use std::path::PathBuf;
use std::process::{Command, Output};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Mutex, PoisonError};

use serde_json::{Value, json};

use crate::suite::command::{Recto, Run};
use crate::suite::rollouts::write;
use crate::support::{Answer, Server};

/// A project with one file of instructions.
const TREE: &str = "
    //- home/
    //- repo/.git/HEAD = \"ref: refs/heads/main\"
    //- repo/AGENTS.md = \"Run the tests.\\n\"
    //- cwd: repo
";

pub(super) struct Served {
    pub(super) recto: Recto,
    pub(super) server: Server,
    /// Hears of every request.
    pub(super) asked: Receiver<()>,
}

impl Served {
    /// The provider is the one of the configuration.
    pub(super) fn new() -> Self {
        Self::with_config("")
    }

    /// With more lines at the end of the configuration.
    pub(super) fn with_config(more: &str) -> Self {
        let (sender, asked) = channel();
        let sender = Mutex::new(sender);
        let server = Server::start(move |_| {
            let sender = sender.lock().unwrap_or_else(PoisonError::into_inner);
            // A test need not listen.
            let _ = sender.send(());
        });
        let recto = Recto::in_tree(TREE);
        let made = Self { recto, server, asked };
        made.configure(more);
        made
    }

    /// Writes the configuration anew, with other lines at its end.
    pub(super) fn configure(&self, more: &str) {
        let repo = self.recto.tree().path("repo");
        let trust = format!("[projects.\"{}\"]\ntrust_level = \"trusted\"\n", repo.display());
        write(&self.recto, "home/config.toml", self.server.config() + &trust + more);
    }

    /// Runs the program with nothing on standard input.
    pub(super) fn run(&self, arguments: &[&str]) -> Run {
        self.show(&self.command(arguments).output().expect("the program starts"))
    }

    pub(super) fn run_with_input(&self, arguments: &[&str], input: &[u8]) -> Run {
        without_ids(&self.recto.run_with_input(arguments, input))
    }

    pub(super) fn command(&self, arguments: &[&str]) -> Command {
        self.recto.command(arguments)
    }

    pub(super) fn show(&self, output: &Output) -> Run {
        without_ids(&self.recto.show(output))
    }

    /// The bodies of the requests since the last time.
    pub(super) fn bodies(&self) -> Vec<Value> {
        let requests = self.server.take_requests().into_iter();
        requests.map(|(_, body)| serde_json::from_str(&body).expect("a body is JSON")).collect()
    }
}

/// With an MCP server, which keeps a line for each call in the file that is given.
pub(super) fn with_tools() -> (Served, PathBuf) {
    let served = Served::new();
    let calls = served.recto.tree().path("calls");
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/mcp_server.sh");
    served.configure(&format!(
        "[mcp_servers.files]\ncommand = \"sh\"\nargs = [{script:?}, {:?}]\n",
        calls.display().to_string()
    ));
    (served, calls)
}

/// The text of the last item of a request.
pub(super) fn last_text(body: &Value) -> String {
    let item = body["input"].as_array().and_then(|input| input.last());
    let text = item.and_then(|item| item["content"][0]["text"].as_str());
    text.unwrap_or_default().to_owned()
}

/// Names of sessions and turns, which are made anew each time, taken out.
fn without_ids(run: &Run) -> Run {
    Run { status: run.status, stdout: hide_ids(&run.stdout), stderr: hide_ids(&run.stderr) }
}

fn hide_ids(text: &str) -> String {
    const LENGTH: usize = "00000000-0000-0000-0000-000000000000".len();
    let mut out = String::new();
    let mut rest = text;
    while let Some(next) = rest.chars().next() {
        if rest.get(..LENGTH).is_some_and(is_id) {
            out += "$ID";
            rest = &rest[LENGTH..];
        } else {
            out.push(next);
            rest = &rest[next.len_utf8()..];
        }
    }
    out
}

fn is_id(text: &str) -> bool {
    text.char_indices().all(|(at, it)| match at {
        8 | 13 | 18 | 23 => it == '-',
        _ => it.is_ascii_hexdigit(),
    })
}

/// A thought that the model shows.
pub(super) fn thought(text: &str) -> Value {
    json!({
        "type": "reasoning", "id": "rs_1", "encrypted_content": "SEALED",
        "summary": [{"type": "summary_text", "text": text}],
    })
}

/// A call of a function.
pub(super) fn call(id: &str, name: &str, arguments: &str) -> Value {
    json!({"type": "function_call", "id": "fc_1", "name": name, "call_id": id, "arguments": arguments})
}

/// An item begins.
pub(super) fn begun(item: &Value) -> String {
    json!({"type": "response.output_item.added", "item": item}).to_string()
}

/// A piece of a message that is being written.
pub(super) fn delta(text: &str) -> String {
    let event = json!({
        "type": "response.output_text.delta", "item_id": "msg_1", "output_index": 0,
        "content_index": 0, "delta": text,
    });
    event.to_string()
}

/// A refusal of the provider.
pub(super) fn refused(status: &'static str, code: &str, message: &str) -> Answer {
    let body = json!({"error": {"message": message, "code": code}}).to_string();
    Answer { status, body: Some(body), ..Answer::default() }
}
