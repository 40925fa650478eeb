//! The events of a response, read from the bytes of its body.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use bytes::Bytes;
use futures_util::{Stream, StreamExt};
use recto_protocol::responses::ResponsesEvent;
use sse_stream::SseByteStream;
use tokio::time::timeout;

use super::failure::Failure;
use super::network::innermost;

/// Bytes that one event may have: half of what a line of a rollout may have, so that its item can be recorded.
const MAX_EVENT_BYTES: usize = 32 << 20;

type Chunks = Pin<Box<dyn Stream<Item = Result<Bytes, BodyError>> + Send>>;

/// Why a body gives no more bytes.
#[derive(Debug, thiserror::Error)]
enum BodyError {
    #[error("{}", innermost(.0))]
    Network(reqwest::Error),
    #[error("the server said nothing for {0:?}")]
    Idle(Duration),
    #[error("an event is over {MAX_EVENT_BYTES} bytes")]
    TooLong,
}

/// Reads events one by one.
pub(super) struct EventStream {
    events: SseByteStream<Chunks>,
    /// Bytes that came since the last event.
    pending: Arc<AtomicUsize>,
}

impl EventStream {
    /// Reads a body in which bytes never come later than `idle` after the ones before.
    pub(super) fn new(response: reqwest::Response, idle: Duration) -> Self {
        let pending = Arc::new(AtomicUsize::new(0));
        let state = (response.bytes_stream(), Arc::clone(&pending));
        let chunks = futures_util::stream::unfold(state, move |(mut bytes, pending)| async move {
            let chunk = match timeout(idle, bytes.next()).await {
                Ok(chunk) => chunk?.map_err(BodyError::Network).and_then(|chunk| {
                    let before = pending.fetch_add(chunk.len(), Ordering::Relaxed);
                    let fits = before + chunk.len() <= MAX_EVENT_BYTES;
                    if fits { Ok(chunk) } else { Err(BodyError::TooLong) }
                }),
                Err(_) => Err(BodyError::Idle(idle)),
            };
            Some((chunk, (bytes, pending)))
        });
        Self { events: SseByteStream::new(Box::pin(chunks)), pending }
    }

    /// The next event; none at the end of the body.
    pub(super) async fn next(&mut self) -> Option<Result<ResponsesEvent, Failure>> {
        loop {
            let event = match self.events.next().await? {
                Ok(event) => event,
                Err(error) => return Some(Err(failure(&error))),
            };
            self.pending.store(0, Ordering::Relaxed);
            // What ends a stream of chat completions ends some streams of responses, behind their last event.
            let Some(data) = event.data.filter(|data| !data.is_empty() && data != "[DONE]") else {
                continue;
            };
            let event = ResponsesEvent::from_json(&data);
            return Some(event.map_err(|error| Failure::broken(error.to_string())));
        }
    }
}

fn failure(error: &sse_stream::Error) -> Failure {
    let message = match error {
        sse_stream::Error::Body(cause) => match cause.downcast_ref() {
            Some(BodyError::TooLong) => {
                return Failure::lasting(
                    format!("the answer cannot be taken: {cause}"),
                    "the server may not be one of the Responses API".to_owned(),
                );
            }
            _ => cause.to_string(),
        },
        error => error.to_string(),
    };
    Failure::broken(format!("the answer broke off: {message}"))
}
