//! What went wrong in one attempt, and whether asking again may help.

use std::time::Duration;

use recto_protocol::responses::ServerError;

use crate::model::SampleError;

/// Characters of a server's own words that are passed on.
const MAX_WORDS: usize = 1_000;

/// Codes of failures that asking again cannot mend.
const LASTING: [&str; 12] = [
    "billing_hard_limit_reached",
    "content_filter",
    "content_policy_violation",
    "insufficient_quota",
    "invalid_api_key",
    "invalid_prompt",
    "invalid_request_error",
    "model_not_found",
    "not_found_error",
    "permission_denied",
    "usage_limit_reached",
    "usage_not_included",
];

/// Why an attempt gave no answer.
#[derive(Debug)]
pub(super) struct Failure {
    pub(super) error: SampleError,
    pub(super) remedy: Remedy,
}

/// What may help.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Remedy {
    /// Nothing.
    Nothing,
    /// The request again; the server may have said after what time.
    Request(Option<Duration>),
    /// The request again: its answer broke off.
    Stream(Option<Duration>),
}

impl Failure {
    /// A failure for good.
    pub(super) fn lasting(message: impl Into<String>, hint: impl Into<Option<String>>) -> Self {
        Self::new(message, hint, Remedy::Nothing)
    }

    /// An answer that broke off.
    pub(super) fn broken(message: impl Into<String>) -> Self {
        Self::new(message, None, Remedy::Stream(None))
    }

    pub(super) fn new(
        message: impl Into<String>,
        hint: impl Into<Option<String>>,
        remedy: Remedy,
    ) -> Self {
        Self { error: SampleError::Failed { message: message.into(), hint: hint.into() }, remedy }
    }

    /// A prompt that does not fit.
    pub(super) fn too_long(error: &ServerError) -> Self {
        let error = SampleError::ContextTooLong { message: words(&error.message) };
        Self { error, remedy: Remedy::Nothing }
    }

    /// A failure that the server tells within its answer.
    pub(super) fn told(error: &ServerError) -> Self {
        if error.is_context_too_long() {
            return Self::too_long(error);
        }
        let remedy = if is_lasting(error) {
            Remedy::Nothing
        } else {
            Remedy::Stream(said_delay(&error.message))
        };
        Self::new(format!("the model's server failed: {}", account(error)), None, remedy)
    }
}

/// Whether the code says that asking again cannot help.
pub(super) fn is_lasting(error: &ServerError) -> bool {
    error.code.as_deref().is_some_and(|code| LASTING.contains(&code))
}

/// A server's account in its own words, or at least its code.
pub(super) fn account(error: &ServerError) -> String {
    match (words(&error.message), &error.code) {
        (text, Some(code)) if text.is_empty() => words(code),
        (text, Some(code)) if code.contains(char::is_alphabetic) => format!("{text} ({code})"),
        (text, _) if text.is_empty() => "it gave no reason".to_owned(),
        (text, _) => text,
    }
}

/// A text from outside as part of one line: no control characters, not endless.
pub(super) fn words(text: &str) -> String {
    let text = text.trim();
    let mut line: String =
        text.chars().take(MAX_WORDS).map(|it| if it.is_control() { ' ' } else { it }).collect();
    if text.chars().nth(MAX_WORDS).is_some() {
        line.push('…');
    }
    line
}

/// The time that a rate limit names in words: `Please try again in 1.5s`, `… in 20ms`.
fn said_delay(message: &str) -> Option<Duration> {
    let (_, rest) = message.split_once("try again in ")?;
    let end = rest.find(|it: char| !it.is_ascii_digit() && it != '.')?;
    let number: f64 = rest[..end].parse().ok()?;
    let unit = rest[end..].trim_start();
    let seconds = if unit.starts_with("ms") {
        number / 1_000.0
    } else if unit.starts_with('s') {
        number
    } else {
        return None;
    };
    Duration::try_from_secs_f64(seconds).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_that_a_rate_limit_names_is_read() {
        for (message, expected) in [
            ("Rate limit reached. Please try again in 1.5s. Visit", Some(1_500)),
            ("Please try again in 20ms.", Some(20)),
            ("Please try again in 2 seconds", Some(2_000)),
            ("Please try again in 3 minutes", None),
            ("Please try again in", None),
            ("try again later", None),
        ] {
            assert_eq!(said_delay(message), expected.map(Duration::from_millis), "{message}");
        }
    }
}
