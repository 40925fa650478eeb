//! Documents for programs.

use serde::Serialize;

/// The version of our own documents; it grows when a member goes away or changes its meaning.
pub(crate) const SCHEMA_VERSION: u32 = 1;

/// A document, indented, with a newline at its end.
pub(crate) fn pretty(document: &(impl Serialize + ?Sized)) -> String {
    let text = serde_json::to_string_pretty(document).unwrap_or_else(|_| {
        unreachable!("our documents hold texts, numbers, lists and named members")
    });
    text + "\n"
}
