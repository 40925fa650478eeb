//! Which base instructions a request carries.

use recto_protocol::{BaseInstructions, BaseInstructionsSource};

/// The text for a model that brings none of its own.
const DEFAULT_TEXT: &str = include_str!("base_instructions.md");

/// Chooses by precedence: the configured text, else the one that the session was recorded with, else the default.
///
/// A configured text is trimmed.
pub fn base_instructions(configured: Option<&str>, recorded: Option<&str>) -> BaseInstructions {
    let (text, source) = match (configured, recorded) {
        (Some(text), _) => (text.trim(), BaseInstructionsSource::Config),
        (None, Some(text)) => (text, BaseInstructionsSource::Session),
        (None, None) => (DEFAULT_TEXT.trim_end(), BaseInstructionsSource::Model),
    };
    BaseInstructions { text: text.to_owned(), source }
}
