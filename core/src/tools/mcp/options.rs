//! What the caller decides about MCP servers.

use std::collections::BTreeMap;
use std::path::PathBuf;

/// Sends the requests to servers behind HTTP.
pub use reqwest::Client as HttpClient;

/// Tokens of a call's output that are kept where nobody says.
const OUTPUT_TOKENS: usize = 12_000;

/// What the caller decides about MCP servers.
#[derive(Debug, Clone)]
pub struct McpOptions {
    /// The directory of the session; programs run in it.
    pub cwd: PathBuf,
    /// This program's variables; a server gets few of them.
    pub variables: BTreeMap<String, String>,
    /// Tools that may be called though their server does not say that they only read: `SERVER`, `SERVER/TOOL` or the
    /// name that the model is told.
    pub allow: Vec<String>,
    /// How tools are told to the model.
    pub shape: ToolShape,
    /// Tokens of a call's output that the model is shown; the middle of a longer one is left out.
    pub output_tokens: usize,
    /// Sends requests; none where no server behind HTTP can be reached.
    pub http: Option<HttpClient>,
}

impl McpOptions {
    /// Options for a session in a directory: nothing is allowed that may write.
    pub fn new(cwd: PathBuf) -> Self {
        Self {
            cwd,
            variables: BTreeMap::new(),
            allow: Vec::new(),
            shape: ToolShape::default(),
            output_tokens: OUTPUT_TOKENS,
            http: None,
        }
    }
}

/// How tools are told to the model; calls in either shape are answered.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ToolShape {
    /// One function for each tool, `mcp__SERVER__TOOL`, which every Responses server takes.
    #[default]
    Functions,
    /// One namespace `mcp__SERVER` for each server, with the server's own words about itself, as the reference does.
    Namespaces,
}
