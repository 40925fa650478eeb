//! Tools of MCP servers.

mod child;
mod starting;
