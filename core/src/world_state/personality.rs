//! How the person wants to be talked to.

use serde::{Deserialize, Serialize};

use super::facts::Facts;
use super::section::{Previous, WorldStateSection};
use crate::context::RenderedFragment;
use crate::context::personality_spec::{Personality, PersonalitySpec};

/// The choice that is told beside the base instructions; what is remembered of it is the very same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct PersonalityState {
    /// The choice; none where the person made none.
    #[serde(default)]
    pub personality: Option<Personality>,
}

impl WorldStateSection for PersonalityState {
    const ID: &'static str = "personality";
    type Snapshot = Self;

    /// None where the feature is off, and where the base instructions carry a personality already.
    fn from_facts(facts: &Facts) -> Option<Self> {
        let facts = facts.personality;
        let is_ours = facts.is_enabled && !facts.is_in_base_instructions;
        is_ours.then_some(Self { personality: facts.chosen })
    }

    fn snapshot(&self) -> Self {
        *self
    }

    fn render_diff(&self, previous: Previous<&Self>) -> Vec<RenderedFragment> {
        let told_before = match previous {
            Previous::Known(known) if known == self => return Vec::new(),
            Previous::Known(known) => known.personality.is_some(),
            // A tone that may have been asked for once is no reason to speak of it.
            Previous::Absent | Previous::Unknown => false,
        };
        if self.personality.is_none() && !told_before {
            return Vec::new();
        }
        vec![RenderedFragment::of(&PersonalitySpec { personality: self.personality })]
    }
}
