//! Documents for programs.

use std::fmt::Write as _;

use serde::Serialize;

use super::layout::steers;

/// The version of our own documents; it grows when a member goes away or changes its meaning.
pub(crate) const SCHEMA_VERSION: u32 = 1;

/// A document, indented, with a newline at its end.
pub(crate) fn pretty(document: &(impl Serialize + ?Sized)) -> String {
    let text = serde_json::to_string_pretty(document).unwrap_or_else(|_| {
        unreachable!("our documents hold texts, numbers, lists and named members")
    });
    for_terminals(text) + "\n"
}

/// Escapes what JSON may hold bare and a terminal obeys; the document stays the same.
pub(crate) fn for_terminals(json: String) -> String {
    let is_bare = |it: char| steers(it) && it != '\n';
    if !json.contains(is_bare) {
        return json;
    }
    let mut escaped = String::with_capacity(json.len());
    for character in json.chars() {
        if is_bare(character) {
            let _ = write!(escaped, "\\u{:04x}", u32::from(character));
        } else {
            escaped.push(character);
        }
    }
    escaped
}
