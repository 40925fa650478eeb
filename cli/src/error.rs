//! What can end a run early, and with which exit code.

use std::io;

use recto_core::agents_md::AgentsMdError;
use recto_core::config::ConfigError;
use recto_core::rollout::{RepairError, ReplayError};

use crate::env::EnvError;
use crate::exit::ExitStatus;
use crate::find_error::FindError;
use crate::inputs::InputError;
use crate::turn_error::TurnError;

/// Why a run ended early; its words follow `error: `.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CliError {
    /// The surroundings cannot be used.
    #[error(transparent)]
    Env(#[from] EnvError),
    /// What was given beside the directory cannot be used.
    #[error(transparent)]
    Input(#[from] InputError),
    /// The configuration cannot be used.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// A policy forbids a read.
    #[error(transparent)]
    AgentsMd(#[from] AgentsMdError),
    /// No recorded session is meant.
    #[error(transparent)]
    Locate(#[from] FindError),
    /// A recorded session cannot be rebuilt.
    #[error(transparent)]
    Replay(#[from] ReplayError),
    /// There is no repaired copy.
    #[error(transparent)]
    Repair(#[from] RepairError),
    /// No turn can run, or what came of it is lost.
    #[error(transparent)]
    Turn(#[from] TurnError),
    /// The async runtime did not start.
    #[error("the program cannot start")]
    Runtime(#[source] io::Error),
    /// Standard output cannot be written.
    #[error("standard output cannot be written")]
    Output(#[source] io::Error),
    /// Whoever read standard output went away; nothing is said.
    #[error("standard output is closed")]
    ClosedPipe,
}

impl CliError {
    /// The one place where errors become exit codes.
    pub(crate) fn exit_status(&self) -> ExitStatus {
        match self {
            Self::ClosedPipe => ExitStatus::Fine,
            Self::Turn(TurnError::Record(_)) => ExitStatus::Faults,
            Self::Env(_)
            | Self::Input(_)
            | Self::Config(_)
            | Self::AgentsMd(_)
            | Self::Locate(_)
            | Self::Replay(_)
            | Self::Repair(_)
            | Self::Turn(_)
            | Self::Runtime(_)
            | Self::Output(_) => ExitStatus::Unusable,
        }
    }

    /// A way out, where there is one.
    pub(crate) fn hint(&self) -> Option<String> {
        match self {
            Self::Env(error) => Some(error.hint().to_owned()),
            Self::Config(error) => error.hint(),
            Self::Input(error) => error.hint(),
            Self::Turn(error) => error.hint(),
            Self::Locate(error) => error.hint(),
            Self::AgentsMd(_) => {
                Some("let the permission profile read it: [permissions.NAME.filesystem]".to_owned())
            }
            Self::Replay(_)
            | Self::Repair(_)
            | Self::Runtime(_)
            | Self::Output(_)
            | Self::ClosedPipe => None,
        }
    }
}
