//! A map from ids whose copies share what is in it: a tree over the hash of an id, sixteen ways at each node.
//!
//! A clone costs one reference count, and adding to one of two copies clones the few nodes on the way. Like the log,
//! it must not cost a step more the longer a conversation is.

use std::array;
use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::mem;
use std::sync::Arc;

/// Entries of a leaf before it is split.
const LEAF: usize = 8;
const BITS: u32 = 4;
const WAYS: usize = 1 << BITS;

/// A map whose clones share their entries.
#[derive(Clone)]
pub(super) struct SharedMap<V>(Node<V>);

#[derive(Clone)]
enum Node<V> {
    Leaf(Arc<Vec<(Arc<str>, V)>>),
    Branch(Arc<[Node<V>; WAYS]>),
}

impl<V> SharedMap<V> {
    /// What is kept under an id.
    pub(super) fn get(&self, id: &str) -> Option<&V> {
        let mut node = &self.0;
        let mut hash = hash(id);
        while let Node::Branch(ways) = node {
            node = &ways[way(hash)];
            hash >>= BITS;
        }
        match node {
            Node::Leaf(entries) => entries.iter().find(|(key, _)| **key == *id).map(|(_, it)| it),
            Node::Branch(_) => None,
        }
    }
}

impl<V: Clone> SharedMap<V> {
    /// Keeps a value under an id, instead of what was there.
    pub(super) fn insert(&mut self, id: Arc<str>, value: V) {
        let hash = hash(&id);
        self.0.insert(0, hash, id, value);
    }
}

impl<V: Clone> Node<V> {
    fn insert(&mut self, depth: u32, hash: u64, id: Arc<str>, value: V) {
        match self {
            Self::Branch(ways) => {
                let way = way(hash >> (depth * BITS));
                Arc::make_mut(ways)[way].insert(depth + 1, hash, id, value);
            }
            Self::Leaf(entries) => {
                let leaf = Arc::make_mut(entries);
                match leaf.iter_mut().find(|(key, _)| *key == id) {
                    Some((_, old)) => *old = value,
                    None => leaf.push((id, value)),
                }
                if leaf.len() > LEAF && depth * BITS < u64::BITS {
                    let entries = mem::take(leaf);
                    *self = Self::split(depth, entries);
                }
            }
        }
    }

    fn split(depth: u32, entries: Vec<(Arc<str>, V)>) -> Self {
        let mut branch = Self::Branch(Arc::new(array::from_fn(|_| Self::default())));
        for (id, value) in entries {
            branch.insert(depth, hash(&id), id, value);
        }
        branch
    }
}

impl<V> Default for Node<V> {
    fn default() -> Self {
        Self::Leaf(Arc::default())
    }
}

impl<V> Default for SharedMap<V> {
    fn default() -> Self {
        Self(Node::default())
    }
}

impl<V> fmt::Debug for SharedMap<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SharedMap").finish_non_exhaustive()
    }
}

/// The way that a hash takes at the node that it has come to.
fn way(hash: u64) -> usize {
    usize::from(hash.to_le_bytes()[0]) % WAYS
}

fn hash(id: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    id.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_finds_what_was_kept_last_and_clones_stay_as_they_were() {
        let id = |n: usize| Arc::<str>::from(format!("call_{n}"));
        let mut map = SharedMap::default();
        for n in 0..2_000 {
            map.insert(id(n), n);
        }
        let clone = map.clone();
        for n in 0..1_000 {
            map.insert(id(n), n + 10_000);
        }
        for n in 0..2_000 {
            assert_eq!(clone.get(&id(n)), Some(&n));
            assert_eq!(map.get(&id(n)), Some(&(if n < 1_000 { n + 10_000 } else { n })));
        }
        assert_eq!(map.get("call_2000"), None);
    }

    #[test]
    fn ids_whose_hashes_are_equal_stay_apart() {
        let mut node = Node::default();
        for n in 0..40 {
            node.insert(u64::BITS / BITS, 7, Arc::from(format!("{n}")), n);
        }
        let Node::Leaf(entries) = node else { panic!("a leaf at the last level is never split") };
        assert_eq!(entries.len(), 40);
    }
}
