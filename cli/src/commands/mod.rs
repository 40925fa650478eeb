//! One file per command: a struct whose doc comment is its help, and one function.

pub(crate) mod completions;
pub(crate) mod exec;
pub(crate) mod explain;
pub(crate) mod prompt;
pub(crate) mod resume;
pub(crate) mod rollout;
