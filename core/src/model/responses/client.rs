//! Asks a provider for answers.

use async_trait::async_trait;
use recto_protocol::WireKind;
use recto_protocol::responses::ResponsesRequest;
use reqwest::header::{ACCEPT, CONTENT_TYPE, HeaderValue};
use reqwest::{Body, Client, RequestBuilder, Response};
use tokio::sync::mpsc::UnboundedSender;
use tokio::time::{sleep, timeout};

use super::answer::read_answer;
use super::failure::{Failure, Remedy};
use super::network::unreachable;
use super::provider::Provider;
use super::refusal::read_refusal;
use super::request::StreamedBody;
use super::retry::{Attempts, Jitter};
use super::stream::EventStream;
use crate::model::{SampleEnd, SampleError, SampleEvent, SampleRequest, Sampler};

/// Asks models over the Responses wire.
///
/// A question whose answer breaks off is asked again as a whole; what came of the broken answer is void, and the
/// receiver of events is told so.
#[derive(Debug)]
pub struct ResponsesClient {
    http: Client,
    provider: Provider,
    jitter: Jitter,
}

impl ResponsesClient {
    /// Asks this provider, through this client; `seed` is the chance that spreads waits.
    pub fn new(http: Client, provider: Provider, seed: u64) -> Self {
        Self { http, provider, jitter: Jitter::new(seed) }
    }

    /// One attempt to get an answer.
    async fn attempt(
        &self,
        request: &SampleRequest<'_>,
        events: &UnboundedSender<SampleEvent>,
    ) -> Result<SampleEnd, Failure> {
        let idle = self.provider.stream_idle_timeout;
        let Ok(sent) = timeout(idle, self.http_request(request).send()).await else {
            let message = format!("{} said nothing for {idle:?}", self.provider.name);
            return Err(Failure::new(message, None, Remedy::Request(None)));
        };
        let response = sent.map_err(|error| unreachable(&self.provider, error))?;
        if response.status().is_success() && is_stream(&response) {
            read_answer(EventStream::new(response, idle), events).await
        } else {
            Err(read_refusal(&self.provider, &request.model.slug, response).await)
        }
    }

    fn http_request(&self, request: &SampleRequest<'_>) -> RequestBuilder {
        let wire = request.model.wire;
        let body = ResponsesRequest {
            model: request.model,
            prompt: request.prompt,
            parallel_tool_calls: true,
            prompt_cache_key: Some(request.cache_key),
            output_schema: request.output_schema,
        }
        .body(wire);
        let mut http = self.http.post(self.provider.responses_url());
        if let Some(key) = &self.provider.key {
            http = http.bearer_auth(key.secret());
        }
        for (name, value) in &self.provider.headers {
            http = http.header(name, value);
        }
        for (name, value) in &self.provider.secret_headers {
            http = http.header(name, value.secret());
        }
        if wire == WireKind::ResponsesLite {
            http = http.header("x-openai-internal-codex-responses-lite", "true");
        }
        http.header(CONTENT_TYPE, "application/json")
            .header(ACCEPT, "text/event-stream")
            .body(Body::wrap(StreamedBody::new(body)))
    }

    /// An error as it may be shown and recorded.
    fn redacted(&self, error: SampleError) -> SampleError {
        let redact = |text: String| self.provider.redact(&text);
        match error {
            SampleError::ContextTooLong { message } => {
                SampleError::ContextTooLong { message: redact(message) }
            }
            SampleError::Failed { message, hint } => {
                SampleError::Failed { message: redact(message), hint: hint.map(redact) }
            }
        }
    }
}

#[async_trait]
impl Sampler for ResponsesClient {
    async fn sample(
        &self,
        request: SampleRequest<'_>,
        events: UnboundedSender<SampleEvent>,
    ) -> Result<SampleEnd, SampleError> {
        let mut attempts = Attempts::new(&self.provider);
        loop {
            let Failure { error, remedy } = match self.attempt(&request, &events).await {
                Ok(end) => return Ok(end),
                Err(failure) => failure,
            };
            let error = self.redacted(error);
            let Some(wait) = attempts.next(remedy, &self.jitter) else { return Err(error) };
            let reason = format!("{error}; asking again in {:.1} s", wait.as_secs_f64());
            // Whoever asked may not listen any more; then it drops this future soon.
            let _ = events.send(SampleEvent::Retry { reason });
            sleep(wait).await;
        }
    }
}

/// Whether the body is a stream of events; a server that does not say what it is gets the benefit of the doubt.
fn is_stream(response: &Response) -> bool {
    let kind = response.headers().get(CONTENT_TYPE).map(HeaderValue::as_bytes);
    kind.is_none_or(|kind| {
        kind.trim_ascii_start().to_ascii_lowercase().starts_with(b"text/event-stream")
    })
}
