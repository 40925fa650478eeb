//! The items of the Responses wire that a coding agent meets.
//!
//! Decoding reads the tag first and then the fields by hand: serde's derived tagged enums buffer a value and lose how
//! its numbers were written.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::json_text::{leading_type, replace_lone_surrogates};
use crate::{ContentItem, OutputPayload, Role};

/// One item, typed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ResponseItem {
    /// Something said.
    Message(Message),
    /// What the model thought, as far as the provider shows it.
    Reasoning(Reasoning),
    /// The model calls a function.
    FunctionCall(FunctionCall),
    /// What the function gave back.
    FunctionCallOutput(FunctionCallOutput),
    /// A value from outside, told as the output of a tool that nobody called.
    #[serde(rename = "function_call_output")]
    NamedOutput(NamedOutput),
    /// The model calls a tool that takes free text.
    CustomToolCall(CustomToolCall),
    /// What that tool gave back.
    CustomToolCallOutput(CustomToolCallOutput),
    /// The model calls the provider's own shell tool.
    LocalShellCall(LocalShellCall),
    /// The model looks for tools.
    ToolSearchCall(ToolSearchCall),
    /// The tools that were found.
    ToolSearchOutput(ToolSearchOutput),
    /// The provider searched the web.
    WebSearchCall(WebSearchCall),
    /// The provider made a picture.
    ImageGenerationCall(ImageGenerationCall),
    /// Tools told as an item, where the wire has no field for them.
    AdditionalTools(AdditionalTools),
    /// A summary that only the provider can read.
    Compaction(Compaction),
    /// An item of a type that this program does not know, or one that does not decode.
    #[serde(untagged)]
    Other(OtherItem),
}

/// Something said, by anyone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Message {
    /// The id that the server issued.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Who speaks.
    pub role: Role,
    /// The parts.
    pub content: Vec<ContentItem>,
    /// Where in its answer the model stands: `commentary` or `final_answer`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phase: Option<String>,
}

/// What the model thought.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reasoning {
    /// The id that the server issued.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Readable summaries.
    #[serde(default)]
    pub summary: Vec<Value>,
    /// The readable thoughts, where a provider gives them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content: Option<Vec<Value>>,
    /// The thoughts sealed for the provider that made them; nobody else can read them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub encrypted_content: Option<String>,
}

/// The model calls a function.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FunctionCall {
    /// The id that the server issued.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The function.
    pub name: String,
    /// The group of tools that it belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub namespace: Option<String>,
    /// JSON as text, as the model wrote it; it may be broken.
    pub arguments: String,
    /// Ties the output to the call.
    pub call_id: String,
}

/// What a function gave back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FunctionCallOutput {
    /// The call it answers.
    pub call_id: String,
    /// A text, or parts.
    pub output: OutputPayload,
}

/// A value from outside, told as the output of a tool that nobody called: how Codex tells what nobody vouches for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NamedOutput {
    /// The key of the value.
    pub name: String,
    /// Whose value it is: `agent`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub namespace: Option<String>,
    /// The value.
    pub output: OutputPayload,
}

/// The model calls a tool that takes free text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CustomToolCall {
    /// The id that the server issued.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Ties the output to the call.
    pub call_id: String,
    /// The tool.
    pub name: String,
    /// The text for it.
    pub input: String,
    /// How far the call is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<String>,
}

/// What a free-text tool gave back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CustomToolCallOutput {
    /// The call it answers.
    pub call_id: String,
    /// A text, or parts.
    pub output: OutputPayload,
}

/// The model calls the provider's own shell tool.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LocalShellCall {
    /// The id that the server issued.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Ties the output to the call; old records have none and use `id`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call_id: Option<String>,
    /// How far the call is.
    pub status: String,
    /// What to run.
    pub action: Value,
}

/// The model looks for tools.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolSearchCall {
    /// The id that the server issued.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Ties the output to the call; none where the provider runs the search itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call_id: Option<String>,
    /// How far the call is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<String>,
    /// `client` or `server`: who runs the search.
    pub execution: String,
    /// What is looked for.
    pub arguments: Value,
}

/// The tools that were found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolSearchOutput {
    /// The call it answers; none where the provider ran the search itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call_id: Option<String>,
    /// How it went.
    pub status: String,
    /// `client` or `server`: who ran the search.
    pub execution: String,
    /// Their definitions.
    pub tools: Vec<Value>,
}

