//! An item that is no message, on one line.

use std::borrow::Cow;

use recto_protocol::{ContentItem, Item, OutputPayload, ResponseItem};
use serde_json::Value;

use super::layout::counted;

/// Characters of a long text that are looked at.
const START: usize = 4_096;

/// What it is, in one word.
pub(crate) fn label(view: &ResponseItem) -> &'static str {
    match view {
        ResponseItem::Message(_) => "said",
        ResponseItem::Reasoning(_) => "thought",
        ResponseItem::FunctionCallOutput(_)
        | ResponseItem::NamedOutput(_)
        | ResponseItem::CustomToolCallOutput(_)
        | ResponseItem::ToolSearchOutput(_) => "  output",
        ResponseItem::FunctionCall(_)
        | ResponseItem::CustomToolCall(_)
        | ResponseItem::LocalShellCall(_)
        | ResponseItem::ToolSearchCall(_)
        | ResponseItem::WebSearchCall(_)
        | ResponseItem::ImageGenerationCall(_) => "call",
        ResponseItem::AdditionalTools(_) => "tools",
        ResponseItem::Compaction(_) => "compact",
        ResponseItem::Other(_) => "other",
    }
}

/// What it says.
pub(crate) fn one(item: &Item) -> String {
    match &*item.decoded() {
        ResponseItem::Message(message) => {
            message.content.iter().filter_map(ContentItem::text).collect::<Vec<_>>().join(" ")
        }
        ResponseItem::Reasoning(reasoning) => {
            let told = reasoning.summary.iter().chain(reasoning.content.iter().flatten());
            let texts: Vec<&str> = told.filter_map(|it| it.get("text")?.as_str()).collect();
            if texts.is_empty() { "(sealed)".to_owned() } else { texts.join(" ") }
        }
        ResponseItem::FunctionCall(call) => format!("{} {}", call.name, start_of(&call.arguments)),
        ResponseItem::FunctionCallOutput(output) => of_output(&output.output),
        ResponseItem::NamedOutput(output) => {
            format!("{}: {}", output.name, of_output(&output.output))
        }
        ResponseItem::CustomToolCall(call) => format!("{} {}", call.name, start_of(&call.input)),
        ResponseItem::CustomToolCallOutput(output) => of_output(&output.output),
        ResponseItem::LocalShellCall(call) => format!("shell {}", call.action),
        ResponseItem::ToolSearchCall(call) => format!("tool search {}", call.arguments),
        ResponseItem::ToolSearchOutput(output) => counted(output.tools.len() as u64, "tool"),
        ResponseItem::WebSearchCall(call) => {
            format!("web search {}", call.action.as_ref().map(Value::to_string).unwrap_or_default())
        }
        ResponseItem::ImageGenerationCall(call) => {
            format!("picture {}", call.revised_prompt.as_deref().unwrap_or_default())
        }
        ResponseItem::AdditionalTools(tools) => counted(tools.tools.len() as u64, "tool"),
        ResponseItem::Compaction(_) => "a summary that only the provider can read".to_owned(),
        ResponseItem::Other(other) => format!("{}: not known here, never sent", other.r#type),
    }
}

fn of_output(output: &OutputPayload) -> String {
    let text: Cow<'_, str> = match output {
        OutputPayload::Text(text) => text.into(),
        OutputPayload::Content(parts) => {
            let texts = parts.iter().map(|part| part.text().unwrap_or("[a picture]"));
            texts.collect::<Vec<_>>().join(" ").into()
        }
    };
    let lines = text.trim_end().lines().count();
    let start = start_of(&text);
    if lines < 2 { start.to_owned() } else { format!("({lines} lines) {start}") }
}

/// As much of a text as one line can show, and more.
fn start_of(text: &str) -> &str {
    text.char_indices().nth(START).map_or(text, |(end, _)| &text[..end])
}
