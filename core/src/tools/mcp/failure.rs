//! Why a server or a call failed, in words for people and models.

use std::error::Error;

use rmcp::ServiceError;
use rmcp::service::ClientInitializeError;

/// Why a server did not start.
pub(super) enum Failure {
    /// It closed the connection.
    Closed,
    /// A message could not be sent, which for a program means the same; why, as a phrase.
    Unsent(String),
    /// Something else, as a phrase.
    Said(String),
}

impl Failure {
    /// Why a greeting failed.
    pub(super) fn of(error: ClientInitializeError) -> Self {
        if error.is_authorization_required() {
            return Self::Said(UNAUTHORIZED.to_owned());
        }
        match error {
            ClientInitializeError::ConnectionClosed(_) => Self::Closed,
            ClientInitializeError::TransportError { error, .. } => {
                Self::Unsent(chain(&*error.error))
            }
            ClientInitializeError::JsonRpcError(error) => Self::Said(format!(
                "it answered with the error {}: {}",
                error.code.0, error.message
            )),
            error => Self::Said(chain(&error)),
        }
    }
}

impl From<ServiceError> for Failure {
    fn from(error: ServiceError) -> Self {
        let words = || format!("its list of tools: {}", cause_of(&error));
        match &error {
            ServiceError::TransportClosed => Self::Closed,
            ServiceError::TransportSend(_) => Self::Unsent(words()),
            _ => Self::Said(words()),
        }
    }
}

const UNAUTHORIZED: &str = "it wants to know who asks; name the variable that holds a token in \
    `bearer_token_env_var` (signing in through a browser is not spoken here)";

/// Why a call failed.
pub(super) fn cause_of(error: &ServiceError) -> String {
    match error {
        error if error.is_authorization_required() => UNAUTHORIZED.to_owned(),
        ServiceError::TransportSend(error) => chain(&*error.error),
        error => without_secrets(&error.to_string()),
    }
}

/// An error with its causes, each once.
fn chain(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let words = error.to_string();
        if !text.contains(&words) {
            text = format!("{text}: {words}");
        }
        cause = error.source();
    }
    without_secrets(text.trim_end_matches([':', ' ']))
}

/// A text whose addresses have lost what may be secret in them: a password and what stands behind `?`.
fn without_secrets(text: &str) -> String {
    let mut parts = text.split("://");
    let mut shown = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let end = part.find([' ', ')', '"', '\'']).unwrap_or(part.len());
        let (address, rest) = part.split_at(end);
        let address = address.split_once('?').map_or(address, |it| it.0);
        let (host, path) = address.split_at(address.find('/').unwrap_or(address.len()));
        let host = host.rsplit_once('@').map_or(host, |it| it.1);
        shown.extend(["://", host, path, rest]);
    }
    shown
}
