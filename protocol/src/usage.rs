//! What a response cost, as the server counted it.

use serde::{Deserialize, Serialize};

/// Tokens of one response, or of several added up.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct TokenUsage {
    /// Tokens of the request.
    pub input_tokens: u64,
    /// Those of them that the provider had in its cache.
    pub cached_input_tokens: u64,
    /// Tokens of the answer.
    pub output_tokens: u64,
    /// Those of them that were thoughts.
    pub reasoning_output_tokens: u64,
    /// All together.
    pub total_tokens: u64,
}
