//! Tools of servers that speak the Model Context Protocol: programs on this machine and servers behind HTTP.
//!
//! What a server says is its own word: that a tool only reads, what a tool does, what it gives back. So nothing of it is
//! trusted with time, memory or the list of tools: a server that is slow, dies or lies costs its own tools and a
//! [`McpEvent`] for the person.

mod allow;
mod client;
mod connect;
mod event;
mod failure;
mod http;
mod life;
mod listing;
mod names;
mod offer;
mod options;
mod output;
mod process;
mod schema;
mod server;
mod stderr;
mod tools;

pub use event::McpEvent;
pub use options::{HttpClient, McpOptions, ToolShape};
pub use tools::{McpToolName, McpTools, RequiredServersFailed};
