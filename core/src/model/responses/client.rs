//! Asks a provider for answers.

use async_trait::async_trait;
use recto_protocol::WireKind;
use recto_protocol::responses::ResponsesRequest;
use reqwest::header::{ACCEPT, CONTENT_TYPE};
use reqwest::{Body, Client, RequestBuilder};
use tokio::sync::mpsc::UnboundedSender;

use super::answer::read_answer;
use super::failure::{Failure, causes};
use super::provider::Provider;
use super::request::StreamedBody;
use super::stream::EventStream;
use crate::model::{SampleEnd, SampleError, SampleEvent, SampleRequest, Sampler};

/// Asks models over the Responses wire.
#[derive(Debug)]
pub struct ResponsesClient {
    http: Client,
    provider: Provider,
}

impl ResponsesClient {
    /// Asks this provider, through this client.
    pub fn new(http: Client, provider: Provider) -> Self {
        Self { http, provider }
    }

    /// One attempt to get an answer.
    async fn attempt(
        &self,
        request: &SampleRequest<'_>,
        events: &UnboundedSender<SampleEvent>,
    ) -> Result<SampleEnd, Failure> {
        let sent = self.http_request(request).send().await;
        let response = sent.map_err(|error| {
            let url = self.provider.responses_url();
            Failure::lasting(format!("{url} cannot be asked: {}", causes(&error)), None)
        })?;
        let status = response.status();
        if !status.is_success() {
            let body = response.text().await.unwrap_or_default();
            return Err(Failure::lasting(
                format!("the server refused with {status}: {}", self.provider.redact(&body)),
                None,
            ));
        }
        read_answer(EventStream::new(response, self.provider.stream_idle_timeout), events).await
    }

    fn http_request(&self, request: &SampleRequest<'_>) -> RequestBuilder {
        let wire = request.model.wire;
        let body = ResponsesRequest {
            model: &request.model.slug,
            prompt: request.prompt,
            parallel_tool_calls: true,
            prompt_cache_key: Some(request.cache_key),
            output_schema: request.output_schema,
        }
        .body(wire);
        let mut http = self.http.post(self.provider.responses_url());
        for (name, value) in &self.provider.headers {
            http = http.header(name, value);
        }
        if wire == WireKind::ResponsesLite {
            http = http.header("x-openai-internal-codex-responses-lite", "true");
        }
        if let Some(key) = &self.provider.key {
            http = http.bearer_auth(key.secret());
        }
        http.header(CONTENT_TYPE, "application/json")
            .header(ACCEPT, "text/event-stream")
            .body(Body::wrap(StreamedBody::new(body)))
    }
}

#[async_trait]
impl Sampler for ResponsesClient {
    async fn sample(
        &self,
        request: SampleRequest<'_>,
        events: UnboundedSender<SampleEvent>,
    ) -> Result<SampleEnd, SampleError> {
        self.attempt(&request, &events).await.map_err(|failure| failure.error)
    }
}
