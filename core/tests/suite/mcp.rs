//! Tools of MCP servers.

mod allowing;
mod calls;
mod child;
mod http;
mod naming;
mod outputs;
mod processes;
mod schemas;
mod starting;
