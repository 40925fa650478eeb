//! What is configured about an environment, before anything runs in it.

use std::path::PathBuf;

use super::EnvironmentId;

/// One environment as somebody asked for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EnvironmentSpec {
    /// Its name; `local` for this machine.
    pub id: EnvironmentId,
    /// Where commands run.
    pub cwd: PathBuf,
    /// The name of the shell that runs them.
    pub shell: String,
}
