//! From the conversation to one request: the only place where a [`Prompt`] is made.

use recto_protocol::{BaseInstructions, Prompt};
use serde_json::value::RawValue;

use super::History;

impl History {
    /// The conversation as the next request tells it; the history itself is not changed.
    pub fn for_prompt(
        &self,
        base_instructions: BaseInstructions,
        tools: Vec<Box<RawValue>>,
    ) -> Prompt {
        Prompt { base_instructions, input: self.items().iter().cloned().collect(), tools }
    }
}
