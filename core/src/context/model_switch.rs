//! x

use recto_context_fragments::{ContextualUserFragment, Markers};
use recto_protocol::{ContentKind, Role};

use super::registry::{Cap, ContextFragment};

/// x
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelSwitch { /// x
 pub instructions: String }

impl ContextualUserFragment for ModelSwitch {
    fn role(&self) -> Role { Role::Developer }
    fn markers() -> Markers { Markers::new("<model_switch>", "</model_switch>") }
    fn body(&self) -> String { self.instructions.clone() }
}

impl ContextFragment for ModelSwitch {
    const KIND: ContentKind = ContentKind::new("model_switch.instructions");
    const SENT: &'static str = "x";
    const CAP: Cap = Cap::Author;
    fn samples() -> Vec<Self> { vec![Self{instructions:String::new()}] }
}
