//! Models behind the Responses wire, over HTTP.

mod answer;
mod client;
mod failure;
mod network;
mod output;
mod provider;
mod refusal;
mod request;
mod retry;
mod stream;

pub use client::ResponsesClient;
pub use provider::{Provider, ProviderError};
