//! Who an item speaks as.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// Who a message speaks as, to the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// The provider's own instructions; never written by this engine.
    System,
    /// The program that runs the agent.
    Developer,
    /// The person, and everything that stands on their side: AGENTS.md, the environment, hooks.
    User,
    /// The model.
    Assistant,
}

impl Role {
    /// The word on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::Developer => "developer",
            Self::User => "user",
            Self::Assistant => "assistant",
        }
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A role that the Responses wire does not have; it is reported, never dropped.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown role `{0}`: expected system, developer, user or assistant")]
pub struct UnknownRole(pub String);

impl FromStr for Role {
    type Err = UnknownRole;

    fn from_str(text: &str) -> Result<Self, UnknownRole> {
        match text {
            "system" => Ok(Self::System),
            "developer" => Ok(Self::Developer),
            "user" => Ok(Self::User),
            "assistant" => Ok(Self::Assistant),
            other => Err(UnknownRole(other.to_owned())),
        }
    }
}
