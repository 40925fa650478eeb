//! Environments of a thread on their way from starting to ready.

use std::path::PathBuf;
use std::sync::Arc;

use recto_protocol::PermissionProfile;
use tokio::sync::oneshot;

use super::FileSystem;
use super::local::LocalFileSystem;
use super::sandboxed::{SandboxPolicy, SandboxedFileSystem};
use super::selection::{
    Environment, EnvironmentFailure, TurnEnvironment, TurnEnvironmentSelection,
    TurnEnvironmentSnapshot,
};

/// This machine as an environment; its files are read as far as the permission profile that stands lets them be.
#[derive(Debug, Clone)]
pub struct LocalEnvironment {
    /// What was asked for.
    pub selection: TurnEnvironmentSelection,
    /// The name of its shell.
    pub shell: String,
    /// What `:tmpdir` stands for in a profile.
    pub tmpdir: Option<PathBuf>,
}

impl LocalEnvironment {
    fn confined(&self, profile: &PermissionProfile) -> TurnEnvironment {
        let policy = SandboxPolicy::of_profile(profile, self.tmpdir.as_deref());
        let file_system: Arc<dyn FileSystem> = if policy.allows_everything() {
            Arc::new(LocalFileSystem)
        } else {
            Arc::new(SandboxedFileSystem::new(policy))
        };
        TurnEnvironment {
            selection: self.selection.clone(),
            environment: Arc::new(Environment { file_system, shell: self.shell.clone() }),
        }
    }
}

/// An environment that somebody is bringing up.
#[derive(Debug)]
pub struct StartingEnvironment {
    /// What was asked for.
    pub selection: TurnEnvironmentSelection,
    /// Answers once: the environment, or why there will be none.
    pub started: oneshot::Receiver<Result<Arc<Environment>, String>>,
}

/// All environments of a thread, in the order in which they were selected.
#[derive(Debug, Default)]
pub struct ThreadEnvironments(Vec<Entry>);

#[derive(Debug)]
enum Entry {
    Ready(TurnEnvironment),
    /// This machine, as it was described and as it is confined now.
    Local(LocalEnvironment, TurnEnvironment),
    Starting(StartingEnvironment),
    Failed(EnvironmentFailure),
}

impl ThreadEnvironments {
    /// Adds an environment that can be used at once.
    pub fn push_ready(&mut self, environment: TurnEnvironment) {
        self.0.push(Entry::Ready(environment));
    }

    /// Adds this machine, its reads confined by a permission profile.
    pub fn push_local(&mut self, local: LocalEnvironment, profile: &PermissionProfile) {
        let confined = local.confined(profile);
        self.0.push(Entry::Local(local, confined));
    }

    /// Confines the reads of this machine by another permission profile.
    pub fn confine(&mut self, profile: &PermissionProfile) {
        for entry in &mut self.0 {
            if let Entry::Local(local, confined) = entry {
                *confined = local.confined(profile);
            }
        }
    }

    /// Adds an environment that is being brought up.
    pub fn push_starting(&mut self, starting: StartingEnvironment) {
        self.0.push(Entry::Starting(starting));
    }

    /// Promotes what has finished starting, and takes out what went away; never waits.
    pub fn refresh_readiness(&mut self) {
        for entry in &mut self.0 {
            if let Some(failure) = entry.loss() {
                *entry = Entry::Failed(failure);
            }
            let Entry::Starting(starting) = entry else { continue };
            let started = match starting.started.try_recv() {
                Err(oneshot::error::TryRecvError::Empty) => continue,
                started => started.ok(),
            };
            *entry = Entry::of_start(starting.selection.clone(), started);
        }
    }

    /// Waits until each one that starts is ready or has failed; what is there already keeps its state when this is
    /// given up.
    pub async fn settle(&mut self) {
        for entry in &mut self.0 {
            let Entry::Starting(starting) = entry else { continue };
            let started = (&mut starting.started).await;
            *entry = Entry::of_start(starting.selection.clone(), started.ok());
        }
    }

    /// Whether one that was ready went away since the last look.
    pub fn has_lost_any(&self) -> bool {
        self.0.iter().any(|entry| entry.loss().is_some())
    }

    /// Moves the primary environment to another directory.
    pub fn set_primary_cwd(&mut self, cwd: PathBuf) {
        match self.0.first_mut() {
            Some(Entry::Ready(environment)) => environment.selection.cwd = cwd,
            Some(Entry::Local(local, confined)) => {
                local.selection.cwd.clone_from(&cwd);
                confined.selection.cwd = cwd;
            }
            Some(Entry::Starting(starting)) => starting.selection.cwd = cwd,
            Some(Entry::Failed(failure)) => failure.selection.cwd = cwd,
            None => {}
        }
    }

    /// The environments as they are now.
    pub fn snapshot(&self) -> TurnEnvironmentSnapshot {
        let mut snapshot = TurnEnvironmentSnapshot::default();
        for entry in &self.0 {
            match entry {
                Entry::Ready(environment) | Entry::Local(_, environment) => {
                    snapshot.ready.push(environment.clone());
                }
                Entry::Starting(starting) => snapshot.starting.push(starting.selection.clone()),
                Entry::Failed(failure) => snapshot.failed.push(failure.clone()),
            }
        }
        snapshot
    }
}

impl Entry {
    /// How a start ended; none where whoever was at it is gone.
    fn of_start(
        selection: TurnEnvironmentSelection,
        started: Option<Result<Arc<Environment>, String>>,
    ) -> Self {
        match started {
            Some(Ok(environment)) => Self::Ready(TurnEnvironment { selection, environment }),
            Some(Err(reason)) => Self::Failed(EnvironmentFailure { selection, reason }),
            None => {
                let reason = "what was starting it is gone".to_owned();
                Self::Failed(EnvironmentFailure { selection, reason })
            }
        }
    }

    /// What became of an environment that was ready and is gone.
    fn loss(&self) -> Option<EnvironmentFailure> {
        let Self::Ready(TurnEnvironment { selection, environment }) = self else { return None };
        let reason = environment.file_system.lost()?;
        Some(EnvironmentFailure { selection: selection.clone(), reason })
    }
}
