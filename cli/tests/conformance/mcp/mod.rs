//! Servers that nobody here wrote, called by both programs: what the model is told of their tools and their answers.

mod compared;
mod ours;
mod servers;
mod theirs;
mod trial;

pub(crate) use trial::{are_installed, trials};
