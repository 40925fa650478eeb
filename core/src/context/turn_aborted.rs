//! x

use recto_context_fragments::{ContextualUserFragment, Markers};
use recto_protocol::{ContentKind, Role};

use super::registry::{Cap, ContextFragment};

/// x
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TurnAborted ;

impl ContextualUserFragment for TurnAborted {
    fn role(&self) -> Role { Role::User }
    fn markers() -> Markers { Markers::new("<turn_aborted>", "</turn_aborted>") }
    fn body(&self) -> String { "\nThe user interrupted.\n".to_owned() }
}

impl ContextFragment for TurnAborted {
    const KIND: ContentKind = ContentKind::new("generic.turn_aborted");
    const SENT: &'static str = "x";
    const CAP: Cap = Cap::Author;
    fn samples() -> Vec<Self> { vec![Self] }
}
