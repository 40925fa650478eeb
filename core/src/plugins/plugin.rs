//! What a host says of a plugin.

use std::path::PathBuf;

/// A plugin that the host has switched on; the host knows where it came from and whether it may be used.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Plugin {
    /// Its name among all, by which a link mentions it: `calendar@shop`.
    pub id: String,
    /// Stands before the names of its skills.
    pub name: String,
    /// Its name for people.
    pub display_name: String,
    /// What it is for; may be empty.
    pub description: String,
    /// The directory below which its skills stand; none where it brings none.
    pub skills: Option<PathBuf>,
    /// The MCP servers that it brings and that run in this session.
    pub mcp_servers: Vec<String>,
}
