//! Who runs the calls of a model.

use std::fmt;

use async_trait::async_trait;
use recto_protocol::{
    CustomToolCallOutput, FunctionCallOutput, Item, OutputPayload, ResponseItem, ToolSearchOutput,
};
use serde_json::value::RawValue;

/// A tool as a model is told it.
#[derive(Debug, Clone)]
pub struct ToolDefinition {
    /// Its name; requests list tools sorted by it.
    pub name: String,
    /// Its definition on the wire.
    pub json: Box<RawValue>,
}

/// One call, whatever kind of item it came as.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolCall {
    /// Ties the output to the call.
    pub call_id: String,
    /// The tool; `local_shell` for the provider's own shell tool.
    pub name: String,
    /// The group of tools that it belongs to.
    pub namespace: Option<String>,
    /// What the model wrote for it: JSON for functions, free text for custom tools.
    pub input: String,
    kind: CallKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CallKind {
    Function,
    Custom,
    ToolSearch,
}

/// Runs tools.
#[async_trait]
pub trait ToolHandler: fmt::Debug + Send + Sync {
    /// The tools there are now, in any order.
    fn definitions(&self) -> Vec<ToolDefinition>;

    /// Runs one call; what goes wrong is told to the model in the output.
    ///
    /// Dropping the future stops the call.
    async fn call(&self, call: &ToolCall) -> OutputPayload;
}

/// For a conversation without tools; every call is answered that there is no such tool.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoTools;

#[async_trait]
impl ToolHandler for NoTools {
    fn definitions(&self) -> Vec<ToolDefinition> {
        Vec::new()
    }

    async fn call(&self, call: &ToolCall) -> OutputPayload {
        OutputPayload::Text(format!("unsupported call: {}", call.name))
    }
}

/// The call that an item is, if it is one that this side answers.
pub fn tool_call(item: &ResponseItem) -> Option<ToolCall> {
    match item {
        ResponseItem::FunctionCall(call) => Some(ToolCall {
            call_id: call.call_id.clone(),
            name: call.name.clone(),
            namespace: call.namespace.clone(),
            input: call.arguments.clone(),
            kind: CallKind::Function,
        }),
        ResponseItem::CustomToolCall(call) => Some(ToolCall {
            call_id: call.call_id.clone(),
            name: call.name.clone(),
            namespace: None,
            input: call.input.clone(),
            kind: CallKind::Custom,
        }),
        ResponseItem::LocalShellCall(call) => Some(ToolCall {
            call_id: call.call_id.clone().or_else(|| call.id.clone())?,
            name: "local_shell".to_owned(),
            namespace: None,
            input: call.action.to_string(),
            kind: CallKind::Function,
        }),
        ResponseItem::ToolSearchCall(call) if call.execution == "client" => Some(ToolCall {
            call_id: call.call_id.clone()?,
            name: "tool_search".to_owned(),
            namespace: None,
            input: call.arguments.to_string(),
            kind: CallKind::ToolSearch,
        }),
        _ => None,
    }
}

/// The item that answers a call.
pub fn tool_output(call: &ToolCall, output: OutputPayload) -> Item {
    let call_id = call.call_id.clone();
    let view = match call.kind {
        CallKind::Function => {
            ResponseItem::FunctionCallOutput(FunctionCallOutput { call_id, output })
        }
        CallKind::Custom => {
            ResponseItem::CustomToolCallOutput(CustomToolCallOutput { call_id, output })
        }
        CallKind::ToolSearch => ResponseItem::ToolSearchOutput(ToolSearchOutput {
            call_id: Some(call_id),
            status: "completed".to_owned(),
            execution: "client".to_owned(),
            tools: Vec::new(),
        }),
    };
    Item::new(view, Vec::new())
}
