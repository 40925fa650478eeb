//! The items of an answer, brought into the order of the answer.

use std::collections::{BTreeMap, BTreeSet};

use recto_protocol::Item;

/// Holds items back until all before them are whole.
#[derive(Debug, Default)]
pub(super) struct Output {
    /// Places whose items have begun and are not whole.
    open: BTreeSet<u64>,
    /// Whole items that wait for one before them.
    waiting: BTreeMap<u64, Item>,
    has_items: bool,
}

impl Output {
    /// An item begins at a place.
    pub(super) fn begin(&mut self, output_index: Option<u64>) {
        self.open.extend(output_index);
    }

    /// An item is whole; gives what can be handed out now.
    ///
    /// Where the server does not say places, the order in which items end is the order.
    pub(super) fn finish(&mut self, output_index: Option<u64>, item: Item) -> Vec<Item> {
        self.has_items = true;
        let Some(place) = output_index else { return vec![item] };
        self.open.remove(&place);
        let displaced = self.waiting.insert(place, item);
        let first_open = self.open.first().copied().unwrap_or(u64::MAX);
        let later = self.waiting.split_off(&first_open);
        let ready = std::mem::replace(&mut self.waiting, later);
        displaced.into_iter().chain(ready.into_values()).collect()
    }

    /// The answer ends; gives what is left, or all items of the last event where none came before it.
    pub(super) fn end(self, all: Vec<Item>) -> Vec<Item> {
        if self.has_items { self.waiting.into_values().collect() } else { all }
    }
}
