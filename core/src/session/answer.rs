//! What has come of an answer, until it is known what becomes of it.

use recto_protocol::{Item, ResponseItem};

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

    /// What stands when an answer ended before it was whole.
    ///
    /// Thoughts that led to nothing are left out: a server refuses a request in which the item is missing that they
    /// led to.
    pub(super) fn torn(mut self) -> Self {
        let is_thought = |item: &Item| matches!(*item.decoded(), ResponseItem::Reasoning(_));
        while self.0.last().is_some_and(is_thought) {
            self.0.pop();
        }
        self
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
