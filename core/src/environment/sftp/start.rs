//! Starts the command that speaks SFTP, in the background.

use std::ffi::OsString;
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::process::{Child, Command};
use tokio::sync::oneshot;

use super::files::{SftpFileSystem, SftpLimits};
use crate::environment::process_group::ProcessGroup;
use crate::environment::{Environment, StartingEnvironment, TurnEnvironmentSelection};

/// Bytes of a command's last words that are told.
const LAST_WORDS_BYTES: usize = 1024;

/// How long a command may take to end when nobody speaks to it any more.
const LAST_MOMENTS: Duration = Duration::from_secs(2);

/// A command that speaks SFTP on its standard streams, and what is known about where it leads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SftpCommand {
    /// The program and its arguments.
    pub command: Vec<OsString>,
    /// The name of the shell there, as the model is told.
    pub shell: String,
    /// How long it may take.
    pub limits: SftpLimits,
}

/// Starts the command on the current runtime; never waits.
///
/// It runs until the environment is dropped.
pub fn start_sftp(
    selection: TurnEnvironmentSelection,
    command: SftpCommand,
) -> StartingEnvironment {
    let (start, started) = oneshot::channel();
    tokio::spawn(async move {
        // Who does not want the environment any more does not want to know.
        let _ = start.send(bring_up(command).await);
    });
    StartingEnvironment { selection, started }
}

async fn bring_up(command: SftpCommand) -> Result<Arc<Environment>, String> {
    let SftpCommand { command, shell, limits } = command;
    let shown = shown(&command);
    let (program, arguments) = command.split_first().ok_or("its command is empty")?;
    let mut child = Command::new(program)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0)
        .kill_on_drop(true)
        .spawn()
        .map_err(|error| format!("`{shown}` cannot be started: {error}"))?;
    let (Some(stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
        return Err(format!("`{shown}` has no pipes"));
    };
    let group = ProcessGroup::of(&child);
    let (tell, last_words) = oneshot::channel();
    let (stay, left) = oneshot::channel();
    tokio::spawn(attend(child, group, left, tell));
    let last_words = async move {
        let words = last_words.await.unwrap_or_default();
        drop(stay);
        words
    };
    let files = SftpFileSystem::connect(stdout, stdin, last_words, limits);
    let file_system = files.await.map_err(|reason| format!("`{shown}`: {reason}"))?;
    Ok(Arc::new(Environment { file_system: Arc::new(file_system), shell }))
}

/// Waits for a command to end and tells how; ends it where nobody speaks to it any more.
async fn attend(
    mut child: Child,
    mut group: ProcessGroup,
    left: oneshot::Receiver<()>,
    tell: oneshot::Sender<String>,
) {
    let mut said = Vec::new();
    let ended = {
        let stderr = child.stderr.take();
        let listen = listen(stderr, &mut said);
        tokio::select! {
            ended = async { tokio::join!(child.wait(), listen).0 } => ended.ok(),
            // Whoever held the other end is gone.
            _ = left => None,
        }
    };
    let Some(status) = ended else {
        // It is killed, with all that it started, where it does not end by itself.
        if tokio::time::timeout(LAST_MOMENTS, child.wait()).await.is_ok() {
            group.disarm();
        }
        return;
    };
    group.disarm();
    let mut words = format!(" ({status})");
    let said = String::from_utf8_lossy(&said);
    if !said.trim().is_empty() {
        words.push_str(": ");
        words.push_str(said.trim());
    }
    // Nobody may want to know any more.
    let _ = tell.send(words);
}

/// Keeps the last bytes of what is said.
async fn listen(pipe: Option<impl AsyncRead + Unpin>, said: &mut Vec<u8>) {
    let Some(mut pipe) = pipe else { return };
    let mut buffer = [0; 1024];
    while let Ok(count @ 1..) = pipe.read(&mut buffer).await {
        said.extend_from_slice(&buffer[..count]);
        let too_many = said.len().saturating_sub(LAST_WORDS_BYTES);
        said.drain(..too_many);
    }
}

/// A command as people write it.
fn shown(command: &[OsString]) -> String {
    let words: Vec<_> = command.iter().map(|word| word.to_string_lossy()).collect();
    words.join(" ")
}
