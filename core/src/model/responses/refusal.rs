//! An answer that is no stream of events: what it means and what people can do about it.

use std::time::Duration;

use recto_protocol::responses::ServerError;
use reqwest::header::{CONTENT_TYPE, HeaderMap, LOCATION, RETRY_AFTER};
use reqwest::{Response, StatusCode};
use tokio::time::timeout;

use super::failure::{Failure, Remedy, account, is_lasting, words};
use super::provider::Provider;
use super::retry::MAX_ASKED_WAIT;

/// Bytes of a body that are looked at.
const MAX_BODY_BYTES: usize = 64 * 1024;

/// Why a server did not stream an answer to a question for this model.
pub(super) async fn read_refusal(provider: &Provider, model: &str, response: Response) -> Failure {
    let (status, headers) = (response.status(), response.headers().clone());
    let body = read_body(response, provider.stream_idle_timeout).await;
    let error = ServerError::from_json(&body);
    if error.is_context_too_long() {
        return Failure::too_long(&error);
    }
    let refusal = Refusal { provider, model, status, headers, error };
    if status.is_success() { refusal.not_a_stream(&body) } else { refusal.failure() }
}

/// What is there of a body within the bound; an error of the way to it counts as its end.
async fn read_body(mut response: Response, idle: Duration) -> String {
    let mut body = Vec::new();
    while let Ok(Ok(Some(chunk))) = timeout(idle, response.chunk()).await {
        body.extend_from_slice(&chunk[..chunk.len().min(MAX_BODY_BYTES - body.len())]);
        if body.len() == MAX_BODY_BYTES {
            break;
        }
    }
    String::from_utf8_lossy(&body).into_owned()
}

struct Refusal<'a> {
    provider: &'a Provider,
    model: &'a str,
    status: StatusCode,
    headers: HeaderMap,
    error: ServerError,
}

impl Refusal<'_> {
    fn failure(&self) -> Failure {
        let name = &self.provider.name;
        let said = self.said();
        match self.status.as_u16() {
            300..=399 => Failure::lasting(
                format!("{name} is at another address: {}", self.location()),
                Some(format!("set `base_url` of the provider `{name}` to the new address")),
            ),
            401 => Failure::lasting(format!("{name} refused the key{said}"), self.key_hint()),
            403 => Failure::lasting(
                format!("{name} does not allow this{said}"),
                Some(format!("may the key use the model `{}`, and from here?", self.model)),
            ),
            404 | 405 if !self.is_about_model() => Failure::lasting(
                format!("{name} has no Responses endpoint at {}{said}", self.provider.shown_url()),
                Some(
                    "check `base_url`; a server that only knows chat completions can stand behind \
                     LiteLLM"
                        .to_owned(),
                ),
            ),
            _ if self.is_about_model() => Failure::lasting(
                format!("{name} has no model `{}`{said}", self.model),
                Some("name another one in `model`".to_owned()),
            ),
            429 => self.rate_limit(&said),
            408 | 409 | 425 | 500..=599 if !is_lasting(&self.error) => Failure::new(
                format!("{name} failed with {}{said}", self.status),
                None,
                Remedy::Request(self.asked_wait()),
            ),
            _ => Failure::lasting(format!("{name} refused with {}{said}", self.status), None),
        }
    }

    fn rate_limit(&self, said: &str) -> Failure {
        let name = &self.provider.name;
        let asked = self.asked_wait();
        let message = format!("{name} takes no more requests for now{said}");
        if is_lasting(&self.error) {
            return Failure::lasting(message, Some("see what your plan allows".to_owned()));
        }
        let hint = match asked {
            Some(wait) if wait > MAX_ASKED_WAIT => {
                format!("it asks to wait {} s", wait.as_secs())
            }
            _ => "try again later".to_owned(),
        };
        Failure::new(message, hint, Remedy::Request(asked))
    }

    /// A body that came with a good status and is no stream of events.
    fn not_a_stream(&self, body: &str) -> Failure {
        let name = &self.provider.name;
        if self.error != ServerError::default() && body.trim_start().starts_with('{') {
            return Failure::told(&self.error);
        }
        let kind = self.header(CONTENT_TYPE.as_str()).unwrap_or("nothing that has a type");
        Failure::lasting(
            format!("{name} answered with {} instead of a stream of events", words(kind)),
            Some(format!(
                "is there a server of the Responses API behind {}, or a proxy or login page?",
                self.provider.shown_url()
            )),
        )
    }

    /// The server's words behind a colon, where there are any; a page for browsers is no words.
    fn said(&self) -> String {
        if self.error == ServerError::default() || self.error.message.starts_with('<') {
            return String::new();
        }
        format!(": {}", account(&self.error))
    }

    fn key_hint(&self) -> String {
        match (&self.provider.key_variable, &self.provider.key) {
            (Some(variable), _) => format!("check the key in {variable}"),
            (None, Some(_)) => "check `experimental_bearer_token` of the provider".to_owned(),
            (None, None) => format!(
                "no key was sent: name the variable that holds it in `env_key` of the provider `{}`",
                self.provider.name
            ),
        }
    }

    fn is_about_model(&self) -> bool {
        let is_code = self.error.code.as_deref() == Some("model_not_found");
        let message = self.error.message.to_lowercase();
        is_code
            || (message.contains("model")
                && message.contains(&self.model.to_lowercase())
                && ["not found", "not exist", "unknown", "invalid model"]
                    .iter()
                    .any(|words| message.contains(words)))
    }

    fn location(&self) -> String {
        let location = self.header(LOCATION.as_str()).unwrap_or("it does not say which");
        words(location.split('?').next().unwrap_or_default())
    }

    /// How long the server wants us to wait: `retry-after-ms`, or `retry-after` in seconds.
    ///
    /// A date in its place is not read: it would be compared with a clock that may stand elsewhere.
    fn asked_wait(&self) -> Option<Duration> {
        let number = |name| self.header(name)?.trim().parse::<f64>().ok();
        let milliseconds = number("retry-after-ms").map(|it| it / 1_000.0);
        let seconds = milliseconds.or_else(|| number(RETRY_AFTER.as_str()))?;
        Duration::try_from_secs_f64(seconds).ok()
    }

    fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }
}
