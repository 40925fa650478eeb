//! What of the conversation is shown while a turn runs.

use recto_core::tools::{ToolCall, tool_call};
use recto_protocol::{ContentItem, FunctionCallOutput, Item, OutputPayload, ResponseItem, Role};
use serde_json::Value;

/// How the text begins and ends that tells a model how long a call took.
const HEAD: &str = "Wall time: ";
const HEAD_END: &str = "Output:";

/// An item that is shown; what the model is told of the world is not.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Shown {
    /// The model said something.
    Message {
        /// What.
        text: String,
        /// Where in its answer it stands, where the server says.
        phase: Option<String>,
    },
    /// The model thought something.
    Thoughts(String),
    /// The model calls a tool.
    Call(ToolCall),
    /// What the tool gave back.
    Output {
        /// The call.
        call_id: String,
        /// Its output.
        output: OutputPayload,
    },
}

impl Shown {
    /// What is shown of an item.
    pub(super) fn of(item: &Item) -> Option<Self> {
        let item = item.decoded();
        if let Some(call) = tool_call(&item) {
            return Some(Self::Call(call));
        }
        match &*item {
            ResponseItem::Message(message) if message.role == Role::Assistant => {
                let text = message.content.iter().filter_map(words).collect();
                Some(Self::Message { text, phase: message.phase.clone() })
            }
            ResponseItem::Reasoning(reasoning) => {
                let texts = reasoning.summary.iter().filter_map(|part| part["text"].as_str());
                let text = texts.collect::<Vec<_>>().join("\n");
                (!text.is_empty()).then_some(Self::Thoughts(text))
            }
            ResponseItem::FunctionCallOutput(FunctionCallOutput { call_id, output }) => {
                Some(Self::Output { call_id: call_id.clone(), output: output.clone() })
            }
            ResponseItem::CustomToolCallOutput(answer) => {
                let (call_id, output) = (answer.call_id.clone(), answer.output.clone());
                Some(Self::Output { call_id, output })
            }
            _ => None,
        }
    }
}

/// The text of a part, also of one in which the model refuses to answer.
fn words(part: &ContentItem) -> Option<&str> {
    match part {
        ContentItem::Other(other) => other.get("refusal").and_then(Value::as_str),
        part => part.text(),
    }
}

/// The text of an output; a picture has none.
pub(super) fn output_text(output: &OutputPayload) -> String {
    match output {
        OutputPayload::Text(text) => text.clone(),
        OutputPayload::Content(parts) => {
            parts.iter().filter_map(ContentItem::text).collect::<Vec<_>>().join("\n")
        }
    }
}

/// Whether a part tells how long a call took; it is the first one.
pub(super) fn is_head(text: &str) -> bool {
    text.starts_with(HEAD) && text.ends_with(HEAD_END)
}

/// What a call gave, without how long it took.
pub(super) fn without_head(text: &str) -> &str {
    let head = text.split_once('\n').and_then(|(time, rest)| {
        let output = rest.strip_prefix(HEAD_END).and_then(|it| it.strip_prefix('\n'));
        output.filter(|_| time.starts_with(HEAD))
    });
    head.unwrap_or(text)
}
