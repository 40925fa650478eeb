//! Which environments a turn uses, and a picture of them that never changes.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use super::FileSystem;

/// The name of an environment.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EnvironmentId(String);

impl EnvironmentId {
    /// Takes a name.
    pub fn new(id: impl Into<String>) -> Self {
        Self(id.into())
    }

    /// The machine that the program runs on.
    pub fn local() -> Self {
        Self::new("local")
    }

    /// The name itself.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for EnvironmentId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// An environment that runs: its files and its shell.
#[derive(Debug, Clone)]
pub struct Environment {
    /// Its files.
    pub file_system: Arc<dyn FileSystem>,
    /// The name of its shell, as the model is told: `bash`.
    pub shell: String,
}

/// What a turn asks for: an environment and a directory in it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct TurnEnvironmentSelection {
    /// The environment.
    pub environment_id: EnvironmentId,
    /// The directory; any bytes, opened as they are.
    pub cwd: PathBuf,
}

/// One environment that a turn uses.
#[derive(Debug, Clone)]
pub struct TurnEnvironment {
    /// What was asked for.
    pub selection: TurnEnvironmentSelection,
    /// What runs.
    pub environment: Arc<Environment>,
}

/// An environment that did not come up, or went away.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EnvironmentFailure {
    /// What was asked for.
    pub selection: TurnEnvironmentSelection,
    /// Why, as a phrase for people.
    pub reason: String,
}

/// The environments at one moment; a change later does not reach it.
#[derive(Debug, Clone, Default)]
pub struct TurnEnvironmentSnapshot {
    /// Those that can be used, the primary one first.
    pub ready: Vec<TurnEnvironment>,
    /// Those that are still starting.
    pub starting: Vec<TurnEnvironmentSelection>,
    /// Those that did not come up.
    pub failed: Vec<EnvironmentFailure>,
}

impl TurnEnvironmentSnapshot {
    /// The selections of the ready environments; those that still start are no part of it.
    pub fn to_selections(&self) -> Vec<TurnEnvironmentSelection> {
        self.ready.iter().map(|environment| environment.selection.clone()).collect()
    }

    /// The environment in which a turn works unless it says otherwise.
    pub fn primary(&self) -> Option<&TurnEnvironment> {
        self.ready.first()
    }
}
