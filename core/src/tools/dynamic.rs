//! The host's tools of one thread, as a model is told them.

use recto_protocol::{DynamicTool, DynamicToolSpec, DynamicTools};
use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};

use super::handler::ToolDefinition;

/// The definitions of a host's tools on the wire, in the host's order.
pub fn dynamic_definitions(tools: &DynamicTools) -> Vec<ToolDefinition> {
    tools.specs().iter().filter_map(definition).collect()
}

/// None where the schema is no JSON, which its type forbids.
fn definition(spec: &DynamicToolSpec) -> Option<ToolDefinition> {
    let json = to_raw_value(&Wire::of(spec)).ok()?;
    Some(ToolDefinition { name: spec.name().to_owned(), json })
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Wire<'a> {
    Function { name: &'a str, description: &'a str, strict: bool, parameters: &'a RawValue },
    Namespace { name: &'a str, description: &'a str, tools: Vec<Wire<'a>> },
}

impl<'a> Wire<'a> {
    fn of(spec: &'a DynamicToolSpec) -> Self {
        match spec {
            DynamicToolSpec::Function(DynamicTool { name, description, input_schema }) => {
                Self::Function { name, description, strict: false, parameters: input_schema }
            }
            DynamicToolSpec::Namespace { name, description, tools } => {
                Self::Namespace { name, description, tools: tools.iter().map(Self::of).collect() }
            }
        }
    }
}
