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
/// The notice stands outside the budget: `…N tokens truncated…`.
pub fn truncate_middle(text: &str, max_tokens: TokenCount) -> Cow<'_, str> {
    match cut_middle(text, max_tokens) {
        None => Cow::Borrowed(text),
        Some(cut) => Cow::Owned(format!("{}{}{}", cut.head, cut.notice(), cut.tail)),
    }
}

/// What is left of a text that was cut in its middle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cut<'a> {
    /// What is kept of the head.
    pub head: &'a str,
    /// How many tokens went.
    pub removed: TokenCount,
    /// What is kept of the tail.
    pub tail: &'a str,
}

impl Cut<'_> {
    /// What the reader is told between head and tail.
    pub fn notice(&self) -> String {
        format!("…{} tokens truncated…", self.removed)
    }
}

/// Finds the cut of a text that is over the budget; none where it is not.
///
/// Half of the budget's bytes are kept from the head and the rest from the tail, less where a character would be
/// split.
pub fn cut_middle(text: &str, max_tokens: TokenCount) -> Option<Cut<'_>> {
    let budget = max_tokens.saturating_mul(BYTES_PER_TOKEN);
    if text.len() <= budget {
        return None;
    }
    let head = text.floor_char_boundary(budget / 2);
    let tail = text.ceil_char_boundary(text.len() - (budget - budget / 2));
    let removed = approximate_tokens(text.len() - budget);
    Some(Cut { head: &text[..head], removed, tail: &text[tail..] })
}

/// Keeps as much of the head as fits into that many bytes, without splitting a character.
pub fn truncate_head(text: &str, max_bytes: usize) -> &str {
    &text[..text.floor_char_boundary(max_bytes)]
}
