//! What the configuration tells the model as the developer.

use recto_context_fragments::{ContextualUserFragment, Markers};
use recto_protocol::{ContentKind, Role};

use super::registry::{Cap, ContextFragment};

/// The text of `developer_instructions`, as it was written and without markers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeveloperInstructions {
    /// The text.
    pub text: String,
}

impl ContextualUserFragment for DeveloperInstructions {
    fn role(&self) -> Role {
        Role::Developer
    }

    fn markers() -> Markers {
        Markers::NONE
    }

    fn body(&self) -> String {
        self.text.clone()
    }
}

impl ContextFragment for DeveloperInstructions {
    const KIND: ContentKind = ContentKind::new("generic.developer_instructions");
    const SENT: &'static str = "With the first request of a window, where `developer_instructions` is not empty.";
    const CAP: Cap = Cap::Author;

    fn samples() -> Vec<Self> {
        vec![Self { text: "Answer in French.".to_owned() }]
    }
}
