//! All sections together, and what is remembered of them.

use std::collections::BTreeMap;
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
            Some(told) => told.section(id).map_or(Previous::Unknown, Previous::Known),
        };
        self.0
            .iter()
            .flat_map(|section| section.render_diff_from_json(before(section.id())))
            .collect()
    }

    /// What is to be remembered once the model was told; sections of `previous` that are not ours are carried along.
    pub fn snapshot(&self, previous: &WorldStateSnapshot) -> WorldStateSnapshot {
        let mut sections = Sections::clone(&previous.0);
        for id in super::SECTION_IDS {
            sections.remove(*id);
        }
        for section in &self.0 {
            let mut value = section.snapshot_json();
            strip_nulls(&mut value);
            // What is as it was is shared: a long session remembers a state for each of its turns.
            let value = match previous.0.get(section.id()) {
                Some(same) if **same == value => Arc::clone(same),
                _ => Arc::new(value),
            };
            sections.insert(section.id().into(), value);
        }
        WorldStateSnapshot(Arc::new(sections))
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
///
/// A clone shares it, and a state that follows from another shares the sections that are the same in both.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct WorldStateSnapshot(Arc<Sections>);

type Sections = BTreeMap<Arc<str>, Arc<Value>>;

impl WorldStateSnapshot {
    /// Takes a recorded state.
    pub fn from_json(state: Map<String, Value>) -> Self {
        let sections = state.into_iter().map(|(id, value)| (id.into(), Arc::new(value)));
        Self(Arc::new(sections.collect()))
    }

    /// Whether something was told and nobody knows what.
    pub fn is_unknown(&self) -> bool {
        self.0.is_empty()
    }

    /// One section as it is recorded.
    pub fn section(&self, id: &str) -> Option<&Value> {
        self.0.get(id).map(|value| &**value)
    }

    /// The names of its sections, sorted.
    pub fn sections(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(|id| &**id)
    }

    /// The state as it is recorded.
    pub fn to_json(&self) -> Map<String, Value> {
        self.0.iter().map(|(id, value)| (id.to_string(), Value::clone(value))).collect()
    }

    /// The merge patch (RFC 7386) that leads from `previous` here; none where nothing changed.
    pub fn merge_patch_from(&self, previous: &Self) -> Option<Value> {
        let others = |of: &Self, than: &Self| -> Value {
            let differ = of.0.iter().filter(|(id, value)| than.0.get(*id) != Some(value));
            differ.map(|(id, value)| (id.to_string(), Value::clone(value))).collect()
        };
        if Arc::ptr_eq(&self.0, &previous.0) {
            return None;
        }
        merge_patch_from(&others(previous, self), &others(self, previous))
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
        for (id, change) in patch.as_object().into_iter().flatten() {
            let mut value = self.section(id).cloned().unwrap_or_default();
            apply_merge_patch(&mut value, change);
            self.set(id, Some(value).filter(|_| !change.is_null()));
        }
    }

    /// Puts a section in the place of the one of that name, or takes that away.
    pub(crate) fn set(&mut self, id: &str, value: Option<Value>) {
        let sections = Arc::make_mut(&mut self.0);
        match value {
            Some(value) => sections.insert(id.into(), Arc::new(value)),
            None => sections.remove(id),
        };
    }
}
