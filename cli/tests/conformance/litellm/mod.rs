//! A Responses server that nobody here wrote: the `LiteLLM` proxy in front of a mock of a chat server.

mod proxy;
mod trial;

pub(crate) use trial::{is_installed, trials};
