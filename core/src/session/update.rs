//! Tells the model what it does not know of the world yet: everything at first, later what changed.

use recto_protocol::{Item, Role};

use super::session::Session;
use super::step::StepContext;
use crate::context::{ContextFragment, DeveloperInstructions, ModelSwitch, RenderedFragment};
use crate::history::merge_contextual_fragments;
use crate::rollout::RolloutEntry;
use crate::world_state::{Facts, WorldState, WorldStateSnapshot};

/// Everything that a model is told before it was told anything: developer messages, then user messages.
pub(super) fn full_context(facts: &Facts) -> Vec<Item> {
    let developer_instructions = facts
        .developer_instructions
        .clone()
        .map(|text| RenderedFragment::of(&DeveloperInstructions { text }));
    let (apart, together) = if facts.is_guardian {
        (developer_instructions, None)
    } else {
        (None, developer_instructions)
    };
    let sections = WorldState::from_facts(facts).render_diff(None);
    let (developer, user): (Vec<_>, Vec<_>) =
        together.into_iter().chain(sections).partition(|fragment| fragment.role == Role::Developer);
    let mut items = merge_contextual_fragments(apart);
    items.extend(merge_contextual_fragments(developer.into_iter().chain(user)));
    items
}

/// The messages that tell a change; the notice of another model stands alone.
pub(super) fn update(fragments: Vec<RenderedFragment>) -> Vec<Item> {
    let (switch, rest): (Vec<_>, Vec<_>) =
        fragments.into_iter().partition(|fragment| fragment.kind == ModelSwitch::KIND);
    let mut items = merge_contextual_fragments(switch);
    items.extend(merge_contextual_fragments(rest));
    items
}

impl Session {
    /// Records what a step found changed: the items, then the new baseline, then the patch.
    ///
    /// In this order, for the baseline is what the model was told, not what was about to be told. Nothing waits between
    /// items and baseline: a task that goes away leaves both or neither, and nothing is told twice.
    pub(super) async fn record_step_world_state_if_changed(&mut self, step: &StepContext) {
        let world = WorldState::from_facts(&step.facts);
        let previous = self.state.baseline.clone();
        let items = match &previous {
            None => full_context(&step.facts),
            Some(told) => update(world.render_diff(Some(told))),
        };
        let mut entries = self.add_items(items);
        let next = world.snapshot(&previous.clone().unwrap_or_default());
        entries.extend(state_entry(previous.as_ref(), &next));
        self.state.baseline = Some(next);
        self.record_entries(entries).await;
    }
}

/// The whole state where nothing is known of the one before, else what changed.
fn state_entry(
    previous: Option<&WorldStateSnapshot>,
    next: &WorldStateSnapshot,
) -> Option<RolloutEntry> {
    match previous {
        Some(known) if !known.is_unknown() => next
            .merge_patch_from(known)
            .map(|state| RolloutEntry::WorldState { full: false, state }),
        _ => Some(full_state_entry(next)),
    }
}

/// The whole state, as it stands at the start of a window.
pub(super) fn full_state_entry(state: &WorldStateSnapshot) -> RolloutEntry {
    RolloutEntry::WorldState { full: true, state: state.to_json().into() }
}
