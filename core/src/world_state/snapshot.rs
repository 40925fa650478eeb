//! All sections together, and what is remembered of them.

use std::sync::Arc;

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
        let mut sections = Map::clone(&previous.0);
        for id in super::SECTION_IDS {
            sections.remove(*id);
        }
        for section in &self.0 {
            let mut value = section.snapshot_json();
            strip_nulls(&mut value);
            sections.insert(section.id().to_owned(), value);
        }
        WorldStateSnapshot::from_json(sections)
    }
}

impl std::fmt::Debug for WorldState {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list()
            .entries(self.0.iter().map(|section| (section.id(), section.snapshot_json())))
            .finish()
    }
}

/// What the model was told, by section; unknown sections are kept as they are. A clone shares it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct WorldStateSnapshot(Arc<Map<String, Value>>);

impl WorldStateSnapshot {
    /// Takes a recorded state.
    pub fn from_json(state: Map<String, Value>) -> Self {
        Self(Arc::new(state))
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
        if Arc::ptr_eq(&self.0, &previous.0) {
            return None;
        }
        let value = |it: &Self| Value::Object(Map::clone(&it.0));
        merge_patch_from(&value(previous), &value(self))
    }

    /// The state after a recorded patch; a patch that is no object is no state and changes nothing.
    #[must_use]
    pub fn patched(&self, patch: &Value) -> Self {
        let mut state = self.clone();
        state.apply(patch);
        state
    }

    /// Applies a recorded patch; one that is no object changes nothing.
    pub fn apply(&mut self, patch: &Value) {
        if !patch.is_object() {
            return;
        }
        let mut state = Value::Object(std::mem::take(Arc::make_mut(&mut self.0)));
        apply_merge_patch(&mut state, patch);
        if let Value::Object(state) = state {
            *self = Self::from_json(state);
        }
    }
}
