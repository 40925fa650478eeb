//! What two inputs have in common at their start.

use recto_protocol::{Item, SharedList};

use super::request::Difference;

/// The input of a request with what its beginnings cost.
#[derive(Debug, Clone, Default)]
pub(super) struct Input {
    items: SharedList<Item>,
    /// Bytes up to the end of each item, with the byte behind it.
    ends: Vec<u64>,
}

/// What two inputs have in common.
#[derive(Debug, PartialEq)]
pub(super) struct Common {
    /// Whole items.
    pub(super) items: usize,
    /// Bytes.
    pub(super) bytes: u64,
    /// Where they begin to differ; none where the first is all in the second.
    pub(super) difference: Option<Difference>,
}

impl Input {
    /// Of the items of a request; the costs of what it shares with the request before are taken over from there.
    pub(super) fn of(items: SharedList<Item>, before: &Self) -> Self {
        let shared = items.shared_with(&before.items);
        let mut ends = before.ends[..shared].to_vec();
        let mut end = ends.last().copied().unwrap_or(0);
        for at in shared..items.len() {
            end += items.get(at).map_or(0, |item| item.wire_json().len() as u64 + 1);
            ends.push(end);
        }
        Self { items, ends }
    }

    /// How many items there are.
    pub(super) fn len(&self) -> usize {
        self.items.len()
    }

    /// Bytes of all of it.
    pub(super) fn bytes(&self) -> u64 {
        self.ends.last().copied().unwrap_or(0)
    }

    /// What this input has in common with the one after it.
    pub(super) fn common_with(&self, after: &Self) -> Common {
        let mut items = self.items.shared_with(&after.items);
        loop {
            let Some(before) = self.items.get(items) else {
                return Common { items, bytes: self.bytes(), difference: None };
            };
            let now = after.items.get(items);
            if now.is_some_and(|now| now.wire_json() == before.wire_json()) {
                items += 1;
                continue;
            }
            let start = items.checked_sub(1).map_or(0, |last| self.ends[last]);
            let bytes = start + now.map_or(0, |now| same_bytes(before, now));
            let difference =
                Difference { item: items + 1, before: before.clone(), now: now.cloned() };
            return Common { items, bytes, difference: Some(difference) };
        }
    }
}

fn same_bytes(before: &Item, now: &Item) -> u64 {
    let (before, now) = (before.wire_json(), now.wire_json());
    before.bytes().zip(now.bytes()).take_while(|(one, two)| one == two).count() as u64
}
