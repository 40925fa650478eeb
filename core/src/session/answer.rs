//! What has come of an answer, until it is known what becomes of it.

use recto_protocol::Item;

use crate::tools::{ToolCall, tool_call};

/// The whole items of an answer so far.
#[derive(Debug, Default)]
pub(super) struct Answer(Vec<Item>);

impl Answer {
    /// One more item is whole.
    pub(super) fn add(&mut self, item: Item) {
        self.0.push(item);
    }

    /// The answer is void; another one comes in its place.
    pub(super) fn forget(&mut self) {
        self.0.clear();
    }

    /// The calls in it.
    pub(super) fn calls(&self) -> Vec<ToolCall> {
        self.0.iter().filter_map(|item| tool_call(&item.decoded())).collect()
    }

    /// The items, in the order of the answer.
    pub(super) fn into_items(self) -> Vec<Item> {
        self.0
    }
}
