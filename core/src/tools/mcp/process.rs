//! Servers that are programs on this machine.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::task::JoinHandle;
use tokio::time::timeout;

use super::options::McpOptions;
use super::stderr::LastWords;
use crate::environment::ProcessGroup;

/// Variables that every program gets, as the reference gives them.
const PASSED_ON: [&str; 18] = [
    "HOME",
    "LOGNAME",
    "PATH",
    "SHELL",
    "USER",
    "__CF_USER_TEXT_ENCODING",
    "LANG",
    "LC_ALL",
    "TERM",
    "TMPDIR",
    "TZ",
    "CODEX_CA_CERTIFICATE",
    "CURL_CA_BUNDLE",
    "GIT_SSL_CAINFO",
    "NODE_EXTRA_CA_CERTS",
    "PIP_CERT",
    "REQUESTS_CA_BUNDLE",
    "SSL_CERT_FILE",
];

/// How long a program may take to end once its input is closed, or to be seen as ended.
const FAREWELL: Duration = Duration::from_secs(1);

/// A program, as it is configured.
#[derive(Debug, Clone, Copy)]
pub(super) struct Program<'a> {
    pub(super) command: &'a str,
    pub(super) args: &'a [String],
    pub(super) env: &'a BTreeMap<String, String>,
    pub(super) env_vars: &'a [String],
    pub(super) cwd: Option<&'a Path>,
}

/// A running program; it and all that it started are killed when this is dropped.
#[derive(Debug)]
pub(super) struct ServerProcess {
    child: Child,
    group: ProcessGroup,
    last_words: LastWords,
    listener: Option<JoinHandle<()>>,
}

impl ServerProcess {
    /// Starts a program in a process group of its own.
    pub(super) fn start(
        program: Program<'_>,
        options: &McpOptions,
    ) -> io::Result<(Self, ChildStdout, ChildStdin)> {
        let cwd = program.cwd.map_or_else(|| options.cwd.clone(), |it| options.cwd.join(it));
        let mut child = Command::new(program.command)
            .args(program.args)
            .env_clear()
            .envs(variables(program, &options.variables))
            .current_dir(cwd)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .kill_on_drop(true)
            .spawn()?;
        let group = ProcessGroup::of(&child);
        let (Some(stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(io::ErrorKind::BrokenPipe.into());
        };
        let last_words = LastWords::default();
        let listener = child.stderr.take().map(|it| tokio::spawn(last_words.clone().listen(it)));
        Ok((Self { child, group, last_words, listener }, stdout, stdin))
    }

    /// Waits until the program ends; what it left running may go on.
    pub(super) async fn exit(&mut self) {
        // Where nobody can wait for it, its end is seen by the end of its output.
        if self.child.wait().await.is_err() {
            std::future::pending::<()>().await;
        }
    }

    /// Waits a little for the program's end, kills it where it does not come, and says how it ended.
    pub(super) async fn end(mut self) -> String {
        let ended = timeout(FAREWELL, self.child.wait()).await;
        let how = match &ended {
            Ok(Ok(status)) => describe(*status),
            Ok(Err(error)) => error.to_string(),
            Err(_) => "it closed its output and went on running".to_owned(),
        };
        // What it left running may hold the pipe open. Its number cannot have become another's in so short a time.
        drop(self.group);
        if let Some(listener) = self.listener.take() {
            let _ = timeout(FAREWELL / 4, listener).await;
        }
        format!("{how}{}", self.last_words.phrase())
    }

    /// What it said last, as a phrase that goes on after another.
    pub(super) fn last_words(&self) -> String {
        self.last_words.phrase()
    }
}

fn describe(status: ExitStatus) -> String {
    match status.code() {
        Some(code) => format!("it exited with code {code}"),
        None => format!("it was stopped by a {status}"),
    }
}

fn variables(program: Program<'_>, all: &BTreeMap<String, String>) -> BTreeMap<String, String> {
    let named = program.env_vars.iter().map(String::as_str);
    let passed_on = PASSED_ON.into_iter().chain(named);
    let mut variables: BTreeMap<String, String> =
        passed_on.filter_map(|name| Some((name.to_owned(), all.get(name)?.clone()))).collect();
    variables.extend(program.env.clone());
    variables
}
