//! Servers that bring tools: `mcp_servers`.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use super::layers::Layers;
use super::location::{LayerSource, Location};
use super::mismatch::Mismatch;
use super::names::dotted;
use super::value::{
    Item, Table, Value, get, get_boolean, get_natural, get_table, get_text, get_text_map, get_texts,
};

/// One MCP server, as it is configured.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct McpServerConfig {
    /// Its name.
    pub name: String,
    /// How it is reached.
    pub transport: McpTransport,
    /// Whether it is used.
    pub is_enabled: bool,
    /// Whether there is no session without it.
    pub is_required: bool,
    /// How long it may take to say what tools it has, where somebody said.
    pub startup_timeout: Option<Duration>,
    /// How long a call may take, where somebody said.
    pub tool_timeout: Option<Duration>,
    /// The tools that are used, by the server's names; none means all.
    pub enabled_tools: Option<Vec<String>>,
    /// Tools that are not used.
    pub disabled_tools: Vec<String>,
    /// Whether calls that may change something run side by side.
    pub supports_parallel_calls: bool,
    /// When the person is asked about a call, for tools of which [`tool_approvals`](Self::tool_approvals) says nothing.
    pub default_approval: McpApproval,
    /// When the person is asked about a call, by the server's names of tools.
    pub tool_approvals: BTreeMap<String, McpApproval>,
    /// Where it is configured.
    pub location: Location,
    /// The project's file that says something about it, if one does.
    pub project: Option<PathBuf>,
}

/// How a server is reached.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum McpTransport {
    /// A program that speaks over its standard input and output.
    Stdio {
        /// The program.
        command: String,
        /// Its arguments.
        args: Vec<String>,
        /// Variables that it gets with these values.
        env: BTreeMap<String, String>,
        /// Variables that it gets from this program's environment.
        env_vars: Vec<String>,
        /// Where it runs; a relative path starts at the session's directory.
        cwd: Option<PathBuf>,
    },
    /// Streamable HTTP.
    Http {
        /// The address.
        url: String,
        /// The variable that holds a bearer token.
        bearer_token_env_var: Option<String>,
        /// Headers sent with every request.
        http_headers: BTreeMap<String, String>,
        /// Headers whose values are in variables: header, variable.
        env_http_headers: BTreeMap<String, String>,
    },
}

/// When the person is asked about a call.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum McpApproval {
    /// Where the server does not say that the tool only reads.
    #[default]
    Auto,
    /// Always.
    Prompt,
    /// Where the tool may write.
    Writes,
    /// Never: the tool may be called.
    Approve,
}

impl McpApproval {
    fn by_name(name: &str) -> Self {
        match name {
            "prompt" => Self::Prompt,
            "writes" => Self::Writes,
            "approve" => Self::Approve,
            _ => Self::Auto,
        }
    }
}

/// The longest time that means anything.
const LONGEST: Duration = Duration::from_hours(365 * 24);

/// What belongs to servers that are programs, and what to servers behind HTTP.
const STDIO_KEYS: [&str; 5] = ["command", "args", "env", "env_vars", "cwd"];
const HTTP_KEYS: [&str; 8] = [
    "url",
    "bearer_token_env_var",
    "http_headers",
    "env_http_headers",
    "http_headers_helper",
    "oauth",
    "oauth_resource",
    "bearer_token",
];

/// The servers, by name.
pub(super) fn mcp_servers(
    layers: &Layers,
    settings: &Table,
) -> Result<Vec<McpServerConfig>, Mismatch> {
    let servers = get_table(settings, &["mcp_servers"]).into_iter().flatten();
    servers
        .filter_map(|(name, item)| match &item.value {
            Value::Table(table) => Some(server(layers, name, item, table)),
            _ => None,
        })
        .collect()
}

fn server(
    layers: &Layers,
    name: &str,
    item: &Item,
    table: &Table,
) -> Result<McpServerConfig, Mismatch> {
    let approval =
        |table, key| get_text(table, &[key]).map(McpApproval::by_name).unwrap_or_default();
    let texts =
        |key| get_texts(table, &[key]).map(|it| it.into_iter().map(|it| it.0.to_owned()).collect());
    let startup_timeout = get_seconds(table, "startup_timeout_sec")
        .or_else(|| get_natural(table, &["startup_timeout_ms"]).map(Duration::from_millis));
    let tools = get_table(table, &["tools"]).into_iter().flatten();
    Ok(McpServerConfig {
        name: name.to_owned(),
        transport: transport(name, item, table)?,
        is_enabled: get_boolean(table, &["enabled"]).unwrap_or(true),
        is_required: get_boolean(table, &["required"]).unwrap_or(false),
        startup_timeout: startup_timeout.map(|it| it.min(LONGEST)),
        tool_timeout: get_seconds(table, "tool_timeout_sec").map(|it| it.min(LONGEST)),
        enabled_tools: texts("enabled_tools"),
        disabled_tools: texts("disabled_tools").unwrap_or_default(),
        supports_parallel_calls: get_boolean(table, &["supports_parallel_tool_calls"])
            .unwrap_or(false),
        default_approval: approval(table, "default_tools_approval_mode"),
        tool_approvals: tools
            .filter_map(|(tool, item)| match &item.value {
                Value::Table(settings) => Some((tool.clone(), approval(settings, "approval_mode"))),
                _ => None,
            })
            .collect(),
        location: layers.locate(item.key_origin),
        project: project(layers, table),
    })
}

