//! What a text alone tells.

use std::path::Path;

use recto_context_fragments::hidden_text;

use super::kind::{END_MARKER, MAX_MAP_LINES, NearMissKind};

/// What the author of a text would want to know about it.
pub(super) fn misses_of_text(text: &str) -> Vec<NearMissKind> {
    if is_utf16(text) {
        return vec![NearMissKind::Utf16];
    }
    let mut found = Vec::new();
    if text.starts_with('\u{feff}') {
        found.push(NearMissKind::ByteOrderMark);
    }
    if let Some(target) = only_a_path(text) {
        found.push(NearMissKind::OnlyAPath { target: target.to_owned() });
    }
    let marker = END_MARKER.to_ascii_lowercase();
    if let Some(at) = text.to_ascii_lowercase().find(&marker) {
        let line = 1 + text[..at].matches('\n').count();
        found.push(NearMissKind::HoldsEndMarker { line });
    }
    found.extend(hidden_text(text).into_iter().map(NearMissKind::Hidden));
    let lines = text.lines().count();
    if lines > MAX_MAP_LINES {
        found.push(NearMissKind::LongMap { lines });
    }
    found
}

/// Whether a text that was decoded as UTF-8 was UTF-16: a broken mark at its start, or every other byte zero.
fn is_utf16(text: &str) -> bool {
    if text.starts_with("\u{fffd}\u{fffd}") {
        return true;
    }
    let head: Vec<char> = text.chars().take(64).collect();
    let zeros = head.iter().filter(|it| **it == '\0').count();
    zeros * 3 >= head.len().max(1)
}

/// The one word of a text that holds nothing else, if it looks like a path.
fn only_a_path(text: &str) -> Option<&str> {
    let word = text.trim().trim_start_matches('@');
    let is_word = !word.is_empty() && !word.contains(char::is_whitespace);
    (is_word && (word.contains('/') || Path::new(word).extension().is_some_and(|it| it == "md")))
        .then_some(word)
}
