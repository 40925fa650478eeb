//! The conversation goes on with another model.

use recto_context_fragments::{ContextualUserFragment, Markers};
use recto_protocol::{ContentKind, Role};

use super::registry::{Cap, ContextFragment};

/// Hands the base instructions of the new model to it, for those at the head of the request stay the old ones.
///
/// The head is not rewritten so that every byte before this message stays as the provider has it cached.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelSwitch {
    /// The base instructions of the new model.
    pub base_instructions: String,
}

/// As the reference has it.
const INTRODUCTION: &str = "The user was previously using a different model. Please continue the conversation according \
                            to the following instructions:";

impl ContextualUserFragment for ModelSwitch {
    fn role(&self) -> Role {
        Role::Developer
    }

    fn markers() -> Markers {
        Markers::new("<model_switch>", "</model_switch>")
    }

    fn body(&self) -> String {
        format!("\n{INTRODUCTION}\n\n{}\n", self.base_instructions)
    }
}

impl ContextFragment for ModelSwitch {
    const KIND: ContentKind = ContentKind::new("model_switch.instructions");
    const SENT: &'static str = "Before the other changes of a turn that runs with another model than the last; a \
                                message of its own.";
    const CAP: Cap = Cap::Author;

    fn samples() -> Vec<Self> {
        vec![Self { base_instructions: "You are a coding agent.".to_owned() }]
    }
}
