//! Tools that a model can call.

mod dynamic;
mod handler;
#[cfg(feature = "mcp")]
pub mod mcp;

pub use dynamic::dynamic_definitions;
pub use handler::{NoTools, ToolCall, ToolDefinition, ToolHandler, tool_call, tool_output};
