//! Whether a person said it.

use recto_protocol::{ContentItem, ContentKind, Item, Message, ResponseItem, Role};

use crate::context::is_context_text;

/// The kind that the reference gives a part of which it knows nothing.
const UNKNOWN: &str = "unknown";

/// Whether an item is a message of a person: the input of a turn, or what they said during one.
///
/// The kinds beside the item decide: what a person typed is theirs even when it looks like a fragment. In a record
/// without kinds a message of the user's side is a person's when none of its parts has the markers of a fragment. (The
/// reference goes by the markers alone.)
pub fn is_from_person(item: &Item) -> bool {
    match &*item.decoded() {
        ResponseItem::Message(message) => is_from_person_as(message, item.kinds()),
        _ => false,
    }
}

pub(super) fn is_from_person_as(message: &Message, kinds: &[ContentKind]) -> bool {
    if message.role != Role::User {
        return false;
    }
    if kinds.iter().any(|kind| kind.as_str() != UNKNOWN) {
        return kinds.iter().any(ContentKind::is_from_user);
    }
    !message.content.iter().filter_map(ContentItem::text).any(is_context_text)
}
