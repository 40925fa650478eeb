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

/// How much of its thoughts a model is to tell in readable words.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ReasoningSummary {
    /// As much as the server finds right.
    Auto,
    /// Little.
    Concise,
    /// Much.
    Detailed,
    /// Nothing; a request does not speak of it.
    #[default]
    None,
}

/// How much a model is to write.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verbosity {
    /// Little.
    Low,
    /// Neither.
    Medium,
    /// Much.
    High,
}

/// How a model is to think and to write, as its requests say it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AnswerStyle {
    /// How hard it thinks, in a word of its own: `low`, `high`, …; none leaves it to the server.
    pub effort: Option<String>,
    /// How much of its thoughts it tells.
    pub summary: ReasoningSummary,
    /// How much it writes; none leaves it to the server.
    pub verbosity: Option<Verbosity>,
}

/// One model, as far as its requests go.
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
    /// How it is to answer.
    #[serde(default)]
    pub style: AnswerStyle,
}
