//! What goes with one turn while it runs.

use recto_protocol::{OutputSchema, TurnId};

use super::inputs::{Interrupts, TurnInput};

/// What goes with one turn.
#[derive(Debug)]
pub(super) struct Turn {
    pub(super) id: TurnId,
    pub(super) interrupts: Interrupts,
    /// The shape that its last message is to have.
    pub(super) output_schema: Option<OutputSchema>,
    /// How often stop hooks sent the model on.
    pub(super) continuations: usize,
    /// Whether it took up any input.
    pub(super) has_heard: bool,
    /// The turn's own input, until it is in the conversation.
    pub(super) unheard: Option<TurnInput>,
}

impl Turn {
    /// A turn that begins; without an input of its own it takes up what is pending.
    pub(super) fn new(id: TurnId, interrupts: Interrupts, own: Option<TurnInput>) -> Self {
        let output_schema = own.as_ref().and_then(|it| it.output_schema.clone());
        Self { id, interrupts, output_schema, continuations: 0, has_heard: false, unheard: own }
    }
}
