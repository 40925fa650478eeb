//! From a recorded session to what its next turn would begin with.

use recto_protocol::{BaseInstructions, Prompt};

use super::update::{full_context, update};
use crate::history::Audience;
use crate::rollout::{Baseline, ReplayedSession};
use crate::world_state::{Facts, WorldState, WorldStateSnapshot};

/// Assembles the request of a session that goes on now, without what the person will say.
///
/// The past is what the record says; what differs today is told behind it.
pub fn next_prompt(
    session: &ReplayedSession,
    facts: &Facts,
    base_instructions: BaseInstructions,
    audience: &Audience,
) -> Prompt {
    // What is sealed in the record, another provider than the one that it was made with cannot open.
    let recorded = session.meta.model_provider.as_deref().map(Into::into);
    let before = Audience { provider: recorded.or(audience.provider.clone()), ..audience.clone() };
    let mut history = session.history(&before);
    history.set_audience(audience);
    let told = match &session.baseline {
        Baseline::Absent => None,
        Baseline::Unknown => Some(&WorldStateSnapshot::default()),
        Baseline::Known(told) => Some(told),
    };
    history.record(match told {
        None => full_context(facts),
        told => update(WorldState::from_facts(facts).render_diff(told)),
    });
    history.for_prompt(base_instructions, Vec::new(), audience)
}
