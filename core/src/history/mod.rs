//! The conversation: what the model saw, in order, only ever added to.

mod for_prompt;
mod log;
mod merge;

pub use log::History;
pub use merge::merge_contextual_fragments;
