//! All sections together, and what is remembered of them.

use serde_json::{Map, Value};

use super::facts::Facts;
use super::merge_patch::{apply_merge_patch, merge_patch_from, strip_nulls};
use super::section::{AnySection, Previous};
use super::sections_from;
use crate::context::RenderedFragment;

/// The state of the world at one step.
pub struct WorldState(Vec<Box<dyn AnySection>>);

impl WorldState {
    /// Derives the state from what was captured.
    pub fn from_facts(facts: &Facts) -> Self {
        Self(sections_from(facts))
    }

    /// What the model must be told, given what it was told before; in section order.
    ///
    /// Without a previous state it was told nothing. What a previous state does not have is not known to have been
    /// told or not.
    pub fn render_diff(&self, previous: Option<&WorldStateSnapshot>) -> Vec<RenderedFragment> {
        let before = |id| match previous {
            None => Previous::Absent,
            Some(told) => told.0.get(id).map_or(Previous::Unknown, Previous::Known),
        };
        self.0
            .iter()
            .flat_map(|section| section.render_diff_from_json(before(section.id())))
            .collect()
    }

    /// What is to be remembered once the model was told; sections of `previous` that are not ours are carried along.
    pub fn snapshot(&self, previous: &WorldStateSnapshot) -> WorldStateSnapshot {
        let mut sections = previous.0.clone();
        for id in super::SECTION_IDS {
            sections.remove(*id);
        }
        for section in &self.0 {
            let mut value = section.snapshot_json();
            strip_nulls(&mut value);
            sections.insert(section.id().to_owned(), value);
        }
        WorldStateSnapshot(sections)
    }
}

impl std::fmt::Debug for WorldState {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list()
            .entries(self.0.iter().map(|section| (section.id(), section.snapshot_json())))
            .finish()
    }
}

/// What the model was told, by section; unknown sections are kept as they are.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct WorldStateSnapshot(Map<String, Value>);

impl WorldStateSnapshot {
    /// Takes a recorded state.
    pub fn from_json(state: Map<String, Value>) -> Self {
        Self(state)
    }

    /// Whether something was told and nobody knows what.
    pub fn is_unknown(&self) -> bool {
        self.0.is_empty()
    }

    /// The state as it is recorded.
    pub fn as_json(&self) -> &Map<String, Value> {
        &self.0
    }

    /// The merge patch (RFC 7386) that leads from `previous` here; none where nothing changed.
    pub fn merge_patch_from(&self, previous: &Self) -> Option<Value> {
        merge_patch_from(&Value::Object(previous.0.clone()), &Value::Object(self.0.clone()))
    }

    /// The state after a recorded patch; a patch that is no object is no state and changes nothing.
    #[must_use]
    pub fn patched(&self, patch: &Value) -> Self {
        let mut state = Value::Object(self.0.clone());
        match apply_merge_patch(&mut state, patch) {
            () if patch.is_object() => match state {
                Value::Object(state) => Self(state),
                _ => self.clone(),
            },
            () => self.clone(),
        }
    }
}
