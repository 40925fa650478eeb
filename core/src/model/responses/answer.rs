//! One answer, from its first event to its last.

use recto_protocol::responses::ResponsesEvent;
use recto_protocol::{Item, ResponseItem};
use tokio::sync::mpsc::UnboundedSender;

use super::failure::{Failure, words};
use super::output::Output;
use super::stream::EventStream;
use crate::model::{SampleEnd, SampleEvent};

/// Reads an answer to its end; what comes meanwhile goes to `events`.
pub(super) async fn read_answer(
    mut stream: EventStream,
    events: &UnboundedSender<SampleEvent>,
) -> Result<SampleEnd, Failure> {
    let mut output = Output::default();
    // Whoever asked may not listen any more; then it drops this future soon.
    let send = |event| drop(events.send(event));
    while let Some(event) = stream.next().await {
        match event? {
            ResponsesEvent::OutputItemAdded { output_index, item } => {
                output.begin(output_index);
                item.as_ref().and_then(message_started).into_iter().for_each(send);
            }
            ResponsesEvent::OutputItemDone { output_index, item } => {
                let ready = output.finish(output_index, item);
                ready.into_iter().map(SampleEvent::ItemDone).for_each(send);
            }
            ResponsesEvent::OutputTextDelta(text) => send(SampleEvent::TextDelta(text)),
            ResponsesEvent::ReasoningDelta(text) => send(SampleEvent::ReasoningDelta(text)),
            ResponsesEvent::Completed(end) => {
                output.end(end.output).into_iter().map(SampleEvent::ItemDone).for_each(send);
                return Ok(SampleEnd { usage: end.usage });
            }
            ResponsesEvent::Incomplete { reason, .. } => {
                return Err(incomplete(reason.as_deref()));
            }
            ResponsesEvent::Failed(error) => return Err(Failure::told(&error)),
            ResponsesEvent::Created | ResponsesEvent::Other => {}
        }
    }
    Err(Failure::broken("the answer ended before it was whole"))
}

/// What is told of an item that begins.
fn message_started(item: &Item) -> Option<SampleEvent> {
    match &*item.decoded() {
        ResponseItem::Message(message) => {
            Some(SampleEvent::MessageStarted { phase: message.phase.clone() })
        }
        _ => None,
    }
}

/// An answer that the server cut short; asking again would end in the same place.
fn incomplete(reason: Option<&str>) -> Failure {
    let hint = match reason {
        Some("max_output_tokens") => Some("ask it to go on".to_owned()),
        Some("content_filter") => {
            Some("the provider's filter stopped it; ask differently".to_owned())
        }
        _ => None,
    };
    let reason = words(reason.unwrap_or("it gave no reason"));
    Failure::lasting(format!("the server stopped before its answer was whole: {reason}"), hint)
}
