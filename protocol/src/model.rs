//! What the engine must know about a model.

use serde::{Deserialize, Serialize};

/// What a model can be shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum InputModality {
    /// Text.
    Text,
    /// Pictures.
    Image,
}

/// Which shape of request a model or its provider takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WireKind {
    /// The Responses API: `instructions` and `tools` are fields of the request.
    Responses,
    /// Responses Lite: tools and base instructions are the first two items.
    ResponsesLite,
}

/// One model, as far as assembling its input goes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelInfo {
    /// The name on the wire.
    pub slug: String,
    /// Tokens that fit into one request with its answer; none where nobody said.
    pub context_window: Option<u64>,
    /// What it can be shown.
    pub input_modalities: Vec<InputModality>,
    /// The shape of its requests.
    pub wire: WireKind,
    /// Whether its own base instructions carry a personality already.
    pub base_instructions_carry_personality: bool,
}
