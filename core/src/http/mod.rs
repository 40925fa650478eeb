//! Ways to the network: one client for everybody who asks a server.

mod client;

pub use client::{HttpError, http_client};
