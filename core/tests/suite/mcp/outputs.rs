//! What a model reads of a result, as the reference writes it.

#![expect(clippy::unwrap_used, reason = "what goes wrong in a helper of a test fails the test")]

use insta::assert_snapshot;
use pretty_assertions::assert_eq;
use recto_core::tools::ToolHandler;
use recto_protocol::{ContentItem, OutputPayload};
use serde_json::{Value, json};

use super::calls::{function_call, texts};
use super::child::{options, ready, server, told, tool};

/// The output for each result, one line each, without the time.
async fn rendered(results: &[(&str, Value)]) -> String {
    let calls: serde_json::Map<String, Value> = results
        .iter()
        .map(|(name, result)| ((*name).to_owned(), json!({ "result": result })))
        .collect();
    let tools: Vec<Value> = results.iter().map(|(name, _)| tool(name)).collect();
    let part = json!({ "tools": tools, "calls": calls });
    let (tools, _events, _) = ready(&[server("s", &part)], options()).await;
    let mut lines = Vec::new();
    for (name, _) in results {
        let output = tools.call(&function_call(Some("mcp__s"), name, "{}")).await;
        let json = serde_json::to_string(&output).unwrap();
        let (start, rest) = json.split_once("Wall time: ").unwrap();
        let (seconds, rest) = rest.split_once(" seconds").unwrap();
        assert!(seconds.parse::<f64>().is_ok() && seconds.split_once('.').unwrap().1.len() == 4);
        lines.push(format!("{name}: {start}Wall time: T seconds{rest}"));
    }
    lines.join("\n")
}

#[tokio::test]
async fn results_are_written_as_the_reference_writes_them() {
    let text = |text: &str| json!({ "type": "text", "text": text });
    let image = json!({ "type": "image", "data": "AAAA", "mimeType": "image/png" });
    let link = json!({ "type": "resource_link", "uri": "file:///a", "name": "a" });
    let resource = json!({
        "type": "resource",
        "resource": { "uri": "file:///a", "mimeType": "text/plain", "text": "body" },
    });
    let results = [
        ("two", json!({ "content": [text("one"), text("two")] })),
        ("empty", json!({ "content": [] })),
        ("blank", json!({ "content": [text("")] })),
        ("image", json!({ "content": [text("see"), image] })),
        (
            "audio",
            json!({ "content": [{ "type": "audio", "data": "AA", "mimeType": "audio/wav" }] }),
        ),
        ("resource", json!({ "content": [resource] })),
        ("link", json!({ "content": [link] })),
        ("structured", json!({ "content": [text("x")], "structuredContent": { "a": [1, "é"] } })),
        ("null", json!({ "content": [text("x")], "structuredContent": null })),
        ("only", json!({ "structuredContent": { "a": 1 } })),
        ("error", json!({ "content": [text("went wrong")], "isError": true })),
        ("unknown", json!({ "content": [{ "type": "weird" }] })),
    ];
    assert_snapshot!(rendered(&results).await, @r#"
    two: [{"type":"input_text","text":"Wall time: T seconds\nOutput:"},{"type":"input_text","text":"one"},{"type":"input_text","text":"two"}]
    empty: [{"type":"input_text","text":"Wall time: T seconds\nOutput:"}]
    blank: [{"type":"input_text","text":"Wall time: T seconds\nOutput:"}]
    image: [{"type":"input_text","text":"Wall time: T seconds\nOutput:"},{"type":"input_text","text":"see"},{"type":"input_image","image_url":"data:image/png;base64,AAAA","detail":"high"}]
    audio: [{"type":"input_text","text":"Wall time: T seconds\nOutput:"},{"type":"input_text","text":"<audio content omitted because you do not support audio input>"}]
    resource: [{"type":"input_text","text":"Wall time: T seconds\nOutput:"},{"type":"input_text","text":"{\"type\":\"resource\",\"resource\":{\"uri\":\"file:///a\",\"mimeType\":\"text/plain\",\"text\":\"body\"}}"}]
    link: [{"type":"input_text","text":"Wall time: T seconds\nOutput:"},{"type":"input_text","text":"{\"type\":\"resource_link\",\"uri\":\"file:///a\",\"name\":\"a\"}"}]
    structured: "Wall time: T seconds\nOutput:\n{\"a\":[1,\"é\"]}"
    null: [{"type":"input_text","text":"Wall time: T seconds\nOutput:"},{"type":"input_text","text":"x"}]
    only: "Wall time: T seconds\nOutput:\n{\"a\":1}"
    error: [{"type":"input_text","text":"Wall time: T seconds\nOutput:"},{"type":"input_text","text":"went wrong"}]
    unknown: [{"type":"input_text","text":"Wall time: T seconds\nOutput:"},{"type":"input_text","text":"tool call error: tool call failed for `s/unknown`\n\nCaused by:\n    Unexpected response type"}]
    "#);
}

#[tokio::test]
async fn a_long_output_is_cut_in_the_middle_and_told() {
    let long = "0123456789".repeat(1000);
    let part = json!({
        "tools": [tool("t"), tool("s")],
        "calls": {
            "t": { "result": { "content": [{ "type": "text", "text": long }] } },
            "s": { "result": { "content": [], "structuredContent": long } },
        },
    });
    let mut options = options();
    options.output_tokens = 10;
    let (tools, mut events, _) = ready(&[server("s", &part)], options).await;
    let output = tools.call(&function_call(None, "mcp__s__t", "{}")).await;
    let OutputPayload::Content(parts) = &output else { panic!("{output:?}") };
    assert_eq!(parts[0].text().unwrap().lines().last(), Some("Output:"));
    assert_eq!(
        parts[1..],
        [ContentItem::InputText {
            text: "01234567890123456789…2490 tokens truncated…01234567890123456789".to_owned()
        }]
    );
    let output = tools.call(&function_call(None, "mcp__s__s", "{}")).await;
    assert_eq!(
        texts(output)[1..],
        ["\"0123456789012345678…2491 tokens truncated…1234567890123456789\"".to_owned()]
    );
    assert_eq!(
        told(&mut events),
        [
            "s/s gave 10002 bytes of text; about 10 tokens of them are kept, the middle is left out",
            "s/t gave 10000 bytes of text; about 10 tokens of them are kept, the middle is left out",
        ]
    );
}
