//! The life of one server: its start and its end.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use rmcp::service::{Peer, RoleClient};
use tokio::sync::watch;
use tokio::time::timeout;

use super::client::Client;
use super::connect::{Service, start};
use super::event::{McpEvent, Teller};
use super::failure::Failure;
use super::listing::{ListedTool, list_tools};
use super::options::McpOptions;
use super::process::ServerProcess;
use crate::config::McpServerConfig;

/// How long a server may take to start where nobody says.
const STARTUP_TIMEOUT: Duration = Duration::from_secs(30);

/// How long a connection may take to close.
const CLOSING: Duration = Duration::from_secs(1);

/// A server that said what it has.
#[derive(Debug)]
pub(super) struct Started {
    pub(super) tools: Vec<ListedTool>,
    /// What it says about itself.
    pub(super) instructions: Option<String>,
    /// The way to it.
    pub(super) peer: Peer<RoleClient>,
}

/// How far a server has come; one that ended without having started failed.
#[derive(Debug, Clone, Default)]
pub(super) struct State {
    pub(super) started: Option<Arc<Started>>,
    /// How it ended, as a phrase.
    pub(super) ended: Option<String>,
}

/// One server, from the inside.
pub(super) struct Life {
    pub(super) config: McpServerConfig,
    pub(super) options: McpOptions,
    pub(super) teller: Teller,
    pub(super) state: watch::Sender<State>,
    pub(super) stop: watch::Receiver<bool>,
}

impl Life {
    /// Lives until the server ends, or `stop` says so, or nobody is left to say it.
    pub(super) async fn run(mut self) {
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
        let (mut process, opening) = start(&self.config.transport, &self.options)?;
        let limit = self.config.startup_timeout.unwrap_or(STARTUP_TIMEOUT);
        let server = self.config.name.clone();
        let is_list_final = Arc::new(AtomicBool::new(false));
        let client = Client {
            server,
            teller: self.teller.clone(),
            is_list_final: Arc::clone(&is_list_final),
        };
        let greeting = async {
            let service = opening.open(client).await.map_err(Failure::of)?;
            let tools = list_tools(service.peer(), &self.config.name, &self.teller).await;
            Ok((tools?, service))
        };
        let greeting = async {
            tokio::select! {
                biased;
                greeted = greeting => greeted,
                () = exit(&mut process) => Err(Failure::Closed),
            }
        };
        match timeout(limit, greeting).await {
            Ok(Ok((tools, service))) => {
                is_list_final.store(true, Ordering::Relaxed);
                let peer = service.peer().clone();
                let instructions = peer.peer_info().and_then(|it| it.instructions.clone());
                let started = Arc::new(Started { tools, instructions, peer });
                self.state.send_modify(|it| it.started = Some(started));
                Ok((service, process))
            }
            Ok(Err(Failure::Said(problem))) => Err(problem),
            Ok(Err(failure)) => Err(match (process, failure) {
                (Some(process), _) => process.end().await,
                (None, Failure::Unsent(problem) | Failure::Said(problem)) => problem,
                (None, Failure::Closed) => "it closed the connection".to_owned(),
            }),
            Err(_) => {
                let last_words = process.as_ref().map(ServerProcess::last_words);
                Err(format!("it was not ready within {limit:?}{}", last_words.unwrap_or_default()))
            }
        }
    }

    /// Waits until the server ends, or ends it.
    async fn attend(&mut self, service: Service, mut process: Option<ServerProcess>) {
        let token = service.cancellation_token();
        let mut closed = std::pin::pin!(service.waiting());
        let ended = tokio::select! {
            _ = &mut closed => true,
            () = exit(&mut process) => true,
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

/// Waits until a program ends; for ever where there is none.
async fn exit(process: &mut Option<ServerProcess>) {
    match process {
        Some(process) => process.exit().await,
        None => std::future::pending().await,
    }
}
