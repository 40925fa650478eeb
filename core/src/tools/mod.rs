//! Tools that a model can call.

mod handler;

pub use handler::{NoTools, ToolCall, ToolDefinition, ToolHandler, tool_call, tool_output};
