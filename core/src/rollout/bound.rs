//! Tool outputs of a size that a line can carry.

use std::borrow::Cow;

use recto_context_fragments::truncate_middle;
use recto_protocol::{ContentItem, OutputPayload};

/// Bytes of text of a tool output that a session keeps: six times as many in the worst case once escaped, and then
/// still within a line. Far above what a model is shown of it.
pub const MAX_OUTPUT_BYTES: usize = 1 << 20;

/// Cuts an output whose text is over `max_bytes` in the middle, with a notice there: `…N tokens truncated…`.
///
/// Has to happen before the output becomes an item, so that history, rollout and request hold the same. Parts share
/// the bytes evenly; pictures are left as they are.
pub fn bound_output(output: &OutputPayload, max_bytes: usize) -> Cow<'_, OutputPayload> {
    match output {
        OutputPayload::Text(text) => match cut(text, max_bytes) {
            Cow::Borrowed(_) => Cow::Borrowed(output),
            Cow::Owned(text) => Cow::Owned(OutputPayload::Text(text)),
        },
        OutputPayload::Content(parts) => {
            let texts: Vec<&str> = parts.iter().filter_map(ContentItem::text).collect();
            if texts.iter().map(|text| text.len()).sum::<usize>() <= max_bytes {
                return Cow::Borrowed(output);
            }
            let share = max_bytes / texts.len().max(1);
            let parts = parts.iter().map(|part| cut_part(part, share)).collect();
            Cow::Owned(OutputPayload::Content(parts))
        }
    }
}

fn cut_part(part: &ContentItem, max_bytes: usize) -> ContentItem {
    match part {
        ContentItem::InputText { text } => {
            ContentItem::InputText { text: cut(text, max_bytes).into_owned() }
        }
        ContentItem::OutputText { text } => {
            ContentItem::OutputText { text: cut(text, max_bytes).into_owned() }
        }
        other => other.clone(),
    }
}

fn cut(text: &str, max_bytes: usize) -> Cow<'_, str> {
    if text.len() <= max_bytes {
        return Cow::Borrowed(text);
    }
    truncate_middle(text, max_bytes / 4)
}
