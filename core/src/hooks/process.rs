//! Runs the commands of hooks on this machine.

use std::os::unix::process::ExitStatusExt;
use std::pin::pin;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use async_trait::async_trait;
use futures_util::future::{Either, join3, select};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt};
use tokio::process::{Child, ChildStdin, Command};
use tokio::time::timeout;

use super::runner::{HookEnd, HookOutput, HookProcess, HookRunner, MAX_OUTPUT_BYTES};
use crate::environment::ProcessGroup;

/// How long output is still read after a command ended: something it left running may hold the pipes open.
const LAST_WORDS: Duration = Duration::from_millis(200);

/// Runs each command with `sh -c` in a process group of its own, in the environment of this program.
///
/// A command that takes too long is killed with all that it started. What a command left running when it ended in
/// time goes on.
#[derive(Debug, Clone, Copy, Default)]
pub struct LocalHookRunner;

#[async_trait]
impl HookRunner for LocalHookRunner {
    async fn run(&self, process: HookProcess) -> HookOutput {
        let spawned = Command::new("sh")
            .arg("-c")
            .arg(&process.command)
            .current_dir(&process.cwd)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .kill_on_drop(true)
            .spawn();
        match spawned {
            Ok(child) => attend(child, process).await,
            Err(error) => HookEnd::NotStarted(error.to_string()).without_output(),
        }
    }
}

async fn attend(mut child: Child, process: HookProcess) -> HookOutput {
    let mut group = ProcessGroup::of(&child);
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    let end = {
        let mut pump = pin!(join3(
            tell(pipes.0, process.input),
            listen(pipes.1, &mut stdout),
            listen(pipes.2, &mut stderr),
        ));
        let ended = async {
            match select(pin!(child.wait()), &mut pump).await {
                Either::Left((status, _)) => (status, true),
                Either::Right((_, wait)) => (wait.await, false),
            }
        };
        match timeout(process.timeout, ended).await {
            Ok((status, is_writing)) => {
                group.disarm();
                if is_writing {
                    // Whether more would have come is not known; what came counts.
                    let _ = timeout(LAST_WORDS, pump).await;
                }
                status.map_or_else(|error| HookEnd::NotStarted(error.to_string()), end_of)
            }
            Err(_) => HookEnd::TimedOut,
        }
    };
    drop(group);
    HookOutput { end, stdout, stderr }
}

fn end_of(status: ExitStatus) -> HookEnd {
    match (status.code(), status.signal()) {
        (Some(code), _) => HookEnd::Exited(code),
        (None, signal) => HookEnd::Signalled(signal.unwrap_or_default()),
    }
}

/// Writes the input and closes the pipe; a command need not read it.
async fn tell(pipe: Option<ChildStdin>, input: String) {
    if let Some(mut pipe) = pipe {
        let _ = pipe.write_all(input.as_bytes()).await;
    }
}

/// Reads to the end and keeps the head, so that a command is never held by a full pipe.
async fn listen(pipe: Option<impl AsyncRead + Unpin>, kept: &mut Vec<u8>) {
    let Some(mut pipe) = pipe else { return };
    let mut buffer = vec![0; 16 * 1024];
    while let Ok(count @ 1..) = pipe.read(&mut buffer).await {
        let room = MAX_OUTPUT_BYTES - kept.len();
        kept.extend_from_slice(&buffer[..count.min(room)]);
    }
}
