//! The life of one server: its start, its calls, its end.

use std::sync::Arc;
use std::time::Duration;

use recto_protocol::OutputPayload;
use rmcp::ServiceError;
use rmcp::model::{CallToolRequestParams, CallToolResponse, JsonObject};
use rmcp::service::{Peer, RoleClient};
use tokio::sync::{RwLock, watch};
use tokio::time::{Instant, timeout};

use super::client::Client;
use super::connect::{Service, start};
use super::event::{McpEvent, Teller};
use super::failure::{Failure, cause_of};
use super::listing::{ListedTool, list_tools};
use super::options::McpOptions;
use super::output::{Rendered, failure, render};
use super::process::ServerProcess;
use crate::config::McpServerConfig;

/// How long a server may take to start, and a call to end, where nobody says; the latter as in the reference.
const STARTUP_TIMEOUT: Duration = Duration::from_secs(30);
const TOOL_TIMEOUT: Duration = Duration::from_mins(5);

/// How long a connection may take to close.
const CLOSING: Duration = Duration::from_secs(1);

/// How long the end of a server is waited for once a call failed by it.
const AUTOPSY: Duration = Duration::from_secs(3);

/// A server that said what it has.
#[derive(Debug)]
pub(super) struct Started {
    pub(super) tools: Vec<ListedTool>,
    /// What it says about itself.
    pub(super) instructions: Option<String>,
    peer: Peer<RoleClient>,
}

/// How far a server has come; one that ended without having started failed.
#[derive(Debug, Clone, Default)]
pub(super) struct State {
    pub(super) started: Option<Arc<Started>>,
    /// How it ended, as a phrase.
    pub(super) ended: Option<String>,
}

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
    pub(super) async fn call(
        &self,
        tool: &ListedTool,
        arguments: Option<JsonObject>,
    ) -> OutputPayload {
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
            Err(cause) => failure(&self.config.name, &tool.name, &cause, began.elapsed()),
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

    fn rendered(
        &self,
        tool: &ListedTool,
        response: CallToolResponse,
        time: Duration,
    ) -> OutputPayload {
        let CallToolResponse::Complete(result) = response else {
            let cause = "the server wants more than an answer, which is not spoken here";
            return failure(&self.config.name, &tool.name, cause, time);
        };
        let Rendered { output, cut_from } = render(result, time, self.output_tokens);
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

/// One server, from the inside.
struct Life {
    config: McpServerConfig,
    options: McpOptions,
    teller: Teller,
    state: watch::Sender<State>,
    stop: watch::Receiver<bool>,
}

impl Life {
    async fn run(mut self) {
        let mut stop = self.stop.clone();
        let started = tokio::select! {
            biased;
            // Without a sender there is nobody who wants the server.
            _ = stop.wait_for(|stop| *stop) => return,
            started = self.start() => started,
        };
        let (service, process) = match started {
            Ok(started) => started,
            Err(problem) => {
                let server = self.config.name.clone();
                self.teller.tell(McpEvent::NotStarted { server, problem: problem.clone() });
                self.state.send_modify(|it| it.ended = Some(problem));
                return;
            }
        };
        self.attend(service, process).await;
    }

    async fn start(&self) -> Result<(Service, Option<ServerProcess>), String> {
        let (process, opening) = start(&self.config.transport, &self.options)?;
        let limit = self.config.startup_timeout.unwrap_or(STARTUP_TIMEOUT);
        let server = self.config.name.clone();
        let client = Client { server, teller: self.teller.clone() };
        let greeting = async {
            let service = opening.open(client).await.map_err(Failure::of)?;
            let tools = list_tools(service.peer(), &self.config.name, &self.teller).await;
            Ok((tools.map_err(Failure::Said)?, service))
        };
        match timeout(limit, greeting).await {
            Ok(Ok((tools, service))) => {
                let peer = service.peer().clone();
                let instructions = peer.peer_info().and_then(|it| it.instructions.clone());
                let started = Arc::new(Started { tools, instructions, peer });
                self.state.send_modify(|it| it.started = Some(started));
                Ok((service, process))
            }
            Ok(Err(Failure::Said(problem))) => Err(problem),
            Ok(Err(Failure::Closed)) => Err(match process {
                Some(process) => process.end().await,
                None => "the server closed the connection".to_owned(),
            }),
            Err(_) => {
                let last_words = process.as_ref().map(ServerProcess::last_words);
                Err(format!("it was not ready within {limit:?}{}", last_words.unwrap_or_default()))
            }
        }
    }

    /// Waits until the server ends, or ends it.
    async fn attend(&mut self, service: Service, process: Option<ServerProcess>) {
        let token = service.cancellation_token();
        let mut closed = std::pin::pin!(service.waiting());
        let ended = tokio::select! {
            _ = &mut closed => true,
            _ = self.stop.wait_for(|stop| *stop) => false,
        };
        if !ended {
            token.cancel();
            let _ = timeout(CLOSING, closed).await;
        }
        let how = match process {
            Some(process) => process.end().await,
            None => "it closed the connection".to_owned(),
        };
        if ended {
            let server = self.config.name.clone();
            self.teller.tell(McpEvent::Ended { server, problem: how.clone() });
        }
        self.state.send_modify(|it| it.ended = Some(how));
    }
}
