//! What went wrong in one attempt.

use std::error::Error;

use crate::model::SampleError;

/// Why an attempt gave no answer.
#[derive(Debug)]
pub(super) struct Failure {
    pub(super) error: SampleError,
}

impl Failure {
    /// A failure for good.
    pub(super) fn lasting(message: String, hint: Option<String>) -> Self {
        Self { error: SampleError::Failed { message, hint } }
    }

    /// A stream that broke off.
    pub(super) fn broken(error: &dyn Error) -> Self {
        Self::lasting(format!("the answer broke off: {}", causes(error)), None)
    }
}

/// An error with all its causes, each said once.
pub(super) fn causes(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        let cause_text = cause.to_string();
        if !text.contains(&cause_text) {
            text = format!("{text}: {cause_text}");
        }
        source = cause.source();
    }
    text
}
