//! The trait that every fragment implements, and the markers by which its text is known again.

use recto_protocol::{ContentItem, Message, ResponseItem, Role};

/// The text between which a fragment stands; both empty for a fragment without markers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Markers {
    /// What the text starts with.
    pub start: &'static str,
    /// What the text ends with.
    pub end: &'static str,
}

impl Markers {
    /// For a fragment that stands bare; such a text is never recognised.
    pub const NONE: Self = Self::new("", "");

    /// A pair.
    pub const fn new(start: &'static str, end: &'static str) -> Self {
        Self { start, end }
    }

    /// Whether the whole text, trimmed, starts and ends with the pair; ASCII letters compare without case.
    ///
    /// The two may not share a byte. Without markers nothing matches.
    pub fn matches(self, text: &str) -> bool {
        if self == Self::NONE {
            return false;
        }
        let text = text.trim().as_bytes();
        text.len() >= self.start.len() + self.end.len()
            && text[..self.start.len()].eq_ignore_ascii_case(self.start.as_bytes())
            && text[text.len() - self.end.len()..].eq_ignore_ascii_case(self.end.as_bytes())
    }
}

/// A piece of context for the model.
///
/// An author answers [`role`](Self::role), [`markers`](Self::markers) and [`body`](Self::body); the rest is given, and
/// all of it but the two questions about the type works through `Box<dyn ContextualUserFragment>`.
pub trait ContextualUserFragment: TypeMarkers {
    /// Who the fragment speaks as.
    fn role(&self) -> Role;

    /// The markers of every fragment of this type.
    fn markers() -> Markers
    where
        Self: Sized;

    /// The text between the markers, with the line breaks that stand beside them.
    fn body(&self) -> String;

    /// The whole text: start marker, body, end marker.
    fn render(&self) -> String {
        let Markers { start, end } = self.type_markers();
        format!("{start}{}{end}", self.body())
    }

    /// Whether a text is a fragment of this type, by its markers alone.
    fn matches_text(text: &str) -> bool
    where
        Self: Sized,
    {
        Self::markers().matches(text)
    }

    /// The fragment as a message of one part.
    fn to_response_item(&self) -> ResponseItem {
        ResponseItem::Message(Message {
            id: None,
            role: self.role(),
            content: vec![ContentItem::InputText { text: self.render() }],
            phase: None,
        })
    }
}

/// Hands the markers of a type to its values, so that a boxed fragment has them too; given for every fragment.
pub trait TypeMarkers {
    /// The markers of this value's type.
    fn type_markers(&self) -> Markers;
}

impl<T: ContextualUserFragment> TypeMarkers for T {
    fn type_markers(&self) -> Markers {
        T::markers()
    }
}
