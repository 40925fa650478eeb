//! From a configured server to an open connection.

use rmcp::service::{ClientInitializeError, RoleClient, RunningService, serve_client};
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::async_rw::AsyncRwTransport;

use super::client::Client;
use super::http::{Address, connection};
use super::options::McpOptions;
use super::process::{Program, ServerProcess};
use crate::config::McpTransport;

/// Bytes of one message of a program.
const LONGEST_MESSAGE: usize = 16 * 1024 * 1024;

/// An open connection.
pub(super) type Service = RunningService<RoleClient, Client>;

/// Starts the program of a server; none for a server behind HTTP. The error is a phrase.
pub(super) fn start(
    transport: &McpTransport,
    options: &McpOptions,
) -> Result<(Option<ServerProcess>, Opening), String> {
    match transport {
        McpTransport::Stdio { command, args, env, env_vars, cwd } => {
            let cwd = cwd.as_deref();
            let program = Program { command, args, env, env_vars, cwd };
            let (process, stdout, stdin) = ServerProcess::start(program, options)
                .map_err(|error| format!("{command}: {error}"))?;
            let pipes = AsyncRwTransport::new(stdout, stdin).with_max_line_length(LONGEST_MESSAGE);
            Ok((Some(process), Opening::Pipes(Box::new(pipes))))
        }
        McpTransport::Http { url, bearer_token_env_var, http_headers, env_http_headers } => {
            let bearer_token_env_var = bearer_token_env_var.as_deref();
            let address = Address { url, bearer_token_env_var, http_headers, env_http_headers };
            let config = connection(address, &options.variables)?;
            let client = options.http.clone().ok_or("nothing here speaks HTTP")?;
            let transport = StreamableHttpClientTransport::with_client(client, config);
            Ok((None, Opening::Http(Box::new(transport))))
        }
    }
}

/// A connection that is not open yet.
pub(super) enum Opening {
    Pipes(
        Box<AsyncRwTransport<RoleClient, tokio::process::ChildStdout, tokio::process::ChildStdin>>,
    ),
    Http(Box<StreamableHttpClientTransport<reqwest::Client>>),
}

impl Opening {
    /// Greets the server; it may take as long as it likes.
    pub(super) async fn open(self, client: Client) -> Result<Service, ClientInitializeError> {
        match self {
            Self::Pipes(pipes) => serve_client(client, *pipes).await,
            Self::Http(http) => serve_client(client, *http).await,
        }
    }
}
