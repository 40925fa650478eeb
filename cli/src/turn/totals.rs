//! What a session has cost.

use recto_protocol::TokenUsage;

/// Adds what a response cost.
pub(super) fn add(total: &mut TokenUsage, usage: TokenUsage) {
    total.input_tokens += usage.input_tokens;
    total.cached_input_tokens += usage.cached_input_tokens;
    total.output_tokens += usage.output_tokens;
    total.reasoning_output_tokens += usage.reasoning_output_tokens;
    total.total_tokens += usage.total_tokens;
}
