//! The skills of the host, told whole whenever their list changed.

use serde::{Deserialize, Serialize};

use super::facts::{Facts, SkillFacts};
use super::section::{Previous, WorldStateSection};
use crate::context::{AvailableSkills, ContextualUserFragment, RenderedFragment};

/// The list of skills as it is told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostSkillsState {
    listed: Option<AvailableSkills>,
    include_instructions: bool,
}

/// What is remembered: the text between the markers; none where no skill is told.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct HostSkillsSnapshot {
    #[serde(default)]
    body: Option<String>,
    include_instructions: bool,
}

impl WorldStateSection for HostSkillsState {
    const ID: &'static str = "host_skills";
    type Snapshot = HostSkillsSnapshot;

    fn from_facts(facts: &Facts) -> Option<Self> {
        let SkillFacts { listing, include_instructions, with_usage } =
            facts.host_skills.as_ref()?;
        let listed =
            AvailableSkills::listed(listing, *with_usage).filter(|_| *include_instructions);
        Some(Self { listed, include_instructions: *include_instructions })
    }

    fn snapshot(&self) -> HostSkillsSnapshot {
        let body = self.listed.as_ref().map(ContextualUserFragment::body);
        HostSkillsSnapshot { body, include_instructions: self.include_instructions }
    }

    fn render_diff(&self, previous: Previous<&HostSkillsSnapshot>) -> Vec<RenderedFragment> {
        let told_before = match previous {
            Previous::Known(known) if known.body == self.snapshot().body => return Vec::new(),
            Previous::Known(known) => known.body.is_some(),
            Previous::Unknown => true,
            Previous::Absent => false,
        };
        match &self.listed {
            Some(listed) => vec![RenderedFragment::of(listed)],
            None if told_before => vec![RenderedFragment::of(&AvailableSkills::Removed)],
            None => Vec::new(),
        }
    }
}
