//! How the tool of a call is called among people.

use std::fmt;

use recto_core::tools::ToolCall;

/// The start of a name of a tool that an MCP server gives.
const MCP: &str = "mcp__";

/// A tool: that of a server, or one that nobody has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ToolName {
    /// The MCP server.
    pub(super) server: Option<String>,
    /// The tool's own name.
    pub(super) tool: String,
}

impl ToolName {
    /// Takes a name as the model writes it apart: `mcp__SERVER__TOOL`, or a namespace `mcp__SERVER` and the tool.
    pub(super) fn of(call: &ToolCall) -> Self {
        let of_namespace = call.namespace.as_deref().and_then(|it| it.strip_prefix(MCP));
        if let Some(server) = of_namespace {
            let server = server.trim_end_matches('_').to_owned();
            return Self { server: Some(server), tool: call.name.clone() };
        }
        let of_function = call.name.strip_prefix(MCP).and_then(|it| it.split_once("__"));
        match of_function {
            Some((server, tool)) => Self { server: Some(server.into()), tool: tool.into() },
            None => Self { server: None, tool: call.name.clone() },
        }
    }
}

impl fmt::Display for ToolName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(server) = &self.server {
            write!(f, "{server}/")?;
        }
        f.write_str(&self.tool)
    }
}
