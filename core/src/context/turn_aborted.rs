//! The person stopped a turn.

use recto_context_fragments::{ContextualUserFragment, Markers};
use recto_protocol::{ContentKind, Role};

use super::registry::{Cap, ContextFragment};

/// Tells the model that its last turn was stopped and what may have been left half done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TurnAborted;

/// As the reference has it.
const TEXT: &str = "\nThe user interrupted the previous turn on purpose. Any running unified exec processes may still be \
                    running in the background. If any tools/commands were aborted, they may have partially executed.\n";

impl ContextualUserFragment for TurnAborted {
    fn role(&self) -> Role {
        Role::User
    }

    fn markers() -> Markers {
        Markers::new("<turn_aborted>", "</turn_aborted>")
    }

    fn body(&self) -> String {
        TEXT.to_owned()
    }
}

impl ContextFragment for TurnAborted {
    const KIND: ContentKind = ContentKind::new("generic.turn_aborted");
    const SENT: &'static str = "At the end of a turn that the person interrupted.";
    const CAP: Cap = Cap::Tokens(100);

    fn samples() -> Vec<Self> {
        vec![Self]
    }
}
