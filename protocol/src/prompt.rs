//! What one request says, before it takes a wire's shape.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::{Item, SharedList};

/// Where base instructions came from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BaseInstructionsSource {
    /// `model_instructions_file` in the configuration.
    Config,
    /// The text that the session was recorded with.
    Session,
    /// The text of the model itself.
    Model,
}

/// The text that tells a model what it is here; a field of its own, never an item.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BaseInstructions {
    /// The text.
    pub text: String,
    /// Where it came from.
    pub source: BaseInstructionsSource,
}

/// One request's content: base instructions, the input in order, and the tools.
///
/// It is built in one place, `recto_core::history`, so that what is shown and what is sent cannot differ.
#[derive(Debug, Clone)]
pub struct Prompt {
    /// The base instructions.
    pub base_instructions: BaseInstructions,
    /// The items, oldest first; shared with the conversation that they come from.
    pub input: SharedList<Item>,
    /// Tool definitions, sorted by name, each as the JSON it goes out as.
    pub tools: Vec<Box<RawValue>>,
}
