//! Schemas as a model's server takes them: the cases are those that the reference was asked about.

#![expect(clippy::unwrap_used, reason = "what goes wrong in a helper of a test fails the test")]

use pretty_assertions::assert_eq;
use recto_core::tools::ToolHandler;
use serde_json::{Value, json};

use super::child::{options, ready, server};

/// The parameters that are sent for a schema.
async fn sent(schema: &Value) -> String {
    let tool = json!({
        "name": "t", "inputSchema": schema, "annotations": { "readOnlyHint": true },
    });
    let (tools, _events, _) = ready(&[server("s", &json!({ "tools": [tool] }))], options()).await;
    let definition = tools.definitions().remove(0).json.get().to_owned();
    let (_, parameters) = definition.split_once("\"parameters\":").unwrap();
    parameters.strip_suffix('}').unwrap().to_owned()
}

#[tokio::test]
async fn each_kind_of_schema_is_brought_into_the_shape_that_the_reference_sends() {
    let cases = [
        (
            json!({ "type": "string", "format": "date", "minLength": 1, "default": "x", "title": "T", "description": "D", "enum": ["a"] }),
            r#"{"type":"string","description":"D","enum":["a"]}"#,
        ),
        (json!({ "type": "number", "minimum": 1 }), r#"{"type":"number"}"#),
        (json!({ "type": "array" }), r#"{"type":"array","items":{"type":"string"}}"#),
        (
            json!({ "type": "array", "items": {}, "minItems": 1, "maxItems": 3 }),
            r#"{"type":"array","items":{},"minItems":1}"#,
        ),
        (json!({ "minItems": 1 }), "{}"),
        (json!({ "type": "object" }), r#"{"type":"object","properties":{}}"#),
        (
            json!({ "type": "object", "additionalProperties": { "type": "array" } }),
            r#"{"type":"object","properties":{},"additionalProperties":{"type":"array","items":{"type":"string"}}}"#,
        ),
        (
            json!({ "oneOf": [{ "type": "string" }, { "const": "k" }] }),
            r#"{"oneOf":[{"type":"string"},{"type":"string","enum":["k"]}]}"#,
        ),
        (
            json!({ "allOf": [{ "type": "string" }, { "minLength": 2 }] }),
            r#"{"allOf":[{"type":"string"},{}]}"#,
        ),
        (json!({ "not": { "type": "string" } }), "{}"),
        (json!({ "enum": ["a", 1, null] }), r#"{"type":"string","enum":["a",1,null]}"#),
        (
            json!({ "properties": { "a": { "type": "string" } } }),
            r#"{"type":"object","properties":{"a":{"type":"string"}}}"#,
        ),
        (json!({ "items": { "type": "number" } }), r#"{"type":"array","items":{"type":"number"}}"#),
        (
            json!({ "type": ["array", "null"] }),
            r#"{"type":["array","null"],"items":{"type":"string"}}"#,
        ),
        (json!({ "type": "weird" }), "{}"),
        (json!(true), r#"{"type":"string"}"#),
        (json!({ "format": "uri" }), r#"{"type":"string"}"#),
        (json!({ "minimum": 1 }), r#"{"type":"number"}"#),
        (
            json!({ "$ref": "#/$defs/None", "description": "x" }),
            r##"{"$ref":"#/$defs/None","description":"x"}"##,
        ),
    ];
    let properties: serde_json::Map<String, Value> =
        cases.iter().enumerate().map(|(at, case)| (format!("p{at:02}"), case.0.clone())).collect();
    let sent = sent(&json!({ "type": "object", "properties": properties })).await;
    let expected: Vec<String> =
        cases.iter().enumerate().map(|(at, case)| format!("\"p{at:02}\":{}", case.1)).collect();
    assert_eq!(sent, format!(r#"{{"type":"object","properties":{{{}}}}}"#, expected.join(",")));
}

#[tokio::test]
async fn only_definitions_that_something_refers_to_are_sent() {
    let schema = json!({
        "properties": { "x": { "$ref": "#/$defs/R" } },
        "$defs": { "R": { "properties": { "z": { "$ref": "#/$defs/S" } } }, "S": { "type": "boolean" }, "T": {} },
        "definitions": { "Q": {} },
        "required": ["x"],
        "additionalProperties": false,
    });
    assert_eq!(
        sent(&schema).await,
        r##"{"type":"object","properties":{"x":{"$ref":"#/$defs/R"}},"required":["x"],"additionalProperties":false,"$defs":{"R":{"type":"object","properties":{"z":{"$ref":"#/$defs/S"}}},"S":{"type":"boolean"}}}"##
    );
}

#[tokio::test]
async fn a_schema_that_goes_round_in_circles_or_is_nonsense_does_no_harm() {
    let circle = json!({
        "properties": { "x": { "$ref": "#/$defs/R" } },
        "$defs": { "R": { "properties": { "again": { "$ref": "#/$defs/R" } } } },
    });
    assert_eq!(
        sent(&circle).await,
        r##"{"type":"object","properties":{"x":{"$ref":"#/$defs/R"}},"$defs":{"R":{"type":"object","properties":{"again":{"$ref":"#/$defs/R"}}}}}"##
    );
    let nonsense =
        json!({ "type": 3, "properties": 7, "required": "x", "description": [], "items": [1, {}] });
    assert_eq!(
        sent(&nonsense).await,
        r#"{"type":"object","items":{"anyOf":[{"type":"string"},{}]},"properties":{}}"#
    );
}
