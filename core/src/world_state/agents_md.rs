//! The instructions of AGENTS.md, and how a change of them is told.

use serde::{Deserialize, Serialize};

use super::facts::Facts;
use super::section::{Previous, WorldStateSection};
use crate::context::{RenderedFragment, UserInstructions};

/// Stands before a text that replaces an older one.
const REPLACEMENT_NOTICE: &str =
    "These AGENTS.md instructions replace all previously provided AGENTS.md instructions.\n\n";

/// Stands in for a text that is gone.
const REMOVAL_NOTICE: &str = "The previously provided AGENTS.md instructions no longer apply.";

/// The instructions that stand; what is remembered of them is the very same.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AgentsMdState {
    /// The directory in the heading.
    #[serde(default)]
    pub directory: Option<String>,
    /// The text; none where there are no instructions.
    #[serde(default)]
    pub text: Option<String>,
}

impl WorldStateSection for AgentsMdState {
    const ID: &'static str = "agents_md";
    type Snapshot = Self;

    fn from_facts(facts: &Facts) -> Option<Self> {
        Some(Self { directory: facts.agents_md.directory.clone(), text: facts.agents_md.text.clone() })
    }

    fn snapshot(&self) -> Self {
        self.clone()
    }

    fn render_diff(&self, previous: Previous<&Self>) -> Vec<RenderedFragment> {
        if previous == Previous::Known(self) {
            return Vec::new();
        }
        let told_before = match previous {
            Previous::Absent => false,
            Previous::Unknown => true,
            Previous::Known(known) => known.text.is_some(),
        };
        let fragment = match (&self.text, told_before) {
            (None, false) => return Vec::new(),
            (None, true) => UserInstructions { directory: None, text: REMOVAL_NOTICE.to_owned() },
            (Some(text), false) => {
                UserInstructions { directory: self.directory.clone(), text: text.clone() }
            }
            (Some(text), true) => UserInstructions {
                directory: self.directory.clone(),
                text: format!("{REPLACEMENT_NOTICE}{text}"),
            },
        };
        vec![RenderedFragment::of(&fragment)]
    }
}
