//! Tools that a model can call.

mod dynamic;
mod handler;

pub use dynamic::dynamic_definitions;
pub use handler::{NoTools, ToolCall, ToolDefinition, ToolHandler, tool_call, tool_output};
