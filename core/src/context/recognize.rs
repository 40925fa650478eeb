//! Tells what the engine wrote from what a person typed.

use recto_context_fragments::{AdditionalContextFragment, ContextualUserFragment, Markers};
use recto_protocol::{ContentItem, ContentKind, Item, ResponseItem, Role};

use super::registry::FragmentSpec;
use super::{ContextFragment, FRAGMENTS, UserInstructions};

/// Stood around AGENTS.md in records of years ago.
const LEGACY_USER_INSTRUCTIONS: Markers =
    Markers::new("<user_instructions>", "</user_instructions>");

/// The kind of a part of which a record does not say more.
const UNKNOWN: &str = "unknown";

/// The fragment that the whole text is, by its markers.
///
/// Use it only where no kind is recorded beside the text: a person may type what looks like a fragment. AGENTS.md in
/// the wrapper that it had in old records is known, too.
pub fn recognize(text: &str) -> Option<&'static FragmentSpec> {
    let is_legacy = || LEGACY_USER_INSTRUCTIONS.matches(text);
    let legacy = |spec: &&FragmentSpec| spec.kind == UserInstructions::KIND && is_legacy();
    FRAGMENTS.iter().find(|spec| spec.matches(text)).or_else(|| FRAGMENTS.iter().find(legacy))
}

/// Whether a text is a fragment, or a value from outside in `<external_KEY>`, by its markers.
pub fn is_context_text(text: &str) -> bool {
    recognize(text).is_some() || AdditionalContextFragment::matches_text(text)
}

/// Whether an item is context that the engine wrote, and so neither what a person said nor an answer.
///
/// Everything that speaks as the developer is. Of a user's message the recorded kinds decide: one part of a person
/// makes the whole message theirs. Where a part has no kind, or the kind `unknown`, its markers do, and one such part
/// makes the message context, as the reference has it.
pub fn is_context(item: &Item) -> bool {
    let view = item.decoded();
    let ResponseItem::Message(message) = &*view else { return false };
    match message.role {
        Role::Developer => true,
        Role::User => {
            let kinds = item.kinds();
            let kind = |at: usize| kinds.get(at).filter(|kind| kind.as_str() != UNKNOWN);
            let is_from_user = |at: usize| kind(at).is_some_and(is_of_a_person);
            let parts = &message.content;
            let is_context_part = |(at, part): (usize, &ContentItem)| match kind(at) {
                Some(_) => true,
                None => part.text().is_some_and(is_context_text),
            };
            !(0..parts.len()).any(is_from_user) && parts.iter().enumerate().any(is_context_part)
        }
        _ => false,
    }
}

/// Whether a person gave the part; a picture of theirs that could not be read is still theirs.
fn is_of_a_person(kind: &ContentKind) -> bool {
    kind.is_from_user() || kind.as_str() == "images.preparation_error"
}
