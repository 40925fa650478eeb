//! From what a step captured to the first prompt: a pure function, made of the pieces that a turn is made of.

use recto_protocol::{BaseInstructions, Prompt};

use super::inputs::UserInput;
use super::messages::{additional_context, said};
use super::update::full_context;
use crate::history::{Audience, History};
use crate::world_state::Facts;

/// Assembles the first prompt of a conversation.
///
/// The full context stands first, developer messages before user messages; then values from outside, then the input.
pub fn first_prompt(
    facts: &Facts,
    input: &UserInput,
    base_instructions: BaseInstructions,
) -> Prompt {
    let mut history = History::default();
    history.record(full_context(facts));
    history.record(additional_context(input.additional_context.fragments()));
    history.record(said(input));
    history.for_prompt(base_instructions, Vec::new(), &Audience::default())
}
