//! Who answers and who runs tools: the provider and the MCP servers of the configuration.

use std::path::Path;
use std::sync::Arc;

use recto_core::config::{Config, ModelProvider};
use recto_core::http::http_client;
use recto_core::model::{Provider, ResponsesClient};
use recto_core::tools::mcp::{McpEvent, McpOptions, McpTools};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

use crate::env::{SystemClock, variable_text, variables};
use crate::turn_error::TurnError;

/// Who serves a session.
#[derive(Debug)]
pub(super) struct Servants {
    /// Answers.
    pub(super) sampler: Arc<ResponsesClient>,
    /// Runs tools.
    pub(super) tools: Arc<McpTools>,
    /// What the person should know of the tools.
    pub(super) events: UnboundedReceiver<McpEvent>,
}

impl Servants {
    /// Takes a key from the variable that the configuration names, and lets MCP servers start.
    ///
    /// `allow` are tools that may be called though they may write.
    pub(super) fn start(config: &Config, cwd: &Path, allow: &[String]) -> Result<Self, TurnError> {
        let id = &config.model.provider;
        let unknown = ModelProvider::default();
        let described = config.model.providers.get(id).unwrap_or(&unknown);
        let provider = Provider::resolve(id, described, variable_text)?;
        let http = http_client()?;
        let options = McpOptions {
            variables: variables(),
            allow: allow.to_vec(),
            http: Some(http.clone()),
            ..McpOptions::new(cwd.to_owned())
        };
        let (teller, events) = unbounded_channel();
        Ok(Self {
            sampler: Arc::new(ResponsesClient::new(http, provider, SystemClock::seed())),
            tools: Arc::new(McpTools::start(&config.mcp_servers, options, teller)),
            events,
        })
    }
}
