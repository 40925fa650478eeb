//! What stands in the place of a conversation where a record says the summary alone.

use recto_protocol::Item;

use crate::context::{CompactionSummary, ContextualUserFragment, RenderedFragment};
use crate::history::compaction::kept_messages;
use crate::history::merge_contextual_fragments;

/// What the person said in these items, and then the summary, as the first versions made it.
pub(in crate::rollout) fn replacement_of<'a>(
    items: impl DoubleEndedIterator<Item = &'a Item>,
    message: &str,
) -> Vec<Item> {
    let mut kept = kept_messages(items);
    let start = CompactionSummary::markers().start;
    let words = message.strip_prefix(start).map(|words| words.trim_start_matches('\n'));
    let summary = words.unwrap_or(message).to_owned();
    let summary = RenderedFragment::of(&CompactionSummary { summary });
    kept.extend(merge_contextual_fragments([summary]));
    kept
}
