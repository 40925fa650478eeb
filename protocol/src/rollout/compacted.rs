//! The conversation was replaced by a shorter one.

use serde_json::value::RawValue;

use crate::Item;
use crate::json_text::Members;

/// What stands in place of the conversation so far.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Compacted {
    /// The summary, with the sentence that introduces it.
    pub message: String,
    /// The items that stand now; none in old files, where they follow from `message`.
    pub replacement_history: Option<Vec<Item>>,
    /// How many windows came before this one.
    pub window_number: Option<u64>,
    /// The first window's name.
    pub first_window_id: Option<String>,
    /// The name of the window before.
    pub previous_window_id: Option<String>,
    /// This window's name.
    pub window_id: Option<String>,
}

impl Compacted {
    /// Reads a payload; none where it is no object, or holds something that is no list of items.
    pub(super) fn decode(json: &str) -> Option<Self> {
        let members = Members::of(json).ok()?;
        let replacement_history = match members.get("replacement_history") {
            None | Some("null") => None,
            Some(list) => {
                let items: Vec<&RawValue> = serde_json::from_str(list).ok()?;
                Some(items.into_iter().map(Item::from_record).collect::<Result<_, _>>().ok()?)
            }
        };
        Some(Self {
            message: members.string("message").unwrap_or_default(),
            replacement_history,
            window_number: members.count("window_number"),
            first_window_id: members.string("first_window_id"),
            previous_window_id: members.string("previous_window_id"),
            window_id: members.string("window_id"),
        })
    }
}
