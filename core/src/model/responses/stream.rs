//! The events of a response, read from the bytes of its body.

use std::pin::Pin;
use std::time::Duration;

use bytes::Bytes;
use futures_util::{Stream, StreamExt};
use recto_protocol::responses::ResponsesEvent;
use sse_stream::SseByteStream;
use tokio::time::timeout;

use super::failure::Failure;

type Chunks = Pin<Box<dyn Stream<Item = Result<Bytes, BodyError>> + Send>>;

/// Why a body gives no more bytes.
#[derive(Debug, thiserror::Error)]
enum BodyError {
    #[error("{0}")]
    Network(#[from] reqwest::Error),
    #[error("the server said nothing for {} s", .0.as_secs_f64())]
    Idle(Duration),
}

/// Reads events one by one.
pub(super) struct EventStream(SseByteStream<Chunks>);

impl EventStream {
    pub(super) fn new(response: reqwest::Response, idle: Duration) -> Self {
        let chunks = response.bytes_stream();
        let chunks = futures_util::stream::unfold(chunks, move |mut chunks| async move {
            let chunk = match timeout(idle, chunks.next()).await {
                Ok(chunk) => chunk?.map_err(BodyError::Network),
                Err(_) => Err(BodyError::Idle(idle)),
            };
            Some((chunk, chunks))
        });
        Self(SseByteStream::new(Box::pin(chunks)))
    }

    /// The next event; none at the end of the body.
    pub(super) async fn next(&mut self) -> Option<Result<ResponsesEvent, Failure>> {
        loop {
            let event = match self.0.next().await? {
                Ok(event) => event,
                Err(error) => return Some(Err(Failure::broken(&error))),
            };
            let Some(data) = event.data.filter(|data| !data.is_empty()) else { continue };
            if data == "[DONE]" {
                continue;
            }
            return Some(ResponsesEvent::from_json(&data).map_err(|error| Failure::broken(&error)));
        }
    }
}
