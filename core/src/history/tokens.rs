//! What a conversation costs, and which part of it.

use std::collections::BTreeMap;

use recto_context_fragments::approximate_tokens;
use recto_protocol::{ContentItem, Item, Message, OutputPayload, ResponseItem, Role};
use serde_json::Value;

use super::person::is_from_person_as;

/// A number of tokens.
pub type Tokens = u64;

/// What a picture costs, whatever its bytes: a provider covers it with at most 1,536 patches of a token each, and some
/// tokens stand around it.
pub const IMAGE_TOKENS: Tokens = 1_600;

/// How tokens are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tokenizer {
    /// A token is four bytes, rounded up for each text; what is said about the result is marked `≈`.
    Bytes,
    /// The tokens of `o200k_base`.
    #[cfg(feature = "tiktoken")]
    O200k,
}

impl Tokenizer {
    /// The name to show beside a count.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Bytes => "bytes/4",
            #[cfg(feature = "tiktoken")]
            Self::O200k => "o200k_base",
        }
    }

    /// Whether the count is what a model's tokenizer says.
    pub const fn is_exact(self) -> bool {
        !matches!(self, Self::Bytes)
    }

    /// The tokens of a text.
    pub fn count(self, text: &str) -> Tokens {
        match self {
            Self::Bytes => approximate_tokens(text.len()) as Tokens,
            #[cfg(feature = "tiktoken")]
            Self::O200k => tiktoken_rs::o200k_base_singleton().count_ordinary(text) as Tokens,
        }
    }
}

/// Estimates the tokens of an item from the bytes of what a model reads of it.
pub fn estimate(item: &ResponseItem) -> Tokens {
    item_tokens(item, Tokenizer::Bytes)
}

/// The tokens of the items by what they are, the names sorted: the kind of a message's part where one is recorded
/// (`agents_md.instructions`, `user.text`, …), else who said it or the type of the item.
///
/// For an inspector, who gives the input of a prompt.
pub fn usage<'a>(
    items: impl IntoIterator<Item = &'a Item>,
    tokenizer: Tokenizer,
) -> BTreeMap<String, Tokens> {
    let mut usage = BTreeMap::new();
    for item in items {
        let view = item.decoded();
        if let ResponseItem::Message(message) = &*view {
            for (index, part) in message.content.iter().enumerate() {
                *usage.entry(source(item, message, index)).or_default() +=
                    part_tokens(part, tokenizer);
            }
        } else {
            *usage.entry(type_name(&view).to_owned()).or_default() += item_tokens(&view, tokenizer);
        }
    }
    usage
}

/// What a part of a message is.
fn source(item: &Item, message: &Message, index: usize) -> String {
    match item.kinds().get(index) {
        Some(kind) if kind.as_str() != "unknown" => kind.to_string(),
        _ if is_from_person_as(message, item.kinds()) => "user.text".to_owned(),
        _ => match message.role {
            Role::User => "user.context".to_owned(),
            role => format!("{role}.text"),
        },
    }
}

fn type_name(view: &ResponseItem) -> &str {
    match view {
        ResponseItem::Message(_) => "message",
        ResponseItem::Reasoning(_) => "reasoning",
        ResponseItem::FunctionCall(_) => "function_call",
        ResponseItem::FunctionCallOutput(_) | ResponseItem::NamedOutput(_) => {
            "function_call_output"
        }
        ResponseItem::CustomToolCall(_) => "custom_tool_call",
        ResponseItem::CustomToolCallOutput(_) => "custom_tool_call_output",
        ResponseItem::LocalShellCall(_) => "local_shell_call",
        ResponseItem::ToolSearchCall(_) => "tool_search_call",
        ResponseItem::ToolSearchOutput(_) => "tool_search_output",
        ResponseItem::WebSearchCall(_) => "web_search_call",
        ResponseItem::ImageGenerationCall(_) => "image_generation_call",
        ResponseItem::AdditionalTools(_) => "additional_tools",
        ResponseItem::Compaction(_) => "compaction",
        ResponseItem::Other(other) => &other.r#type,
    }
}

fn item_tokens(view: &ResponseItem, tokenizer: Tokenizer) -> Tokens {
    let count = |text: &str| tokenizer.count(text);
    let json = |value: &Value| tokenizer.count(&value.to_string());
    match view {
        ResponseItem::Message(message) => parts_tokens(&message.content, tokenizer),
        ResponseItem::Reasoning(reasoning) => {
            let sealed = reasoning.encrypted_content.as_deref().map_or(0, sealed_tokens);
            let told = reasoning.summary.iter().chain(reasoning.content.iter().flatten());
            sealed + told.map(json).sum::<Tokens>()
        }
        ResponseItem::FunctionCall(call) => count(&call.name) + count(&call.arguments),
        ResponseItem::FunctionCallOutput(output) => output_tokens(&output.output, tokenizer),
        ResponseItem::NamedOutput(output) => {
            count(&output.name) + output_tokens(&output.output, tokenizer)
        }
        ResponseItem::CustomToolCall(call) => count(&call.name) + count(&call.input),
        ResponseItem::CustomToolCallOutput(output) => output_tokens(&output.output, tokenizer),
        ResponseItem::LocalShellCall(call) => json(&call.action),
        ResponseItem::ToolSearchCall(call) => json(&call.arguments),
        ResponseItem::ToolSearchOutput(output) => output.tools.iter().map(json).sum(),
        ResponseItem::WebSearchCall(call) => call.action.as_ref().map_or(0, json),
        ResponseItem::ImageGenerationCall(call) => {
            IMAGE_TOKENS + call.revised_prompt.as_deref().map_or(0, count)
        }
        ResponseItem::AdditionalTools(tools) => tools.tools.iter().map(json).sum(),
        ResponseItem::Compaction(compaction) => sealed_tokens(&compaction.encrypted_content),
        ResponseItem::Other(other) => json(&other.value),
    }
}

fn output_tokens(output: &OutputPayload, tokenizer: Tokenizer) -> Tokens {
    match output {
        OutputPayload::Text(text) => tokenizer.count(text),
        OutputPayload::Content(parts) => parts_tokens(parts, tokenizer),
    }
}

fn parts_tokens(parts: &[ContentItem], tokenizer: Tokenizer) -> Tokens {
    parts.iter().map(|part| part_tokens(part, tokenizer)).sum()
}

fn part_tokens(part: &ContentItem, tokenizer: Tokenizer) -> Tokens {
    match part {
        ContentItem::InputText { text } | ContentItem::OutputText { text } => tokenizer.count(text),
        ContentItem::InputImage { .. } => IMAGE_TOKENS,
        ContentItem::Other(value) => tokenizer.count(&value.to_string()),
    }
}

/// Sealed text is base64 that nobody here can read: three quarters of its bytes, by the rule of four.
fn sealed_tokens(sealed: &str) -> Tokens {
    approximate_tokens(sealed.len() / 4 * 3) as Tokens
}
