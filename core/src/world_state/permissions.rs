//! What the agent may do, told whole whenever it changes.

use serde::{Deserialize, Serialize};

use super::facts::{Facts, PermissionFacts};
use super::section::{Previous, WorldStateSection};
use crate::context::{PermissionsInstructions, RenderedFragment};

/// The permissions as they are explained.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PermissionsState(RenderedFragment);

/// What is remembered: the text that was told.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PermissionsSnapshot {
    instructions: String,
}

impl WorldStateSection for PermissionsState {
    const ID: &'static str = "permissions";
    type Snapshot = PermissionsSnapshot;

    fn from_facts(facts: &Facts) -> Option<Self> {
        let PermissionFacts { profile, approval_policy } = facts.permissions.clone()?;
        Some(Self(RenderedFragment::of(&PermissionsInstructions { profile, approval_policy })))
    }

    fn snapshot(&self) -> PermissionsSnapshot {
        PermissionsSnapshot { instructions: self.0.text.clone() }
    }

    fn render_diff(&self, previous: Previous<&PermissionsSnapshot>) -> Vec<RenderedFragment> {
        match previous {
            Previous::Known(known) if known.instructions == self.0.text => Vec::new(),
            _ => vec![self.0.clone()],
        }
    }
}
