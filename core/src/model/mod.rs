//! Models: what the engine knows about them, and what it tells them they are.

mod base_instructions;
mod catalog;
#[cfg(feature = "client")]
mod responses;
mod sampler;

pub use base_instructions::base_instructions;
pub use catalog::{DEFAULT_MODEL, KnownModel, configured_model, find_model};
#[cfg(feature = "client")]
pub use responses::{Provider, ProviderError, ResponsesClient};
pub use sampler::{SampleEnd, SampleError, SampleEvent, SampleRequest, Sampler};
