//! One server as its calls see it.

use std::time::Duration;

use recto_protocol::OutputPayload;
use rmcp::ServiceError;
use rmcp::model::{CallToolRequestParams, CallToolResponse, JsonObject};
use tokio::sync::{RwLock, watch};
use tokio::time::{Instant, timeout};

use super::event::{McpEvent, Teller};
use super::failure::cause_of;
use super::life::{Life, State};
use super::listing::ListedTool;
use super::options::McpOptions;
use super::output::{Rendered, failure, render};
use crate::config::McpServerConfig;

/// How long a call may take where nobody says, as in the reference.
const TOOL_TIMEOUT: Duration = Duration::from_mins(5);

/// How long the end of a server is waited for once a call failed by it.
const AUTOPSY: Duration = Duration::from_secs(3);

/// One server, from the outside.
#[derive(Debug)]
pub(super) struct Server {
    pub(super) config: McpServerConfig,
    state: watch::Receiver<State>,
    teller: Teller,
    output_tokens: usize,
    /// Calls that may write have it to themselves.
    turn: RwLock<()>,
}

/// What came of a call.
#[derive(Debug)]
pub(super) struct Called {
    /// What the model reads.
    pub(super) output: OutputPayload,
    /// Whether it failed.
    pub(super) is_failed: bool,
    /// Why, where the tool did not say so itself.
    pub(super) cause: Option<String>,
}

impl Server {
    /// Lets a server start in the background; it ends when `stop` says so or nobody is left to say it.
    pub(super) fn launch(
        config: McpServerConfig,
        options: &McpOptions,
        teller: Teller,
        stop: watch::Receiver<bool>,
    ) -> (Self, impl Future<Output = ()> + Send + use<>) {
        let (sender, state) = watch::channel(State::default());
        let life = Life {
            config: config.clone(),
            options: options.clone(),
            teller: teller.clone(),
            state: sender,
            stop,
        };
        let output_tokens = options.output_tokens;
        let server = Self { config, state, teller, output_tokens, turn: RwLock::new(()) };
        (server, life.run())
    }

    /// Waits until the server started or failed to.
    pub(super) async fn settled(&self) -> State {
        let mut state = self.state.clone();
        let settled = state.wait_for(|it| it.started.is_some() || it.ended.is_some()).await;
        settled.map_or_else(|_| State::default(), |it| it.clone())
    }

    /// Calls a tool; what goes wrong is told in the output. Dropping the future cancels the call.
    pub(super) async fn call(&self, tool: &ListedTool, arguments: Option<JsonObject>) -> Called {
        let may_share = tool.is_read_only || self.config.supports_parallel_calls;
        let _shared;
        let _alone;
        if may_share {
            _shared = self.turn.read().await;
        } else {
            _alone = self.turn.write().await;
        }
        let began = Instant::now();
        match self.result(tool, arguments).await {
            Ok(response) => self.rendered(tool, response, began.elapsed()),
            Err(cause) => self.failed(tool, cause, began.elapsed()),
        }
    }

    async fn result(
        &self,
        tool: &ListedTool,
        arguments: Option<JsonObject>,
    ) -> Result<CallToolResponse, String> {
        let started = self.state.borrow().started.clone();
        let Some(started) = started else { return Err("the server did not start".to_owned()) };
        let mut params = CallToolRequestParams::new(tool.name.clone());
        params.arguments = arguments;
        let limit = self.config.tool_timeout.unwrap_or(TOOL_TIMEOUT);
        match timeout(limit, started.peer.call_tool_once(params)).await {
            Ok(Ok(response)) => Ok(response),
            Ok(Err(ServiceError::TransportClosed)) => Err(self.autopsy().await),
            Ok(Err(error)) => Err(cause_of(&error)),
            Err(_) => Err(format!("timed out awaiting tools/call after {limit:?}")),
        }
    }

    /// How the server ended, once that is known.
    async fn autopsy(&self) -> String {
        let mut state = self.state.clone();
        let ended = timeout(AUTOPSY, state.wait_for(|it| it.ended.is_some())).await;
        match ended {
            Ok(Ok(state)) => {
                format!("the server ended: {}", state.ended.as_deref().unwrap_or_default())
            }
            _ => "the server closed the connection".to_owned(),
        }
    }

    fn rendered(&self, tool: &ListedTool, response: CallToolResponse, time: Duration) -> Called {
        let CallToolResponse::Complete(result) = response else {
            let cause = "the server wants more than an answer, which is not spoken here";
            return self.failed(tool, cause.to_owned(), time);
        };
        let rendered = render(result, time, self.output_tokens);
        let is_failed = rendered.is_error;
        Called { output: self.kept(tool, rendered), is_failed, cause: None }
    }

    /// Tells the model that a call failed.
    pub(super) fn failed(&self, tool: &ListedTool, cause: String, time: Duration) -> Called {
        let failure = failure(&self.config.name, &tool.name, &cause, time, self.output_tokens);
        Called { output: self.kept(tool, failure), is_failed: true, cause: Some(cause) }
    }

    fn kept(&self, tool: &ListedTool, rendered: Rendered) -> OutputPayload {
        let Rendered { output, cut_from, .. } = rendered;
        if let Some(bytes) = cut_from {
            self.teller.tell(McpEvent::OutputCut {
                server: self.config.name.clone(),
                tool: tool.name.clone(),
                bytes,
                kept_tokens: self.output_tokens,
            });
        }
        output
    }
}
