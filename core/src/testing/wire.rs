//! Whether requests go out as they should, over the wire that `just matrix` asks for.

use recto_protocol::WireKind;
use recto_protocol::responses::{ResponsesRequest, input_json};
use serde_json::Value;

use super::environment::wire_under_test;
use crate::model::SampleRequest;

/// The body carries the prompt and nothing else, whatever the wire; a request that does not is a fault of ours.
pub(super) fn check_wire(request: &SampleRequest<'_>) {
    let Some(wire) = wire_under_test() else { return };
    let prompt = request.prompt;
    let body = ResponsesRequest {
        model: request.model,
        prompt,
        parallel_tool_calls: true,
        prompt_cache_key: None,
        output_schema: request.output_schema,
    };
    let body: Value = serde_json::from_str(&body.to_json(wire)).expect("a body is JSON");
    let items: Value = serde_json::from_str(&input_json(&prompt.input)).expect("input is JSON");
    let instructions = &prompt.base_instructions.text;
    let (told, input) = match (wire, body["input"].as_array().expect("input is a list")) {
        (WireKind::Responses, input) => (&body["instructions"], &input[..]),
        (WireKind::ResponsesLite, input) => {
            assert_eq!(input[0]["type"], "additional_tools");
            (&input[1]["content"][0]["text"], &input[2..])
        }
    };
    assert_eq!(told, instructions);
    assert_eq!(Value::from(input), items);
}
