//! What is known about every fragment, so that recognition, documents and tests come from one list.

use recto_context_fragments::{ContextualUserFragment, Markers, TokenCount, approximate_tokens};
use recto_protocol::{ContentKind, Role};

/// What a fragment may cost at most.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cap {
    /// So many tokens: the fragment cuts itself, or its facts are few.
    Tokens(TokenCount),
    /// A key in the configuration says it.
    Setting(&'static str),
    /// As long as its author wrote it.
    Author,
}

/// A fragment of this engine: what the trait asks, and what a reader wants to know about it.
pub trait ContextFragment: ContextualUserFragment + Sized {
    /// The kind that is kept beside its text in history and rollouts.
    const KIND: ContentKind;
    /// When it is sent, as a sentence for the table of fragments.
    const SENT: &'static str;
    /// What it may cost.
    const CAP: Cap;

    /// Values that show its forms; for documents and for the tests over all fragments.
    fn samples() -> Vec<Self>;
}

/// One line of the list of fragments.
#[derive(Debug, Clone)]
pub struct FragmentSpec {
    /// The type's name.
    pub name: &'static str,
    /// The kind kept beside its text.
    pub kind: ContentKind,
    /// Its markers.
    pub markers: fn() -> Markers,
    /// When it is sent.
    pub sent: &'static str,
    /// What it may cost.
    pub cap: Cap,
    samples: fn() -> Vec<RenderedFragment>,
    matches: fn(&str) -> bool,
}

impl FragmentSpec {
    /// The line of a type.
    pub const fn of<F: ContextFragment>(name: &'static str) -> Self {
        Self {
            name,
            kind: F::KIND,
            markers: F::markers,
            sent: F::SENT,
            cap: F::CAP,
            samples: || F::samples().iter().map(RenderedFragment::of).collect(),
            matches: F::matches_text,
        }
    }

    /// Samples of the fragment, rendered.
    pub fn samples(&self) -> Vec<RenderedFragment> {
        (self.samples)()
    }

    /// Whether a text is such a fragment, by its markers.
    pub fn matches(&self, text: &str) -> bool {
        (self.matches)(text)
    }
}

/// A fragment as the model reads it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RenderedFragment {
    /// Who it speaks as.
    pub role: Role,
    /// What it is.
    pub kind: ContentKind,
    /// Its whole text.
    pub text: String,
}

impl RenderedFragment {
    /// Renders a fragment.
    pub fn of<F: ContextFragment>(fragment: &F) -> Self {
        Self { role: fragment.role(), kind: F::KIND, text: fragment.render() }
    }

    /// Its tokens, as estimated from its bytes.
    pub fn tokens(&self) -> TokenCount {
        approximate_tokens(self.text.len())
    }
}

/// Declares the modules of the fragments and the list of them.
macro_rules! fragments {
    ($($module:ident :: $name:ident),* $(,)?) => {
        $(pub mod $module;)*
        $(pub use $module::$name;)*

        /// Every fragment that this engine speaks.
        pub const FRAGMENTS: &[FragmentSpec] = &[$(FragmentSpec::of::<$name>(stringify!($name))),*];
    };
}

pub(super) use fragments;
