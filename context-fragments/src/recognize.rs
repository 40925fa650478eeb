//! From a text to the fragment that it is, by markers.
//!
//! Markers decide only where nobody recorded what a text is: a person may type what looks like a fragment.

use crate::ContextualUserFragment;

/// One type of fragment in a list of those that a program knows.
#[derive(Clone, Copy)]
pub struct FragmentType {
    /// The stable name of the type.
    pub id: &'static str,
    matches: fn(&str) -> bool,
}

impl FragmentType {
    /// The entry of a type.
    pub const fn of<F: ContextualUserFragment>(id: &'static str) -> Self {
        Self { id, matches: F::matches_text }
    }

    /// Whether a text is a fragment of this type.
    pub fn matches(&self, text: &str) -> bool {
        (self.matches)(text)
    }
}

impl std::fmt::Debug for FragmentType {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("FragmentType").field(&self.id).finish()
    }
}

/// The first type in the list that the whole text is a fragment of.
pub fn recognize<'a>(types: &'a [FragmentType], text: &str) -> Option<&'a FragmentType> {
    types.iter().find(|known| known.matches(text))
}
