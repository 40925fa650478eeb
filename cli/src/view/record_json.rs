//! What documents about recorded sessions have in common.

use recto_core::rollout::SectionChange;
use recto_protocol::{ContentKind, Item};
use serde::Serialize;
use serde_json::Value;
use serde_json::value::RawValue;

/// An item as it went out, and what its parts are.
#[derive(Debug, Serialize)]
pub(super) struct ItemMember<'a> {
    kinds: Vec<&'a str>,
    item: Option<Box<RawValue>>,
}

/// What became of one section of the world's state.
#[derive(Debug, Serialize)]
pub(super) struct ChangeMember<'a> {
    section: &'a str,
    before: Option<&'a Value>,
    after: Option<&'a Value>,
}

impl<'a> ItemMember<'a> {
    pub(super) fn of(item: &'a Item) -> Self {
        Self {
            kinds: item.kinds().iter().map(ContentKind::as_str).collect(),
            item: RawValue::from_string(item.wire_json().into_owned()).ok(),
        }
    }
}

impl<'a> ChangeMember<'a> {
    pub(super) fn of(change: &'a SectionChange) -> Self {
        Self {
            section: &change.section,
            before: change.before.as_ref(),
            after: change.after.as_ref(),
        }
    }
}
