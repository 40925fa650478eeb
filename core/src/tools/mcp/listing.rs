//! The tools that a server says it has.

use std::collections::BTreeSet;

use rmcp::model::{ClientRequest, ListToolsRequest, PaginatedRequestParams, ServerResult};
use rmcp::service::{Peer, RoleClient};
use serde_json::{Map, Value};

use super::event::{McpEvent, Teller};
use super::failure::Failure;

/// Tools of one server, and pages of their list; a server that has more is mistaken or means harm.
const MOST_TOOLS: usize = 512;
const MOST_PAGES: usize = 64;

/// Bytes of one tool and of all tools of a server; every request carries them.
const LARGEST_TOOL: usize = 64 * 1024;
const LARGEST_LIST: usize = 1024 * 1024;

/// One tool, as its server describes it.
#[derive(Debug, Clone)]
pub(super) struct ListedTool {
    pub(super) name: String,
    pub(super) description: String,
    pub(super) schema: Map<String, Value>,
    pub(super) is_read_only: bool,
}

/// Asks for all tools; what cannot be used is told and left out.
pub(super) async fn list_tools(
    peer: &Peer<RoleClient>,
    server: &str,
    teller: &Teller,
) -> Result<Vec<ListedTool>, Failure> {
    let mut list = List { server, teller, tools: Vec::new(), names: BTreeSet::new(), bytes: 0 };
    let mut cursor = None;
    for _ in 0..MOST_PAGES {
        let (tools, next) = page(peer, cursor).await?;
        for tool in tools {
            if !list.take(&tool) {
                return Ok(list.cut());
            }
        }
        match next {
            Some(next) => cursor = Some(next),
            None => return Ok(list.tools),
        }
    }
    Ok(list.cut())
}

async fn page(
    peer: &Peer<RoleClient>,
    cursor: Option<String>,
) -> Result<(Vec<Value>, Option<String>), Failure> {
    let params = cursor.map(|it| PaginatedRequestParams::default().with_cursor(Some(it)));
    let request = ListToolsRequest { params, ..ListToolsRequest::default() };
    let answer = peer.send_request(ClientRequest::ListToolsRequest(request)).await;
    let answer = match answer? {
        ServerResult::ListToolsResult(result) => serde_json::to_value(result).ok(),
        // A list with a tool that the SDK cannot read; the others are good.
        ServerResult::CustomResult(result) => Some(result.0),
        _ => None,
    };
    let Some(Value::Object(mut answer)) = answer else {
        return Err(no_list());
    };
    let next = answer.get("nextCursor").and_then(Value::as_str).map(str::to_owned);
    match answer.remove("tools") {
        Some(Value::Array(tools)) => Ok((tools, next)),
        _ => Err(no_list()),
    }
}

fn no_list() -> Failure {
    Failure::Said("its list of tools is none".to_owned())
}

struct List<'a> {
    server: &'a str,
    teller: &'a Teller,
    tools: Vec<ListedTool>,
    names: BTreeSet<String>,
    bytes: usize,
}

impl List<'_> {
    /// Takes one tool, or tells why not; false where the list is full.
    fn take(&mut self, source: &Value) -> bool {
        let tool = match listed(source) {
            Ok(tool) => tool,
            Err((name, problem)) => {
                self.leave_out(name, problem);
                return true;
            }
        };
        let bytes =
            tool.name.len() + tool.description.len() + source["inputSchema"].to_string().len();
        if bytes > LARGEST_TOOL {
            let problem = format!("it is described in {bytes} bytes, more than {LARGEST_TOOL}");
            self.leave_out(tool.name, problem);
        } else if self.names.contains(&tool.name) {
            self.leave_out(tool.name, "the server lists it twice; the first counts".to_owned());
        } else if self.tools.len() == MOST_TOOLS || self.bytes + bytes > LARGEST_LIST {
            return false;
        } else {
            self.bytes += bytes;
            self.names.insert(tool.name.clone());
            self.tools.push(tool);
        }
        true
    }

    fn cut(self) -> Vec<ListedTool> {
        let (server, kept) = (self.server.to_owned(), self.tools.len());
        self.teller.tell(McpEvent::ListCut { server, kept });
        self.tools
    }

    fn leave_out(&self, tool: String, problem: String) {
        let server = self.server.to_owned();
        self.teller.tell(McpEvent::ToolLeftOut { server, tool, problem });
    }
}

/// A tool, or its name and what is wrong with it.
fn listed(source: &Value) -> Result<ListedTool, (String, String)> {
    let Some(name) = source.get("name").and_then(Value::as_str) else {
        return Err((String::new(), "it has no name".to_owned()));
    };
    let Some(Value::Object(schema)) = source.get("inputSchema") else {
        return Err((shortened(name), "it does not say what it takes".to_owned()));
    };
    let hint = source.get("annotations").and_then(|it| it.get("readOnlyHint"));
    Ok(ListedTool {
        name: name.to_owned(),
        description: source.get("description").and_then(Value::as_str).unwrap_or("").to_owned(),
        schema: schema.clone(),
        is_read_only: hint == Some(&Value::Bool(true)),
    })
}

fn shortened(name: &str) -> String {
    name.chars().take(80).collect()
}
