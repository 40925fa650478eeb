//! A request's body that is read from the texts of its items, never put together.

use std::io::{self, Read};
use std::iter;

use crate::{Item, SharedList};

/// Texts of an item: the comma before it, and the two pieces of the item itself.
const PIECES_OF_ITEM: usize = 3;

/// A body: what stands before the items of the input, the items, and what stands behind them.
///
/// It shares the items with the conversation. Reading goes on where the last read ended and never fails.
#[derive(Debug, Clone)]
pub struct RequestBody {
    head: String,
    input: SharedList<Item>,
    tail: String,
    /// Which piece is read next, and how much of it was read.
    piece: usize,
    offset: usize,
}

impl RequestBody {
    pub(super) fn new(head: String, input: SharedList<Item>, tail: String) -> Self {
        Self { head, input, tail, piece: 0, offset: 0 }
    }

    /// Bytes of the whole body.
    pub fn len(&self) -> usize {
        self.texts().map(str::len).sum()
    }

    /// Whether there is nothing in it; a body always has something.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// All of it, piece by piece.
    pub(super) fn texts(&self) -> impl Iterator<Item = &str> {
        iter::once(&*self.head).chain(array_items(&self.input)).chain(iter::once(&*self.tail))
    }

    fn piece(&self, at: usize) -> Option<&str> {
        let Some(in_items) = at.checked_sub(1) else { return Some(&self.head) };
        let index = in_items / PIECES_OF_ITEM;
        match self.input.get(index) {
            Some(item) => Some(item_pieces(index, item)[in_items % PIECES_OF_ITEM]),
            None if in_items == self.input.len() * PIECES_OF_ITEM => Some(&self.tail),
            None => None,
        }
    }
}

impl Read for RequestBody {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let mut filled = 0;
        while filled < out.len() {
            let Some(text) = self.piece(self.piece) else { break };
            let rest = &text.as_bytes()[self.offset..];
            let taken = rest.len().min(out.len() - filled);
            out[filled..filled + taken].copy_from_slice(&rest[..taken]);
            filled += taken;
            (self.piece, self.offset) = if taken == rest.len() {
                (self.piece + 1, 0)
            } else {
                (self.piece, self.offset + taken)
            };
        }
        Ok(filled)
    }
}

/// The items of an array with the commas between them.
pub(super) fn array_items<'a>(
    items: impl IntoIterator<Item = &'a Item>,
) -> impl Iterator<Item = &'a str> {
    items.into_iter().enumerate().flat_map(|(index, item)| item_pieces(index, item))
}

fn item_pieces(index: usize, item: &Item) -> [&str; PIECES_OF_ITEM] {
    let [start, rest] = item.wire_parts();
    [if index == 0 { "" } else { "," }, start, rest]
}
