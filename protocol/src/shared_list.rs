//! A list that is added to at its end, and whose copies share what is in it.
//!
//! A conversation is copied at every step: for a request, for a checkpoint, for somebody who looks at it. So a clone
//! costs two reference counts whatever the length, and adding to one of two copies clones one chunk at most.

use std::fmt;
use std::iter::FusedIterator;
use std::mem;
use std::ops::Range;
use std::sync::Arc;

/// Elements of a chunk: what an addition to a shared list may have to clone.
const CHUNK: usize = 64;

/// A list whose clones share their elements.
#[derive(Clone)]
pub struct SharedList<T> {
    /// Chunks of [`CHUNK`] elements each.
    chunks: Arc<Vec<Arc<Vec<T>>>>,
    /// The last elements, fewer than [`CHUNK`].
    tail: Arc<Vec<T>>,
}

impl<T> SharedList<T> {
    /// How many elements there are.
    pub fn len(&self) -> usize {
        self.chunks.len() * CHUNK + self.tail.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The element at a position.
    pub fn get(&self, index: usize) -> Option<&T> {
        match self.chunks.get(index / CHUNK) {
            Some(chunk) => chunk.get(index % CHUNK),
            None => self.tail.get(index - self.chunks.len() * CHUNK),
        }
    }

    /// The last element.
    pub fn last(&self) -> Option<&T> {
        self.iter().next_back()
    }

    /// The elements in their order.
    pub fn iter(&self) -> Iter<'_, T> {
        Iter { list: self, range: 0..self.len() }
    }

    /// How many elements at the start of both lists are the very same memory.
    ///
    /// Whole chunks are counted, so the number may be up to 63 too low where one list went on after it was cloned.
    pub fn shared_with(&self, other: &Self) -> usize {
        let chunks = self.chunks.iter().zip(other.chunks.iter());
        let shared = chunks.take_while(|(one, two)| Arc::ptr_eq(one, two)).count();
        let all = shared == self.chunks.len() && Arc::ptr_eq(&self.tail, &other.tail);
        if all { self.len() } else { shared * CHUNK }
    }
}

impl<T: Clone> SharedList<T> {
    /// Adds an element at the end.
    pub fn push(&mut self, element: T) {
        let tail = Arc::make_mut(&mut self.tail);
        tail.push(element);
        if tail.len() == CHUNK {
            let full = mem::take(&mut self.tail);
            Arc::make_mut(&mut self.chunks).push(full);
        }
    }

    /// Takes the last element away.
    pub fn pop(&mut self) -> Option<T> {
        if self.tail.is_empty() && !self.chunks.is_empty() {
            self.tail = Arc::make_mut(&mut self.chunks).pop()?;
        }
        Arc::make_mut(&mut self.tail).pop()
    }

    /// Takes elements away from the end until there are `len`.
    pub fn truncate(&mut self, len: usize) {
        while self.len() > len {
            self.pop();
        }
    }

    /// Takes the last element away for which `found` holds.
    ///
    /// The cost follows the distance of that element from the end.
    pub fn remove_last_where(&mut self, found: impl Fn(&T) -> bool) -> Option<T> {
        let after = self.iter().rev().position(found)?;
        let later: Vec<T> = (0..after).filter_map(|_| self.pop()).collect();
        let removed = self.pop();
        self.extend(later.into_iter().rev());
        removed
    }
}

impl<T> Default for SharedList<T> {
    fn default() -> Self {
        Self { chunks: Arc::default(), tail: Arc::default() }
    }
}

impl<T: Clone> Extend<T> for SharedList<T> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, elements: I) {
        for element in elements {
            self.push(element);
        }
    }
}

impl<T: Clone> FromIterator<T> for SharedList<T> {
    fn from_iter<I: IntoIterator<Item = T>>(elements: I) -> Self {
        let mut list = Self::default();
        list.extend(elements);
        list
    }
}

impl<T: fmt::Debug> fmt::Debug for SharedList<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self).finish()
    }
}

impl<T: PartialEq> PartialEq for SharedList<T> {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other)
    }
}

impl<T: Eq> Eq for SharedList<T> {}

impl<'a, T> IntoIterator for &'a SharedList<T> {
    type Item = &'a T;
    type IntoIter = Iter<'a, T>;

    fn into_iter(self) -> Iter<'a, T> {
        self.iter()
    }
}

/// The elements of a [`SharedList`] in their order.
#[derive(Debug)]
pub struct Iter<'a, T> {
    list: &'a SharedList<T>,
    range: Range<usize>,
}

impl<T> Clone for Iter<'_, T> {
    fn clone(&self) -> Self {
        Self { list: self.list, range: self.range.clone() }
    }
}

impl<'a, T> Iterator for Iter<'a, T> {
    type Item = &'a T;

    fn next(&mut self) -> Option<&'a T> {
        self.list.get(self.range.next()?)
    }

    fn nth(&mut self, n: usize) -> Option<&'a T> {
        self.list.get(self.range.nth(n)?)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.range.size_hint()
    }
}

impl<'a, T> DoubleEndedIterator for Iter<'a, T> {
    fn next_back(&mut self) -> Option<&'a T> {
        self.list.get(self.range.next_back()?)
    }
}

impl<T> ExactSizeIterator for Iter<'_, T> {}
impl<T> FusedIterator for Iter<'_, T> {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_holds_what_a_vector_would() {
        let mut list = SharedList::default();
        let mut expected = Vec::new();
        for n in 0..300 {
            list.push(n);
            expected.push(n);
            if n % 7 == 0 {
                assert_eq!(list.pop(), expected.pop());
            }
        }
        assert_eq!(list.remove_last_where(|n| *n == 60), Some(60));
        expected.retain(|n| *n != 60);
        assert_eq!(list.remove_last_where(|n| *n == 1000), None);
        assert_eq!(list.iter().copied().collect::<Vec<_>>(), expected);
        assert_eq!(
            list.iter().rev().copied().collect::<Vec<_>>(),
            expected.iter().rev().copied().collect::<Vec<_>>()
        );
        assert_eq!(list.get(list.len()), None);
        list.truncate(1000);
        list.truncate(130);
        expected.truncate(130);
        assert_eq!(list.iter().copied().collect::<Vec<_>>(), expected);
        while let Some(last) = list.pop() {
            assert_eq!(Some(last), expected.pop());
        }
        assert!(expected.is_empty());
    }

    #[test]
    fn a_clone_shares_everything_and_is_not_changed_by_the_other() {
        let mut list: SharedList<usize> = (0..200).collect();
        let clone = list.clone();
        assert_eq!(list.shared_with(&clone), 200);
        list.push(200);
        assert_eq!(list.shared_with(&clone), 192);
        assert!(clone.iter().copied().eq(0..200));
        assert!(list.iter().copied().eq(0..201));
    }
}
