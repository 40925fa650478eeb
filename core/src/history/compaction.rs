//! What stays of a conversation when a summary takes its place.
//!
//! The order and the bounds are the reference's: the messages of the person but the last, the full context, the last
//! message, the summary.

use recto_context_fragments::{ContextualUserFragment, TokenCount, approximate_tokens, cut_middle};
use recto_protocol::{ContentItem, ContentKind, Item, Message, ResponseItem, Role};

use super::History;
use super::merge::merge_contextual_fragments;
use super::person::{is_from_person, is_from_person_as};
use crate::context::{CompactionSummary, RenderedFragment};

/// What the kept messages of the person may cost together, in tokens of four bytes.
pub const KEPT_TOKENS: TokenCount = 20_000;

/// The kind of the notice in a message that was cut, as the reference writes it.
const CUT_KIND: ContentKind = ContentKind::new("unknown");

impl History {
    /// How many messages of a person there are.
    pub fn user_turns(&self) -> usize {
        self.items().filter(|item| is_from_person(item)).count()
    }

    /// Whether nothing was said since the last compaction; another one could not make the conversation shorter.
    pub fn ends_with_summary(&self) -> bool {
        self.items().next_back().is_some_and(is_summary)
    }

    /// The items that take the place of this conversation: `context` is the full context as of now, `summary` what the
    /// model wrote.
    pub fn replacement(&self, context: impl IntoIterator<Item = Item>, summary: &str) -> Vec<Item> {
        let mut kept = kept_messages(self.items());
        let last = kept.pop();
        kept.extend(context);
        kept.extend(last);
        let summary = CompactionSummary { summary: summary.to_owned() };
        kept.extend(merge_contextual_fragments([RenderedFragment::of(&summary)]));
        kept
    }
}

fn is_summary(item: &Item) -> bool {
    let ResponseItem::Message(message) = &*item.decoded() else { return false };
    let first = message.content.first().and_then(ContentItem::text);
    !is_from_person_as(message, item.kinds()) && first.is_some_and(CompactionSummary::matches_text)
}

/// The messages of the person that stay, oldest first, without their pictures.
///
/// The newest stay first. The one that does not fit into [`KEPT_TOKENS`] any more is cut in its middle, and those
/// before it go.
pub fn kept_messages<'a>(items: impl DoubleEndedIterator<Item = &'a Item>) -> Vec<Item> {
    let mut kept = Vec::new();
    let mut left = KEPT_TOKENS;
    for item in items.rev() {
        let view = item.decoded();
        let ResponseItem::Message(message) = &*view else { continue };
        if !is_from_person_as(message, item.kinds()) {
            continue;
        }
        let texts: Vec<&str> = message.content.iter().filter_map(ContentItem::text).collect();
        if texts.is_empty() {
            continue;
        }
        let cost = approximate_tokens(texts.iter().map(|text| text.len()).sum());
        if cost > left {
            if left > 0 {
                kept.extend(cut_message(&texts.concat(), left));
            }
            break;
        }
        left -= cost;
        kept.push(if texts.len() == message.content.len() {
            item.clone()
        } else {
            text_only(item, message)
        });
    }
    kept.reverse();
    kept
}

fn text_only(item: &Item, message: &Message) -> Item {
    let is_text = |index: &usize| message.content[*index].text().is_some();
    let texts: Vec<usize> = (0..message.content.len()).filter(is_text).collect();
    let content = texts.iter().map(|index| message.content[*index].clone()).collect();
    let kinds = texts.iter().filter_map(|index| item.kinds().get(*index).cloned()).collect();
    Item::new(ResponseItem::Message(Message { content, ..message.clone() }), kinds)
}

/// Head, notice and tail of a message, each a part of its own, as the reference does it.
fn cut_message(text: &str, max_tokens: TokenCount) -> Option<Item> {
    let cut = cut_middle(text, max_tokens)?;
    let part = |text: &str, kind| (ContentItem::InputText { text: text.to_owned() }, kind);
    Some(Item::message(
        Role::User,
        [
            part(cut.head, ContentKind::USER_TEXT),
            part(&cut.notice(), CUT_KIND),
            part(cut.tail, ContentKind::USER_TEXT),
        ],
    ))
}
