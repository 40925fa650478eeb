//! What calls were answered with, taken from one program and given to the other.

use std::collections::BTreeMap;

use async_trait::async_trait;
use recto_core::tools::{NoTools, ToolCall, ToolDefinition, ToolHandler};
use recto_protocol::OutputPayload;
use serde_json::Value;

/// Tools that answer as the reference's did: the text of each output by the id of its call.
#[derive(Debug, Clone, Default)]
pub(super) struct Outputs(BTreeMap<String, String>);

impl Outputs {
    /// The outputs in the inputs of these requests.
    pub(super) fn of(requests: &[Value]) -> Self {
        let items = requests.iter().filter_map(|body| body["input"].as_array()).flatten();
        let outputs = items.filter(|item| item["type"] == "function_call_output");
        let of_item = |item: &Value| {
            Some((item["call_id"].as_str()?.to_owned(), item["output"].as_str()?.to_owned()))
        };
        Self(outputs.filter_map(of_item).collect())
    }
}

#[async_trait]
impl ToolHandler for Outputs {
    fn definitions(&self) -> Vec<ToolDefinition> {
        NoTools.definitions()
    }

    async fn call(&self, call: &ToolCall) -> OutputPayload {
        match self.0.get(&call.call_id) {
            Some(text) => OutputPayload::Text(text.clone()),
            None => OutputPayload::Text("the reference did not answer this call".to_owned()),
        }
    }
}
