//! A runner of hooks that only says what a test told it to.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use async_trait::async_trait;

use crate::hooks::{HookEnd, HookOutput, HookProcess, HookRunner};

/// Answers each command as scripted and remembers what it was asked; starts no process.
#[derive(Debug, Default)]
pub struct ScriptedHookRunner {
    /// None for a command that never ends.
    answers: BTreeMap<String, Option<HookOutput>>,
    processes: Mutex<Vec<HookProcess>>,
}

impl ScriptedHookRunner {
    /// Lets a command exit with a code after it wrote something.
    #[must_use]
    pub fn exits(mut self, command: &str, code: i32, stdout: &str, stderr: &str) -> Self {
        let (stdout, stderr) = (stdout.into(), stderr.into());
        let output = HookOutput { end: HookEnd::Exited(code), stdout, stderr };
        self.answers.insert(command.to_owned(), Some(output));
        self
    }

    /// Lets a command end in any way.
    #[must_use]
    pub fn ends(mut self, command: &str, output: HookOutput) -> Self {
        self.answers.insert(command.to_owned(), Some(output));
        self
    }

    /// Lets a command hang for ever, past its time and all patience.
    #[must_use]
    pub fn hangs(mut self, command: &str) -> Self {
        self.answers.insert(command.to_owned(), None);
        self
    }

    /// What was run, in the order in which it began.
    pub fn processes(&self) -> Vec<HookProcess> {
        self.processes.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

#[async_trait]
impl HookRunner for ScriptedHookRunner {
    /// A command without a script could not be started.
    async fn run(&self, process: HookProcess) -> HookOutput {
        let answer = self.answers.get(&process.command).cloned();
        self.processes.lock().unwrap_or_else(PoisonError::into_inner).push(process);
        match answer {
            Some(Some(output)) => output,
            Some(None) => std::future::pending().await,
            None => HookEnd::NotStarted("no script for this command".to_owned()).without_output(),
        }
    }
}
