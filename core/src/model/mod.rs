//! Models: what the engine knows about them, and what it tells them they are.

mod base_instructions;
mod catalog;

pub use base_instructions::base_instructions;
pub use catalog::{DEFAULT_MODEL, KnownModel, find_model};
