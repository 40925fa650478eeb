//! How the model and the person share the work.

use serde::{Deserialize, Serialize};

use super::facts::{CollaborationModeFacts, Facts};
use super::section::{Previous, WorldStateSection};
use crate::context::RenderedFragment;
use crate::context::collaboration_mode::{CollaborationMode, CollaborationModeInstructions};

/// The mode that holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CollaborationModeState(CollaborationModeFacts);

/// What is remembered: mode, model, and the host's own words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CollaborationModeSnapshot {
    mode: CollaborationMode,
    #[serde(default)]
    model: Option<String>,
    #[serde(default)]
    instructions: Option<String>,
}

impl WorldStateSection for CollaborationModeState {
    const ID: &'static str = "collaboration_mode";
    type Snapshot = CollaborationModeSnapshot;

    fn from_facts(facts: &Facts) -> Option<Self> {
        facts.collaboration_mode.clone().map(Self)
    }

    fn snapshot(&self) -> CollaborationModeSnapshot {
        let CollaborationModeFacts { mode, model, instructions, .. } = self.0.clone();
        CollaborationModeSnapshot { mode, model: Some(model), instructions }
    }

    /// Told when the mode or its words changed; another model alone is no change of it.
    fn render_diff(&self, previous: Previous<&CollaborationModeSnapshot>) -> Vec<RenderedFragment> {
        let CollaborationModeFacts { mode, instructions, announces_default, .. } = &self.0;
        let goes_without_saying =
            *mode == CollaborationMode::Default && instructions.is_none() && !announces_default;
        let is_told = match previous {
            Previous::Known(known) => {
                known.mode == *mode && known.has_words(instructions.as_deref())
            }
            Previous::Absent | Previous::Unknown => goes_without_saying,
        };
        if is_told {
            return Vec::new();
        }
        let (mode, instructions) = (*mode, instructions.clone());
        vec![RenderedFragment::of(&CollaborationModeInstructions { mode, instructions })]
    }
}

impl CollaborationModeSnapshot {
    /// Whether these words were told; a record of the reference has a digest of its own making instead, which says
    /// nothing to us and counts as the same.
    fn has_words(&self, words: Option<&str>) -> bool {
        let is_digest =
            |it: &str| it.len() == 40 && it.bytes().all(|byte| byte.is_ascii_hexdigit());
        match self.instructions.as_deref() {
            Some(recorded) if is_digest(recorded) => true,
            recorded => recorded == words,
        }
    }
}
