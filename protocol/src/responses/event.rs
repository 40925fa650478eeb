//! The events of a response's stream, as far as an agent needs them.

use serde::Deserialize;
use serde_json::value::RawValue;

use super::server_error::ServerError;
use crate::json_text::text_of;
use crate::{Item, ItemError, TokenUsage};

/// One event, read from the JSON of its `data`.
#[derive(Debug, Clone)]
pub enum ResponsesEvent {
    /// The server has begun to answer.
    Created,
    /// An item begins.
    OutputItemAdded {
        /// Its place in the answer, where the server said.
        output_index: Option<u64>,
        /// What is known of it yet.
        item: Option<Item>,
    },
    /// An item is whole.
    OutputItemDone {
        /// Its place in the answer, where the server said.
        output_index: Option<u64>,
        /// The item, its text as it came.
        item: Item,
    },
    /// More text of the answer.
    OutputTextDelta(String),
    /// More of the readable thoughts, or of their summary.
    ReasoningDelta(String),
    /// The answer is whole.
    Completed(ResponseEnd),
    /// The server stopped before the answer was whole.
    Incomplete {
        /// Why, in the server's word: `max_output_tokens`, `content_filter`, ….
        reason: Option<String>,
        /// What is known of the answer.
        end: ResponseEnd,
    },
    /// The answer failed, or the whole stream.
    Failed(ServerError),
    /// An event that an agent need not know.
    Other,
}

/// What the last event of an answer says of it.
#[derive(Debug, Clone, Default)]
pub struct ResponseEnd {
    /// What it cost, where the server said.
    pub usage: Option<TokenUsage>,
    /// Every item of the answer, where the server says them again.
    pub output: Vec<Item>,
}

/// Why a text is no event.
#[derive(Debug, thiserror::Error)]
pub enum EventError {
    /// It is not JSON of the shape that its type has.
    #[error("an event is not what its type promises: {0}")]
    Shape(#[from] serde_json::Error),
    /// It holds an item that is none.
    #[error("an event holds an item that is {0}")]
    Item(#[from] ItemError),
}

impl ResponsesEvent {
    /// Reads one event.
    ///
    /// What an unknown event holds is not looked at. An event without a type that holds an error is one: so do servers
    /// that only pass the Responses wire on.
    pub fn from_json(json: &str) -> Result<Self, EventError> {
        let event: Envelope<'_> = serde_json::from_str(json)?;
        let r#type = event.r#type.and_then(|it| text_of(it.get()));
        Ok(match r#type.as_deref() {
            Some("response.created") => Self::Created,
            Some("response.output_item.added") => Self::OutputItemAdded {
                output_index: number(event.output_index),
                item: event.item.and_then(|it| Item::from_raw(it).ok()),
            },
            Some("response.output_item.done") => {
                let item = event.item.map_or_else(|| Item::from_json("null"), Item::from_raw)?;
                Self::OutputItemDone { output_index: number(event.output_index), item }
            }
            Some("response.output_text.delta") => Self::OutputTextDelta(text(event.delta)),
            Some("response.reasoning_summary_text.delta" | "response.reasoning_text.delta") => {
                Self::ReasoningDelta(text(event.delta))
            }
            Some("response.completed" | "response.done") => Self::Completed(end(event.response)?),
            Some("response.incomplete") => {
                Self::Incomplete { reason: reason(event.response), end: end(event.response)? }
            }
            Some("response.failed") => {
                Self::Failed(ServerError::from_json(event.response.map_or("{}", RawValue::get)))
            }
            Some("error") => Self::Failed(ServerError::from_json(json)),
            None if event.error.is_some() => Self::Failed(ServerError::from_json(json)),
            _ => Self::Other,
        })
    }
}

/// The members that events have; each is read only where its event's type says that it counts.
#[derive(Deserialize)]
struct Envelope<'a> {
    #[serde(borrow, default)]
    r#type: Option<&'a RawValue>,
    #[serde(borrow, default)]
    output_index: Option<&'a RawValue>,
    #[serde(borrow, default)]
    item: Option<&'a RawValue>,
    #[serde(borrow, default)]
    delta: Option<&'a RawValue>,
    #[serde(borrow, default)]
    response: Option<&'a RawValue>,
    #[serde(borrow, default)]
    error: Option<&'a RawValue>,
}

fn number(value: Option<&RawValue>) -> Option<u64> {
    serde_json::from_str(value?.get()).ok()
}

fn text(value: Option<&RawValue>) -> String {
    value.and_then(|it| text_of(it.get())).unwrap_or_default().into_owned()
}

fn end(response: Option<&RawValue>) -> Result<ResponseEnd, EventError> {
    #[derive(Default, Deserialize)]
    struct Response<'a> {
        #[serde(borrow, default)]
        usage: Option<&'a RawValue>,
        #[serde(borrow, default)]
        output: Option<Vec<&'a RawValue>>,
    }

    let Some(response) = response else { return Ok(ResponseEnd::default()) };
    let response: Option<Response<'_>> = serde_json::from_str(response.get())?;
    let Response { usage, output } = response.unwrap_or_default();
    let output = output.unwrap_or_default().into_iter().map(Item::from_raw);
    Ok(ResponseEnd {
        usage: usage.and_then(token_usage),
        output: output.collect::<Result<_, _>>()?,
    })
}

/// Usage as the wire writes it; what a server leaves out is zero, and the sum is made where it is missing.
fn token_usage(usage: &RawValue) -> Option<TokenUsage> {
    #[derive(Deserialize)]
    struct Usage {
        input_tokens: Option<u64>,
        input_tokens_details: Option<InputDetails>,
        output_tokens: Option<u64>,
        output_tokens_details: Option<OutputDetails>,
        total_tokens: Option<u64>,
    }
    #[derive(Deserialize)]
    struct InputDetails {
        cached_tokens: Option<u64>,
    }
    #[derive(Deserialize)]
    struct OutputDetails {
        reasoning_tokens: Option<u64>,
    }

    let usage = serde_json::from_str::<Option<Usage>>(usage.get()).ok()??;
    let input_tokens = usage.input_tokens.unwrap_or_default();
    let output_tokens = usage.output_tokens.unwrap_or_default();
    let cached = usage.input_tokens_details.and_then(|it| it.cached_tokens);
    let reasoning = usage.output_tokens_details.and_then(|it| it.reasoning_tokens);
    Some(TokenUsage {
        input_tokens,
        cached_input_tokens: cached.unwrap_or_default(),
        output_tokens,
        reasoning_output_tokens: reasoning.unwrap_or_default(),
        total_tokens: usage
            .total_tokens
            .unwrap_or_else(|| input_tokens.saturating_add(output_tokens)),
    })
}

fn reason(response: Option<&RawValue>) -> Option<String> {
    #[derive(Deserialize)]
    struct Response {
        incomplete_details: Option<Details>,
    }
    #[derive(Deserialize)]
    struct Details {
        reason: Option<String>,
    }

    let response: Response = serde_json::from_str(response?.get()).ok()?;
    response.incomplete_details?.reason
}
