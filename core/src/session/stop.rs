//! Why a turn does not go on.

use crate::agents_md::AgentsMdError;
use crate::model::SampleError;

/// Why a turn does not go on.
#[derive(Debug)]
pub(super) enum Stop {
    /// The person stopped it.
    Interrupted,
    /// A hook ended it.
    Hook {
        /// Why.
        reason: String,
    },
    /// A policy forbids to read instructions.
    AgentsMd(AgentsMdError),
    /// The model gave no whole answer.
    Sample(SampleError),
}

impl Stop {
    /// Why the turn was cut short, as it is recorded.
    pub(super) fn reason(&self) -> String {
        match self {
            Self::Interrupted => "interrupted".to_owned(),
            Self::Hook { .. } => "blocked".to_owned(),
            Self::AgentsMd(error) => error.to_string(),
            Self::Sample(error) => error.to_string(),
        }
    }
}
