//! Which tools may be called without anybody being asked.

use crate::config::{McpApproval, McpServerConfig};

use super::names::ToolNames;

/// Whether the model is told of a tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Permission {
    /// It is.
    Offered,
    /// It may write, or the settings want the person asked, and nobody allowed it.
    Withheld,
}

/// Decides about a tool; `allow` are the names that the caller allows.
pub(super) fn permission(
    server: &McpServerConfig,
    tool: &str,
    is_read_only: bool,
    names: &ToolNames,
    allow: &[String],
) -> Permission {
    let approval = server.tool_approvals.get(tool).copied().unwrap_or(server.default_approval);
    let is_allowed = match approval {
        McpApproval::Approve => true,
        McpApproval::Auto | McpApproval::Writes => is_read_only,
        McpApproval::Prompt => false,
    };
    if is_allowed || allow.iter().any(|pattern| matches(pattern, &server.name, tool, names)) {
        Permission::Offered
    } else {
        Permission::Withheld
    }
}

/// Whether a name of the caller means a tool: its server, `SERVER/TOOL`, or what the model calls it.
pub(super) fn matches(pattern: &str, server: &str, tool: &str, names: &ToolNames) -> bool {
    let is_of_server = pattern.strip_prefix(server).is_some_and(|rest| {
        rest.is_empty() || rest.strip_prefix('/').is_some_and(|it| it == tool || it == "*")
    });
    is_of_server
        || pattern == names.function
        || pattern.strip_prefix(&names.namespace).and_then(|it| it.strip_prefix("__"))
            == Some(&names.in_namespace)
}
