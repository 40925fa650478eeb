//! The tools of all servers as one handler of calls.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use futures_util::future::join_all;
use recto_protocol::OutputPayload;
use serde_json::{Map, Value};
use tokio::sync::mpsc::UnboundedSender;
use tokio::sync::{OnceCell, watch};
use tokio::task::JoinHandle;

use super::allow::Permission;
use super::event::{McpEvent, Teller};
use super::offer::{Offer, Tool};
use super::options::McpOptions;
use super::output::refusal;
use super::server::Server;
use crate::config::McpServerConfig;
use crate::tools::{ToolCall, ToolDefinition, ToolHandler};

/// The tools of MCP servers.
///
/// Dropping it ends the servers: those that are programs are killed with all that they started.
#[derive(Debug)]
pub struct McpTools {
    servers: Vec<Arc<Server>>,
    options: McpOptions,
    teller: Teller,
    /// What the model is told, once all servers started or failed; it stays as it is, so that requests keep their
    /// prefix.
    offer: OnceCell<Offer>,
    stop: watch::Sender<bool>,
    lives: Mutex<Vec<JoinHandle<()>>>,
}

/// A tool by its own names: those that its server and the person use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct McpToolName {
    /// The server, as the settings name it.
    pub server: String,
    /// The tool, as its server names it.
    pub tool: String,
}

impl fmt::Display for McpToolName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.server, self.tool)
    }
}

/// Servers without which there is to be no session did not start.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("required MCP servers did not start: {}", .0.iter().map(|it| format!("{}: {}", it.0, it.1)).collect::<Vec<_>>().join("; "))]
pub struct RequiredServersFailed(
    /// The servers, and why each failed.
    pub Vec<(String, String)>,
);

impl McpTools {
    /// Lets all servers that are switched on start side by side in the background, and returns at once.
    ///
    /// What the person should know comes out of `events`. Needs a runtime of tokio with IO and time.
    pub fn start(
        servers: &[McpServerConfig],
        options: McpOptions,
        events: UnboundedSender<McpEvent>,
    ) -> Self {
        let teller = Teller(events);
        let (stop, stopped) = watch::channel(false);
        let (servers, lives) = servers
            .iter()
            .filter(|it| it.is_enabled)
            .map(|config| {
                if let Some(path) = &config.project {
                    let (server, path) = (config.name.clone(), path.clone());
                    teller.tell(McpEvent::FromProject { server, path });
                }
                let (server, life) =
                    Server::launch(config.clone(), &options, teller.clone(), stopped.clone());
                (Arc::new(server), tokio::spawn(life))
            })
            .unzip();
        let lives = Mutex::new(lives);
        Self { servers, options, teller, offer: OnceCell::new(), stop, lives }
    }

    /// Waits until every server started or failed; none takes longer than its limit.
    ///
    /// To be awaited before the first request: until then there are no tools. An error names the servers that
    /// `required` asks for and that failed; the others' tools are there all the same.
    pub async fn ready(&self) -> Result<(), RequiredServersFailed> {
        let states = join_all(self.servers.iter().map(|it| it.settled())).await;
        let mut failed = Vec::new();
        let mut started = Vec::new();
        for (server, state) in self.servers.iter().zip(states) {
            match state.started {
                Some(it) => started.push((Arc::clone(server), it)),
                None if server.config.is_required => {
                    failed.push((server.config.name.clone(), state.ended.unwrap_or_default()));
                }
                None => {}
            }
        }
        self.offer.get_or_init(async || Offer::new(&started, &self.options, &self.teller)).await;
        if failed.is_empty() { Ok(()) } else { Err(RequiredServersFailed(failed)) }
    }

    /// The tool that a call means; none where nobody has it.
    pub fn name_of(&self, call: &ToolCall) -> Option<McpToolName> {
        let tool = self.find(call)?;
        Some(McpToolName {
            server: tool.server.config.name.clone(),
            tool: tool.listed.name.clone(),
        })
    }

    fn find(&self, call: &ToolCall) -> Option<&Tool> {
        self.offer.get()?.find(call.namespace.as_deref(), &call.name)
    }

    /// Ends the servers: each is told by the end of its input, and killed where it does not listen.
    pub async fn shutdown(&self) {
        self.stop.send_replace(true);
        let lives = std::mem::take(&mut *self.lives.lock().unwrap_or_else(PoisonError::into_inner));
        join_all(lives).await;
    }
}

impl McpTools {
    fn tell_failed(&self, call: &ToolCall, cause: Option<String>) {
        self.teller.tell(McpEvent::CallFailed { call_id: call.call_id.clone(), cause });
    }
}

#[async_trait]
impl ToolHandler for McpTools {
    fn definitions(&self) -> Vec<ToolDefinition> {
        self.offer.get().map(|it| it.definitions.clone()).unwrap_or_default()
    }

    async fn call(&self, call: &ToolCall) -> OutputPayload {
        let Some(Tool { server, listed, permission, .. }) = self.find(call) else {
            return OutputPayload::Text(format!("unsupported call: {}", call.name));
        };
        let name = &server.config.name;
        if *permission == Permission::Withheld {
            let text = format!(
                "MCP tool call requires approval, and nobody can give it here: `{name}/{}` may write",
                listed.name
            );
            self.tell_failed(call, Some(text.clone()));
            return refusal(text);
        }
        let called = match arguments(&call.input) {
            Ok(arguments) => server.call(listed, arguments).await,
            Err(problem) => server.failed(listed, problem, Duration::ZERO),
        };
        if called.is_failed {
            self.tell_failed(call, called.cause);
        }
        called.output
    }
}

/// The arguments that a model wrote; the error is a phrase.
fn arguments(input: &str) -> Result<Option<Map<String, Value>>, String> {
    if input.trim().is_empty() {
        return Ok(None);
    }
    match serde_json::from_str(input) {
        Ok(Value::Object(arguments)) => Ok(Some(arguments)),
        Ok(other) => Err(format!("MCP tool arguments must be a JSON object, got {other}")),
        Err(error) => Err(format!("the arguments are not JSON: {error}")),
    }
}
