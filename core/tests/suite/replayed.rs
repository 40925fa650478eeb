//! The naive replay: what a record says that a session has come to, entry by entry and without care for cost.

use recto_core::history::{Audience, History, is_from_person};
use recto_core::rollout::RolloutEntry;
use recto_core::session::SessionState;
use recto_core::world_state::WorldStateSnapshot;
use serde_json::Value;

#[derive(Clone)]
struct Stand {
    history: History,
    baseline: Option<WorldStateSnapshot>,
    is_too_long: bool,
}

/// How things stood before a turn.
struct Turn {
    before: Stand,
    has_spoken: bool,
}

/// The state that a record leads to; what is sealed in it is sealed by the provider of the turn's settings.
pub(crate) fn replayed(entries: &[RolloutEntry], audience: Audience) -> SessionState {
    let mut now =
        Stand { history: History::new(audience.clone()), baseline: None, is_too_long: false };
    let mut provider = audience.provider.clone();
    let mut turns: Vec<Turn> = Vec::new();
    for entry in entries {
        match entry {
            RolloutEntry::TurnContext(settings) => {
                provider = settings.model_provider.as_deref().map(Into::into);
            }
            RolloutEntry::TurnStarted(_) => {
                turns.push(Turn { before: now.clone(), has_spoken: false });
            }
            RolloutEntry::Item(item) => {
                now.history
                    .set_audience(&Audience { provider: provider.clone(), ..audience.clone() });
                now.history.record([item.clone()]);
                if let Some(turn) = turns.last_mut() {
                    turn.has_spoken |= is_from_person(item);
                }
            }
            RolloutEntry::WorldState { full: true, state: Value::Object(state) } => {
                now.baseline = Some(WorldStateSnapshot::from_json(state.clone()));
            }
            RolloutEntry::WorldState { state, .. } => {
                now.baseline = Some(now.baseline.unwrap_or_default().patched(state));
            }
            RolloutEntry::Compacted { replacement_history, .. } => {
                now.history.replace(replacement_history.iter().cloned());
                now.is_too_long = false;
            }
            RolloutEntry::RolledBack { turns: count } => take_back(&mut now, &mut turns, *count),
            RolloutEntry::Usage(usage) => now.history.note_usage(usage),
            RolloutEntry::ContextFull { .. } => now.is_too_long = true,
            RolloutEntry::SettingsApplied(_) | RolloutEntry::TurnEnded { .. } => {}
        }
    }
    let mut state = SessionState::new(audience);
    state.history = now.history;
    state.baseline = now.baseline;
    state.is_too_long = now.is_too_long;
    state
}

/// Goes back over so many turns in which a person spoke, and all between them.
fn take_back(now: &mut Stand, turns: &mut Vec<Turn>, count: u32) {
    let mut left = count;
    while left > 0
        && let Some(turn) = turns.pop()
    {
        *now = turn.before;
        left -= u32::from(turn.has_spoken);
    }
}
