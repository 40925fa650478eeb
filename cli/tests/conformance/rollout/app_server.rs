//! The reference as a program that goes on running: `codex app-server`, one line of JSON for each message.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use libtest_mimic::Failed;
use serde_json::{Value, json};

/// A thread of the reference in a process that is still there after a turn.
pub(super) struct AppServer {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    calls: u64,
    thread_id: String,
}

impl AppServer {
    /// Starts the program and a thread in it; `command` is the program without arguments.
    pub(super) fn start(mut command: Command) -> Result<Self, Failed> {
        command.arg("app-server").stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.stderr(Stdio::null()).spawn()?;
        let input = child.stdin.take().ok_or("it has no input")?;
        let output = BufReader::new(child.stdout.take().ok_or("it has no output")?);
        let mut server = Self { child, input, output, calls: 0, thread_id: String::new() };
        let client = json!({"name": "recto", "title": null, "version": "0"});
        server.call("initialize", &json!({"clientInfo": client}))?;
        server.send(&json!({"method": "initialized"}))?;
        let started = server.call("thread/start", &json!({}))?;
        let thread_id = started["thread"]["id"].as_str().ok_or("the thread has no id")?;
        thread_id.clone_into(&mut server.thread_id);
        Ok(server)
    }

    /// Runs a turn to its end.
    pub(super) fn turn(&mut self, text: &str) -> Result<(), Failed> {
        let input = json!([{"type": "text", "text": text}]);
        self.call("turn/start", &json!({"threadId": self.thread_id, "input": input}))?;
        while self.next()?["method"] != "turn/completed" {}
        Ok(())
    }

    fn call(&mut self, method: &str, params: &Value) -> Result<Value, Failed> {
        self.calls += 1;
        let id = self.calls;
        self.send(&json!({"id": id, "method": method, "params": params}))?;
        loop {
            let mut message = self.next()?;
            if message["id"] == id && message.get("method").is_none() {
                return match message.get("error") {
                    Some(error) => Err(format!("{method}: {error}").into()),
                    None => Ok(message["result"].take()),
                };
            }
        }
    }

    fn send(&mut self, message: &Value) -> Result<(), Failed> {
        Ok(writeln!(self.input, "{message}")?)
    }

    fn next(&mut self) -> Result<Value, Failed> {
        let mut line = String::new();
        if self.output.read_line(&mut line)? == 0 {
            return Err("the program ended".into());
        }
        Ok(serde_json::from_str(&line)?)
    }
}

impl Drop for AppServer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
