//! From a recorded session to what its next turn would begin with.

use recto_protocol::{BaseInstructions, Prompt};

use super::state::SessionState;
use super::update::{full_context, update};
use crate::history::Audience;
use crate::rollout::ReplayedSession;
use crate::world_state::{Facts, WorldState};

/// Assembles the request of a session that goes on now, without what the person will say.
///
/// The past is what the record says; what differs today is told behind it.
pub fn next_prompt(
    session: &ReplayedSession,
    facts: &Facts,
    base_instructions: BaseInstructions,
    audience: &Audience,
) -> Prompt {
    let SessionState { mut history, baseline, .. } = SessionState::resumed(session, audience);
    history.record(match &baseline {
        None => full_context(facts),
        told => update(WorldState::from_facts(facts).render_diff(told.as_ref())),
    });
    history.for_prompt(base_instructions, Vec::new(), audience)
}
