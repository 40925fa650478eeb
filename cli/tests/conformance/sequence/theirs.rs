//! The reference's side of a sequence.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use libtest_mimic::Failed;
use recto_core::testing::FixtureDirectory;
use serde_json::Value;

use super::outputs::Outputs;
use super::steps::{Calls, Place, Turn, write};
use super::view::Told;
use crate::support::{Answer, Server};

/// Seconds that one turn of the reference may take.
const LIMIT: &str = "60";

/// How long a call may take to be recorded.
const RECORDING: Duration = Duration::from_secs(30);

pub(super) struct Theirs {
    reference: PathBuf,
    server: Server,
    /// The bodies of the last turn's requests.
    requests: Vec<Value>,
    /// Lines of the session's file that were looked at already.
    seen: usize,
    is_begun: bool,
}

impl Theirs {
    pub(super) fn new(reference: &Path, _tree: &FixtureDirectory) -> Self {
        Self {
            reference: reference.to_owned(),
            server: Server::start(|_| {}),
            requests: Vec::new(),
            seen: 0,
            is_begun: false,
        }
    }

    /// Runs a turn and gives what the model was told in it.
    pub(super) fn turn(
        &mut self,
        place: &Place,
        turn: &Turn,
        tree: &FixtureDirectory,
    ) -> Result<Told, Failed> {
        for reply in &turn.replies {
            let (items, tokens) = (reply.items.clone(), reply.tokens);
            self.server.then(Answer { items, tokens, ..Answer::default() });
        }
        write(&tree.path("home/config.toml"), &self.config(place, tree));
        let mut child = self.start(place, turn, tree)?;
        if turn.calls == Calls::Killed {
            self.kill_in_call(&mut child, turn, tree)?;
        } else {
            let output = child.wait_with_output()?;
            if !output.status.success() {
                return Err(String::from_utf8_lossy(&output.stderr).into_owned().into());
            }
        }
        self.is_begun = true;
        let bodies = self.server.take_requests().into_iter().map(|(_, body)| body);
        self.requests =
            bodies.map(|body| serde_json::from_str(&body).unwrap_or_default()).collect();
        let requests: Vec<Vec<Value>> = self
            .requests
            .iter()
            .map(|body| body["input"].as_array().cloned().unwrap_or_default())
            // The first item holds base instructions; ours are a field of their own.
            .map(|input| input.into_iter().skip(1).collect())
            .collect();
        Ok(Told::new(&requests, &self.world_states(tree)?))
    }

    /// The outputs that it sent with the last turn.
    pub(super) fn outputs(&self) -> Outputs {
        Outputs::of(&self.requests)
    }

    fn start(&self, place: &Place, turn: &Turn, tree: &FixtureDirectory) -> std::io::Result<Child> {
        let mut command = Command::new("timeout");
        command
            .args(["-k", "1", LIMIT])
            .arg(&self.reference)
            .args(["exec", "--skip-git-repo-check"]);
        if self.is_begun {
            command.args(["resume", "--last", "--all"]);
        }
        for setting in &place.settings {
            command.args(["-c", setting]);
        }
        command.arg("--").arg(&turn.text).current_dir(&place.cwd).stdin(Stdio::null());
        command.stdout(Stdio::null()).stderr(Stdio::piped()).env_clear();
        command.env("PATH", "/usr/bin:/bin").env("SHELL", "/bin/bash").env("TZ", place.time_zone);
        command.env("HOME", tree.path("user")).env("CODEX_HOME", tree.codex_home());
        command.spawn()
    }

    /// Waits until the calls of the first reply are in the session's file, and kills the program.
    fn kill_in_call(
        &self,
        child: &mut Child,
        turn: &Turn,
        tree: &FixtureDirectory,
    ) -> Result<(), Failed> {
        let begun = Instant::now();
        let calls = turn.replies.first().map_or(0, |reply| reply.items.len());
        while self.recorded_calls(tree) < calls {
            if begun.elapsed() > RECORDING {
                return Err("the reference did not record its calls".into());
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        let group = child.id().to_string();
        Command::new("pkill").args(["-KILL", "-P", &group]).status()?;
        child.kill()?;
        child.wait()?;
        Ok(())
    }

    fn recorded_calls(&self, tree: &FixtureDirectory) -> usize {
        let lines = self.new_lines(tree).unwrap_or_default();
        lines.iter().filter(|line| line["payload"]["type"] == "function_call").count()
    }

    fn config(&self, place: &Place, tree: &FixtureDirectory) -> String {
        format!(
            "model = \"gpt-5.5\"\nmodel_provider = \"local\"\n{}\n[model_providers.local]\nname = \"local\"\n\
             base_url = \"http://127.0.0.1:{}/v1\"\nwire_api = \"responses\"\nrequest_max_retries = 0\n\
             stream_max_retries = 0\n[projects.\"{}\"]\ntrust_level = \"{}\"\n",
            place.config,
            self.server.port,
            tree.path("repo").display(),
            place.trust
        )
    }

    /// The world state that the session's file has got since the last turn.
    fn world_states(&mut self, tree: &FixtureDirectory) -> Result<Vec<Value>, Failed> {
        let lines = self.new_lines(tree)?;
        self.seen += lines.len();
        let states = lines.iter().filter(|line| line["type"] == "world_state");
        Ok(states.map(|line| line["payload"].clone()).collect())
    }

    /// The lines that the session's file has got since; null where one cannot be read (yet).
    #[expect(clippy::disallowed_methods, reason = "looks into what the reference wrote")]
    fn new_lines(&self, tree: &FixtureDirectory) -> Result<Vec<Value>, Failed> {
        let file = newest_rollout(&tree.path("home/sessions")).ok_or("no session was recorded")?;
        let text = String::from_utf8_lossy(&std::fs::read(file)?).into_owned();
        let parse = |line| serde_json::from_str(line).unwrap_or_default();
        Ok(text.lines().skip(self.seen).map(parse).collect())
    }
}

#[expect(clippy::disallowed_methods, reason = "looks for what the reference wrote")]
fn newest_rollout(directory: &Path) -> Option<PathBuf> {
    let mut found: Vec<PathBuf> = Vec::new();
    let mut directories = vec![directory.to_owned()];
    while let Some(directory) = directories.pop() {
        for entry in std::fs::read_dir(directory).ok()?.flatten() {
            let path = entry.path();
            if entry.file_type().is_ok_and(|it| it.is_dir()) {
                directories.push(path);
            } else if path.extension().is_some_and(|it| it == "jsonl") {
                found.push(path);
            }
        }
    }
    found.into_iter().max()
}
