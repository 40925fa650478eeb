//! What a model is told of the tools, and which tool its calls mean.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};

use super::allow::{Permission, matches, permission};
use super::event::{McpEvent, Teller};
use super::life::Started;
use super::listing::ListedTool;
use super::names::{ToolNames, tool_names};
use super::options::{McpOptions, ToolShape};
use super::schema::{Schema, parameters};
use super::server::Server;
use crate::tools::ToolDefinition;

/// One tool of a server that started.
#[derive(Debug, Clone)]
pub(super) struct Tool {
    pub(super) server: Arc<Server>,
    pub(super) listed: ListedTool,
    pub(super) permission: Permission,
    names: ToolNames,
}

/// All tools of all servers that started.
#[derive(Debug, Default)]
pub(super) struct Offer {
    /// Sorted by name; the same from request to request.
    pub(super) definitions: Vec<ToolDefinition>,
    /// By namespace and name, in either shape.
    routes: BTreeMap<(String, String), Tool>,
}

#[derive(Serialize)]
struct Function<'a> {
    r#type: &'static str,
    name: &'a str,
    description: &'a str,
    strict: bool,
    parameters: Schema,
}

#[derive(Serialize)]
struct Namespace<'a> {
    r#type: &'static str,
    name: &'a str,
    description: &'a str,
    tools: Vec<Function<'a>>,
}

impl Offer {
    /// Names the tools of all servers and tells which of them are left out.
    pub(super) fn new(
        servers: &[(Arc<Server>, Arc<Started>)],
        options: &McpOptions,
        teller: &Teller,
    ) -> Self {
        let tools = tools(servers, options);
        tell(servers, &tools, options, teller);
        let offered: Vec<&Tool> =
            tools.iter().filter(|it| it.permission == Permission::Offered).collect();
        let definitions = match options.shape {
            ToolShape::Functions => functions(&offered),
            ToolShape::Namespaces => namespaces(&offered, servers),
        };
        let routes = tools.into_iter().flat_map(|tool| {
            let ToolNames { function, namespace, in_namespace } = tool.names.clone();
            [((String::new(), function), tool.clone()), ((namespace, in_namespace), tool)]
        });
        Self { definitions, routes: routes.collect() }
    }

    /// The tool that a call means.
    pub(super) fn find(&self, namespace: Option<&str>, name: &str) -> Option<&Tool> {
        self.routes.get(&(namespace.unwrap_or_default().to_owned(), name.to_owned()))
    }
}

/// The tools that the settings leave, named.
fn tools(servers: &[(Arc<Server>, Arc<Started>)], options: &McpOptions) -> Vec<Tool> {
    let listed: Vec<(&Arc<Server>, &ListedTool)> = servers
        .iter()
        .flat_map(|(server, started)| started.tools.iter().map(move |tool| (server, tool)))
        .filter(|(server, tool)| {
            let config = &server.config;
            config.enabled_tools.as_ref().is_none_or(|it| it.contains(&tool.name))
                && !config.disabled_tools.contains(&tool.name)
        })
        .collect();
    let pairs: Vec<(&str, &str)> =
        listed.iter().map(|(server, tool)| (&*server.config.name, &*tool.name)).collect();
    let names = tool_names(&pairs);
    listed
        .into_iter()
        .zip(names)
        .map(|((server, tool), names)| Tool {
            permission: permission(
                &server.config,
                &tool.name,
                tool.is_read_only,
                &names,
                &options.allow,
            ),
            server: Arc::clone(server),
            listed: tool.clone(),
            names,
        })
        .collect()
}

/// Tells which tools are withheld, and which names mean none.
fn tell(
    servers: &[(Arc<Server>, Arc<Started>)],
    tools: &[Tool],
    options: &McpOptions,
    teller: &Teller,
) {
    for (server, started) in servers {
        let config = &server.config;
        let withheld: Vec<String> = tools
            .iter()
            .filter(|it| {
                it.permission == Permission::Withheld && it.server.config.name == config.name
            })
            .map(|it| it.listed.name.clone())
            .collect();
        if !withheld.is_empty() {
            let server = config.name.clone();
            teller.tell(McpEvent::Withheld { server, tools: withheld });
        }
        let listed: BTreeSet<&str> = started.tools.iter().map(|it| &*it.name).collect();
        for (key, names) in [
            ("enabled_tools", config.enabled_tools.as_deref().unwrap_or_default()),
            ("disabled_tools", config.disabled_tools.as_slice()),
        ] {
            for name in names.iter().filter(|it| !listed.contains(it.as_str())) {
                let place = format!("`{key}` of the MCP server {:?}", config.name);
                teller.tell(McpEvent::NoSuchTool { place, name: name.clone() });
            }
        }
    }
    for pattern in &options.allow {
        let means =
            |it: &Tool| matches(pattern, &it.server.config.name, &it.listed.name, &it.names);
        if !tools.iter().any(means) {
            let place = "--allow-tools".to_owned();
            teller.tell(McpEvent::NoSuchTool { place, name: pattern.clone() });
        }
    }
}

fn functions(tools: &[&Tool]) -> Vec<ToolDefinition> {
    let definitions = tools.iter().map(|tool| {
        let name = tool.names.function.clone();
        (name.clone(), json(&function(tool, &name)))
    });
    // A name that two tools have in spite of everything is the first one's.
    let mut by_name: BTreeMap<String, Box<RawValue>> = BTreeMap::new();
    definitions.for_each(|(name, json)| {
        by_name.entry(name).or_insert(json);
    });
    by_name.into_iter().map(|(name, json)| ToolDefinition { name, json }).collect()
}

fn namespaces(tools: &[&Tool], servers: &[(Arc<Server>, Arc<Started>)]) -> Vec<ToolDefinition> {
    let mut by_namespace: BTreeMap<&str, BTreeMap<&str, &Tool>> = BTreeMap::new();
    for tool in tools {
        let inside = by_namespace.entry(&tool.names.namespace).or_default();
        inside.entry(&tool.names.in_namespace).or_insert(tool);
    }
    let definition = |(name, tools): (&str, BTreeMap<&str, &Tool>)| {
        let server = tools.values().next().map(|it| it.server.config.name.as_str());
        let started = servers.iter().find(|it| Some(it.0.config.name.as_str()) == server);
        let instructions = started.and_then(|it| it.1.instructions.as_deref()).map(str::trim);
        let unsaid = format!("Tools in the {name} namespace.");
        let namespace = Namespace {
            r#type: "namespace",
            name,
            description: instructions.filter(|it| !it.is_empty()).unwrap_or(&unsaid),
            tools: tools.iter().map(|(name, tool)| function(tool, name)).collect(),
        };
        ToolDefinition { name: name.to_owned(), json: json(&namespace) }
    };
    by_namespace.into_iter().map(definition).collect()
}

fn function<'a>(tool: &'a Tool, name: &'a str) -> Function<'a> {
    Function {
        r#type: "function",
        name,
        description: &tool.listed.description,
        strict: false,
        parameters: parameters(&tool.listed.schema),
    }
}

fn json(value: &impl Serialize) -> Box<RawValue> {
    to_raw_value(value).unwrap_or_else(|_| unreachable!("texts and values always serialize"))
}