/// The provider searched the web.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WebSearchCall {
    /// The id that the server issued.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// How far the call is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<String>,
    /// What was searched or opened.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub action: Option<Value>,
}

/// The provider made a picture.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ImageGenerationCall {
    /// The id that the server issued.
    pub id: String,
    /// How far the call is.
    pub status: String,
    /// What the provider drew in the end from the model's words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revised_prompt: Option<String>,
    /// The picture, in base64.
    pub result: String,
}

/// Tools told as an item, where the wire has no field for them (Responses Lite).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AdditionalTools {
    /// Who offers them.
    pub role: Role,
    /// Their definitions.
    pub tools: Vec<Value>,
}

/// A summary that only the provider can read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Compaction {
    /// The sealed summary.
    pub encrypted_content: String,
}

/// An item that has no typed view.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct OtherItem {
    /// The `type` it says it has; empty where it says none.
    #[serde(skip)]
    pub r#type: String,
    /// Why it has no view; none where the type is just not known.
    #[serde(skip)]
    pub problem: Option<String>,
    /// The item, for those who build one; what came as text is kept by [`Item`](crate::Item).
    pub value: Value,
}

impl ResponseItem {
    /// Decodes an item; whatever does not decode is [`ResponseItem::Other`] and says why.
    pub(crate) fn decode(json: &str) -> Self {
        #[derive(Deserialize)]
        struct Tag {
            r#type: String,
        }

        fn fields<'a, T: Deserialize<'a>>(
            json: &'a str,
            variant: impl FnOnce(T) -> ResponseItem,
        ) -> Result<ResponseItem, serde_json::Error> {
            serde_json::from_str(json).map(variant)
        }

        fn function_call_output(json: &str) -> Result<ResponseItem, serde_json::Error> {
            #[derive(Deserialize)]
            struct CallId<'a> {
                #[serde(borrow, default)]
                call_id: Option<&'a RawValue>,
            }

            match serde_json::from_str::<CallId<'_>>(json)?.call_id {
                Some(_) => fields(json, ResponseItem::FunctionCallOutput),
                None => fields(json, ResponseItem::NamedOutput),
            }
        }

        let clean = replace_lone_surrogates(json);
        let tag = match leading_type(&clean) {
            Some((tag, _)) => Ok(tag.to_owned()),
            None => serde_json::from_str::<Tag>(&clean).map(|tag| tag.r#type),
        };
        let item = match tag.as_deref() {
            Ok("message") => fields(&clean, Self::Message),
            Ok("reasoning") => fields(&clean, Self::Reasoning),
            Ok("function_call") => fields(&clean, Self::FunctionCall),
            Ok("function_call_output") => function_call_output(&clean),
            Ok("custom_tool_call") => fields(&clean, Self::CustomToolCall),
            Ok("custom_tool_call_output") => fields(&clean, Self::CustomToolCallOutput),
            Ok("local_shell_call") => fields(&clean, Self::LocalShellCall),
            Ok("tool_search_call") => fields(&clean, Self::ToolSearchCall),
            Ok("tool_search_output") => fields(&clean, Self::ToolSearchOutput),
            Ok("web_search_call") => fields(&clean, Self::WebSearchCall),
            Ok("image_generation_call") => fields(&clean, Self::ImageGenerationCall),
            Ok("additional_tools") => fields(&clean, Self::AdditionalTools),
            Ok("compaction" | "compaction_summary") => fields(&clean, Self::Compaction),
            Ok(_) => return Self::other(tag.unwrap_or_default(), None, &clean),
            Err(_) => {
                return Self::other(String::new(), Some("it has no `type`".to_owned()), &clean);
            }
        };
        item.unwrap_or_else(|error| {
            Self::other(tag.unwrap_or_default(), Some(error.to_string()), &clean)
        })
    }

    fn other(r#type: String, problem: Option<String>, json: &str) -> Self {
        // A number that no float can hold has no `Value`; the text of the item still has it.
        let value = serde_json::from_str(json).unwrap_or(Value::Null);
        Self::Other(OtherItem { r#type, problem, value })
    }

    /// The item as JSON, its `type` first.
    pub(crate) fn to_json(&self) -> String {
        serde_json::to_string(self)
            .unwrap_or_else(|_| unreachable!("every field of an item is a JSON value"))
    }
}
