//! The items of a conversation.

use recto_protocol::Item;

/// What the model saw so far; an item that is in it never changes.
#[derive(Debug, Clone, Default)]
pub struct History {
    items: Vec<Item>,
}

impl History {
    /// Adds items at the end.
    pub fn record(&mut self, items: impl IntoIterator<Item = Item>) {
        self.items.extend(items);
    }

    /// The items, oldest first.
    pub fn items(&self) -> &[Item] {
        &self.items
    }
}
