//! From what a step captured to the first prompt: a pure function.

use recto_context_fragments::{AdditionalContext, ContextualUserFragment};
use recto_protocol::{BaseInstructions, ContentItem, ContentKind, Item, Prompt, Role};

use crate::context::{DeveloperInstructions, RenderedFragment};
use crate::history::{Audience, History, merge_contextual_fragments};
use crate::world_state::{Facts, WorldState, WorldStateSnapshot};

/// What a person gives a turn.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct UserInput {
    /// What they typed; none where they only look.
    pub text: Option<String>,
    /// Values from outside that stand beside it.
    pub additional_context: AdditionalContext,
}

/// Assembles the first prompt of a conversation.
///
/// The full context stands first, developer messages before user messages; then values from outside, then the input.
pub fn first_prompt(
    facts: &Facts,
    input: &UserInput,
    base_instructions: BaseInstructions,
) -> Prompt {
    let mut history = History::default();
    history.record(merge_contextual_fragments(full_context(facts)));
    history.record(additional_context(&input.additional_context));
    history.record(input.text.as_ref().map(|text| {
        Item::message(
            Role::User,
            [(ContentItem::InputText { text: text.clone() }, ContentKind::USER_TEXT)],
        )
    }));
    history.for_prompt(base_instructions, Vec::new(), &Audience::default())
}

/// Everything that a model is told before it was told anything.
fn full_context(facts: &Facts) -> impl Iterator<Item = RenderedFragment> {
    let developer_instructions = facts
        .developer_instructions
        .clone()
        .map(|text| RenderedFragment::of(&DeveloperInstructions { text }));
    let sections = WorldState::from_facts(facts).render_diff(&WorldStateSnapshot::default());
    let (developer, user): (Vec<_>, Vec<_>) = developer_instructions
        .into_iter()
        .chain(sections)
        .partition(|fragment| fragment.role == Role::Developer);
    developer.into_iter().chain(user)
}

/// Values from outside, each a message of its own, sorted by key.
fn additional_context(context: &AdditionalContext) -> Vec<Item> {
    context
        .fragments()
        .map(|fragment| {
            let kind = ContentKind::from(format!("additional_content.{}", fragment.key()));
            Item::message(
                fragment.role(),
                [(ContentItem::InputText { text: fragment.render() }, kind)],
            )
        })
        .collect()
}
