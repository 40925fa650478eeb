//! What is to be said about one path.

use std::path::PathBuf;

use super::report::Scope;

/// What is to be said about a path.
#[derive(Debug)]
pub(crate) struct Answer {
    /// The path, absolute.
    pub(crate) path: PathBuf,
    /// Whether the model reads it, in whole or in part.
    pub(crate) reaches_model: bool,
    /// One for each role that the path has; at least one.
    pub(crate) findings: Vec<Finding>,
}

/// One thing that is so about a path.
#[derive(Debug, serde::Serialize)]
pub(crate) struct Finding {
    /// What it is, for programs.
    pub(crate) code: &'static str,
    /// As whose instructions it was looked at; none where nobody looks at it.
    pub(crate) scope: Option<Scope>,
    /// A phrase that follows the path.
    pub(crate) text: String,
}

impl Finding {
    /// One without a scope.
    pub(crate) fn new(code: &'static str, text: impl Into<String>) -> Self {
        Self { code, scope: None, text: text.into() }
    }

    /// Whether the model reads what it is about.
    pub(crate) fn reaches_model(&self) -> bool {
        matches!(self.code, "loaded" | "cut" | "other_name" | "base_instructions")
    }
}
