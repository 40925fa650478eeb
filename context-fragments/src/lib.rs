//! Context fragments: the pieces of text that a program adds to a model's conversation, behind one trait.
//!
//! A fragment says who it speaks as, between which markers it stands and what it says. From these three answers come
//! its text, the item for the conversation, and the test that recognises such a text later. Nothing here reads a file,
//! a clock or a variable.
//!
//! ```
//! use recto_context_fragments::{ContextualUserFragment, Markers};
//! use recto_protocol::Role;
//!
//! /// Tells the model which tests failed last.
//! struct FailedTests(Vec<String>);
//!
//! impl ContextualUserFragment for FailedTests {
//!     fn role(&self) -> Role {
//!         Role::User
//!     }
//!
//!     fn markers() -> Markers {
//!         Markers::new("<failed_tests>", "</failed_tests>")
//!     }
//!
//!     fn body(&self) -> String {
//!         format!("\n{}\n", self.0.join("\n"))
//!     }
//! }
//!
//! let fragment: Box<dyn ContextualUserFragment> = Box::new(FailedTests(vec!["parser::empty".into()]));
//! let text = fragment.render();
//! assert_eq!(text, "<failed_tests>\nparser::empty\n</failed_tests>");
//! assert!(FailedTests::matches_text(&text));
//! ```

mod additional_context;
mod fragment;
mod hidden;
mod recognize;
mod truncate;

pub use additional_context::{
    AdditionalContext, AdditionalContextError, AdditionalContextFragment, AdditionalContextKey,
    AdditionalContextKind, AdditionalContextValue, VALUE_TOKENS,
};
pub use fragment::{ContextualUserFragment, Markers, TypeMarkers};
pub use hidden::{HiddenKind, HiddenText, hidden_text};
pub use recognize::{FragmentType, recognize};
pub use truncate::{
    Cut, TokenCount, approximate_tokens, cut_middle, truncate_head, truncate_middle,
};
