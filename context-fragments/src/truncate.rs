//! Budgets in tokens, and cuts that say what they took.
//!
//! A token is counted as four bytes, rounded up. What a cut costs follows the budget, never the length of the text.

use std::borrow::Cow;

/// Bytes that count as one token.
const BYTES_PER_TOKEN: usize = 4;

/// A number of tokens, as estimated from bytes.
pub type TokenCount = usize;

/// Estimates the tokens of a text of that many bytes.
pub const fn approximate_tokens(bytes: usize) -> TokenCount {
    bytes.div_ceil(BYTES_PER_TOKEN)
}

/// Cuts a text that is over the budget in its middle and says there how many tokens went.
///
/// Half of the budget's bytes are kept from the head and the rest from the tail, less where a character would be
/// split. The notice stands outside the budget: `…N tokens truncated…`.
pub fn truncate_middle(text: &str, max_tokens: TokenCount) -> Cow<'_, str> {
    let budget = max_tokens.saturating_mul(BYTES_PER_TOKEN);
    if text.len() <= budget {
        return Cow::Borrowed(text);
    }
    let head = text.floor_char_boundary(budget / 2);
    let tail = text.ceil_char_boundary(text.len() - (budget - budget / 2));
    let removed = approximate_tokens(text.len() - budget);
    Cow::Owned(format!("{}…{removed} tokens truncated…{}", &text[..head], &text[tail..]))
}

/// Keeps as much of the head as fits into that many bytes, without splitting a character.
pub fn truncate_head(text: &str, max_bytes: usize) -> &str {
    &text[..text.floor_char_boundary(max_bytes)]
}