/// The file of a project that any value of a table stands in.
fn project(layers: &Layers, table: &Table) -> Option<PathBuf> {
    table.values().find_map(|item| match (&item.value, &layers.layer(item.origin).source) {
        (Value::Table(inner), _) => project(layers, inner),
        (_, LayerSource::Project { path }) => Some(path.clone()),
        _ => None,
    })
}

fn transport(name: &str, item: &Item, table: &Table) -> Result<McpTransport, Mismatch> {
    let text = |key| get_text(table, &[key]).map(str::to_owned);
    match (text("command"), text("url")) {
        (Some(command), _) => {
            refuse(name, table, &HTTP_KEYS, "nothing of a server behind HTTP beside `command`")?;
            let args = get_texts(table, &["args"]).unwrap_or_default();
            Ok(McpTransport::Stdio {
                command,
                args: args.into_iter().map(|it| it.0.to_owned()).collect(),
                env: get_text_map(table, &["env"]),
                env_vars: variables(table),
                cwd: text("cwd").map(PathBuf::from),
            })
        }
        (None, Some(url)) => {
            refuse(name, table, &STDIO_KEYS, "nothing of a program beside `url`")?;
            refuse(name, table, &["bearer_token"], "no token in a file")?;
            Ok(McpTransport::Http {
                url,
                bearer_token_env_var: text("bearer_token_env_var"),
                http_headers: get_text_map(table, &["http_headers"]),
                env_http_headers: get_text_map(table, &["env_http_headers"]),
            })
        }
        (None, None) => Err(Mismatch {
            found: "neither".to_owned(),
            ..Mismatch::new(dotted(&["mcp_servers", name]), item, "`command` or `url`".to_owned())
        }),
    }
}

/// Refuses keys that do not go with what the server is.
fn refuse(name: &str, table: &Table, keys: &[&str], expected: &str) -> Result<(), Mismatch> {
    let Some((key, item)) = keys.iter().find_map(|key| Some((*key, table.get(*key)?))) else {
        return Ok(());
    };
    let hint = match key {
        "bearer_token" => "name the variable that holds it in `bearer_token_env_var`",
        _ => "make it two servers, or take the key out",
    };
    Err(Mismatch {
        found: format!("`{key}`"),
        hint: Some(hint.to_owned()),
        ..Mismatch::new(dotted(&["mcp_servers", name, key]), item, expected.to_owned())
    })
}

/// The names in `env_vars`; those of another machine (`source = "remote"`) are not for a program on this one.
fn variables(table: &Table) -> Vec<String> {
    let Some(Item { value: Value::List(elements), .. }) = get(table, &["env_vars"]) else {
        return Vec::new();
    };
    elements
        .iter()
        .filter_map(|element| match &element.value {
            Value::Text(name) => Some(name.clone()),
            Value::Table(table) if get_text(table, &["source"]) != Some("remote") => {
                get_text(table, &["name"]).map(str::to_owned)
            }
            _ => None,
        })
        .collect()
}

/// Whether a value is an element of `env_vars`: a name, or a table with a name and where it is looked up.
pub(super) fn is_variable(value: &Value) -> bool {
    match value {
        Value::Text(_) => true,
        Value::Table(table) => {
            let source = table.get("source").map(|it| &it.value);
            get_text(table, &["name"]).is_some()
                && source.is_none_or(|it| {
                    matches!(it, Value::Text(text) if matches!(text.as_str(), "local" | "remote"))
                })
        }
        _ => false,
    }
}

/// The time that a value names in seconds, whole or not.
pub(super) fn seconds(value: &Value) -> Option<Duration> {
    match value {
        Value::Integer { natural, .. } => natural.map(Duration::from_secs),
        Value::Decimal(text) => {
            let seconds: f64 = text.replace('_', "").parse().ok()?;
            Duration::try_from_secs_f64(seconds).ok()
        }
        _ => None,
    }
}

fn get_seconds(table: &Table, key: &str) -> Option<Duration> {
    seconds(&table.get(key)?.value)
}
