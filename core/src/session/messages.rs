//! The messages that are not context of the world: what a person typed, and what came beside it.

use recto_context_fragments::{AdditionalContextFragment, ContextualUserFragment};
use recto_protocol::{ContentItem, ContentKind, Item, ResponseItem, Role};

use super::inputs::UserInput;

/// What a person typed.
pub(super) fn typed(text: &str) -> Item {
    Item::message(
        Role::User,
        [(ContentItem::InputText { text: text.to_owned() }, ContentKind::USER_TEXT)],
    )
}

/// What a person gave a turn, as one message: the pictures, then what they typed.
pub(super) fn said(input: &UserInput) -> Option<Item> {
    let pictures = (1..).zip(&input.pictures).flat_map(|(number, picture)| picture.parts(number));
    let typed =
        input.text.clone().map(|text| (ContentItem::InputText { text }, ContentKind::USER_TEXT));
    input.is_said().then(|| Item::message(Role::User, pictures.chain(typed)))
}

/// Values from outside, each a message of its own.
pub(super) fn additional_context<'a>(
    fragments: impl Iterator<Item = AdditionalContextFragment<'a>>,
) -> Vec<Item> {
    fragments
        .map(|fragment| {
            let kind = ContentKind::from(format!("additional_content.{}", fragment.key()));
            Item::message(
                fragment.role(),
                [(ContentItem::InputText { text: fragment.render() }, kind)],
            )
        })
        .collect()
}

/// The text of a message of the model.
pub(super) fn assistant_text(item: &Item) -> Option<String> {
    match &*item.decoded() {
        ResponseItem::Message(message) if message.role == Role::Assistant => {
            Some(message.content.iter().filter_map(|part| part.text()).collect())
        }
        _ => None,
    }
}
