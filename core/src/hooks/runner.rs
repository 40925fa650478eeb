//! Who runs the commands of hooks.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use async_trait::async_trait;

/// Bytes of each output stream that are kept; the rest is read and thrown away.
pub const MAX_OUTPUT_BYTES: usize = 1024 * 1024;

/// A command to run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HookProcess {
    /// What `sh -c` runs.
    pub command: String,
    /// Where it runs.
    pub cwd: PathBuf,
    /// Its standard input.
    pub input: String,
    /// How long it may take.
    pub timeout: Duration,
}

/// What came of a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HookOutput {
    /// How it ended.
    pub end: HookEnd,
    /// What it wrote, at most [`MAX_OUTPUT_BYTES`].
    pub stdout: Vec<u8>,
    /// What it wrote about itself, at most [`MAX_OUTPUT_BYTES`].
    pub stderr: Vec<u8>,
}

/// How a command ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HookEnd {
    /// On its own, with this code.
    Exited(i32),
    /// By a signal.
    Signalled(i32),
    /// It took too long and was killed.
    TimedOut,
    /// It never began; a phrase says why.
    NotStarted(String),
}

impl HookEnd {
    /// With nothing written.
    pub fn without_output(self) -> HookOutput {
        HookOutput { end: self, stdout: Vec::new(), stderr: Vec::new() }
    }
}

/// Runs the commands of hooks.
#[async_trait]
pub trait HookRunner: fmt::Debug + Send + Sync {
    /// Runs a command to its end, or to the end of its time.
    ///
    /// When the future is dropped the command is killed.
    async fn run(&self, process: HookProcess) -> HookOutput;
}
