//! Models behind the Responses wire, over HTTP.

mod answer;
mod api_key;
mod client;
mod failure;
mod output;
mod provider;
mod request;
mod stream;

pub use api_key::ApiKey;
pub use client::ResponsesClient;
pub use provider::{Provider, ProviderError};
