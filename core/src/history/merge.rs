//! Puts fragments into messages.

use recto_protocol::{ContentItem, ContentKind, Item, Role};

use crate::context::RenderedFragment;

/// Makes one message of each run of neighbours that speak as the same role; the order stays.
pub fn merge_contextual_fragments(
    fragments: impl IntoIterator<Item = RenderedFragment>,
) -> Vec<Item> {
    let mut messages: Vec<(Role, Vec<(ContentItem, ContentKind)>)> = Vec::new();
    for RenderedFragment { role, kind, text } in fragments {
        let part = (ContentItem::InputText { text }, kind);
        match messages.last_mut() {
            Some((last, parts)) if *last == role => parts.push(part),
            _ => messages.push((role, vec![part])),
        }
    }
    messages.into_iter().map(|(role, parts)| Item::message(role, parts)).collect()
}
