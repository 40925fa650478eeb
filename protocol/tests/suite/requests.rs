//! The body of a request, in both shapes.

use pretty_assertions::assert_eq;
use recto_protocol::responses::{ResponsesRequest, input_json};
use recto_protocol::{
    AnswerStyle, BaseInstructions, BaseInstructionsSource, ContentItem, ContentKind, InputModality,
    Item, ModelInfo, OutputSchema, Prompt, ReasoningSummary, Role, Verbosity, WireKind,
};
use serde_json::Value;
use serde_json::value::RawValue;

fn prompt(tools: &[&str]) -> Prompt {
    let items = [
        Item::message(
            Role::User,
            [(ContentItem::InputText { text: "hi".into() }, ContentKind::USER_TEXT)],
        ),
        recorded(
            r#"{"type":"function_call_output","call_id":"c","output":"\ud83d","internal_chat_message_metadata_passthrough":{"content_item_kinds":["unknown"]}}"#,
        ),
        recorded(r#"{"type":"of_tomorrow","n":1e400}"#),
    ];
    Prompt {
        base_instructions: BaseInstructions {
            text: "Be \"good\".\n".into(),
            source: BaseInstructionsSource::Model,
        },
        input: items.into_iter().collect(),
        tools: tools.iter().map(|it| tool(it)).collect(),
    }
}

fn recorded(json: &str) -> Item {
    Item::from_json(json).expect("it is one JSON object")
}

fn tool(json: &str) -> Box<RawValue> {
    RawValue::from_string(json.to_owned()).expect("it is JSON")
}

fn model(wire: WireKind, style: AnswerStyle) -> ModelInfo {
    ModelInfo {
        slug: "m".to_owned(),
        context_window: None,
        input_modalities: vec![InputModality::Text],
        wire,
        base_instructions_carry_personality: false,
        style,
    }
}

fn body(prompt: &Prompt, prompt_cache_key: Option<&str>, wire: WireKind) -> String {
    let request = ResponsesRequest {
        model: &model(wire, AnswerStyle::default()),
        prompt,
        parallel_tool_calls: true,
        prompt_cache_key,
        output_schema: None,
    };
    request.to_json(wire)
}

/// The same, broken into lines between members and items.
fn lines(body: &str) -> String {
    body.replace("},{", "},\n  {").replace("],\"", "],\n\"").replace(":[{", ":[\n  {")
}

#[test]
fn a_request_carries_instructions_input_and_tools_as_they_are() {
    let prompt = prompt(&[r#"{"type":"function","name":"t", "n":1.0}"#]);
    insta::assert_snapshot!(lines(&body(&prompt, Some("thread"), WireKind::Responses)), @r#"
    {"model":"m","instructions":"Be \"good\".\n","stream":true,"input":[
      {"type":"message","role":"user","content":[
      {"type":"input_text","text":"hi"}]},
      {"type":"function_call_output","call_id":"c","output":"\ufffd"},
      {"type":"of_tomorrow","n":1e400}],
    "tools":[
      {"type":"function","name":"t", "n":1.0}],
    "tool_choice":"auto","parallel_tool_calls":true,"store":false,"include":["reasoning.encrypted_content"],
    "prompt_cache_key":"thread"}
    "#);
}

#[test]
fn on_lite_tools_and_instructions_are_the_first_two_items() {
    let prompt = prompt(&[r#"{"type":"function","name":"t", "n":1.0}"#]);
    insta::assert_snapshot!(lines(&body(&prompt, Some("thread"), WireKind::ResponsesLite)), @r#"
    {"model":"m","stream":true,"input":[
      {"type":"additional_tools","role":"developer","tools":[
      {"type":"function","name":"t", "n":1.0}]},
      {"type":"message","role":"developer","content":[
      {"type":"input_text","text":"Be \"good\".\n"}]},
      {"type":"message","role":"user","content":[
      {"type":"input_text","text":"hi"}]},
      {"type":"function_call_output","call_id":"c","output":"\ufffd"},
      {"type":"of_tomorrow","n":1e400}],
    "tool_choice":"auto","parallel_tool_calls":false,"reasoning":{"context":"all_turns"},"store":false,"include":["reasoning.encrypted_content"],
    "prompt_cache_key":"thread"}
    "#);
}

#[test]
fn without_tools_and_key_a_request_says_so() {
    insta::assert_snapshot!(lines(&body(&prompt(&[]), None, WireKind::Responses)), @r#"
    {"model":"m","instructions":"Be \"good\".\n","stream":true,"input":[
      {"type":"message","role":"user","content":[
      {"type":"input_text","text":"hi"}]},
      {"type":"function_call_output","call_id":"c","output":"\ufffd"},
      {"type":"of_tomorrow","n":1e400}],
    "tools":[],
    "tool_choice":"auto","parallel_tool_calls":true,"store":false,"include":["reasoning.encrypted_content"]}
    "#);
}

#[test]
fn the_input_is_the_same_bytes_wherever_it_stands() {
    let prompt = prompt(&[]);
    let input = input_json(&prompt.input);
    let inner = &input[1..input.len() - 1];
    assert!(body(&prompt, None, WireKind::Responses).contains(&format!("\"input\":[{inner}],")));
    assert!(body(&prompt, None, WireKind::ResponsesLite).contains(&format!(",{inner}],")));
    assert_eq!(input_json(&[]), "[]");
}

#[test]
fn both_shapes_are_one_json_object() {
    let mut prompt = prompt(&[]);
    prompt.input = prompt.input.iter().take(2).cloned().collect();
    for wire in [WireKind::Responses, WireKind::ResponsesLite] {
        let body: Value = serde_json::from_str(&body(&prompt, Some("thread\"\n"), wire)).unwrap();
        assert_eq!(body["prompt_cache_key"], "thread\"\n");
        assert_eq!(body["store"], false);
    }
}

#[test]
fn a_schema_of_the_answer_goes_out_as_its_author_wrote_it() {
    let schema = OutputSchema::from_json(
        "{\n  \"type\": \"object\",\n  \"b \": { \"minimum\": 1.50 }, \"a\": \"\\ud83d\" }\n",
    )
    .unwrap();
    let prompt = prompt(&[]);
    for wire in [WireKind::Responses, WireKind::ResponsesLite] {
        let request = ResponsesRequest {
            model: &model(WireKind::Responses, AnswerStyle::default()),
            prompt: &prompt,
            parallel_tool_calls: true,
            prompt_cache_key: Some("thread"),
            output_schema: Some(&schema),
        };
        let body = request.to_json(wire);
        let (_, end) = body.split_once("\"prompt_cache_key\"").unwrap();
        assert_eq!(
            end,
            r#":"thread","text":{"format":{"type":"json_schema","strict":true,"schema":{"type":"object","b ":{"minimum":1.50},"a":"\ufffd"},"name":"codex_output_schema"}}}"#
        );
    }
}

#[test]
fn any_json_value_is_taken_for_a_schema_and_nothing_else() {
    assert_eq!(OutputSchema::from_json(" [1] ").unwrap().json(), "[1]");
    assert_eq!(
        OutputSchema::from_json(r#"{"type": "#).unwrap_err().to_string(),
        "EOF while parsing a value at line 1 column 9"
    );
    assert!(OutputSchema::from_json("").is_err());
    assert!(OutputSchema::from_json("{} {}").is_err());
}

#[test]
fn how_the_model_is_to_answer_goes_out_where_somebody_said_it() {
    let prompt = prompt(&[]);
    let style = AnswerStyle {
        effort: Some("high".to_owned()),
        summary: ReasoningSummary::Auto,
        verbosity: Some(Verbosity::Low),
    };
    let schema = OutputSchema::from_json("{}").unwrap();
    for (wire, reasoning) in [
        (WireKind::Responses, r#"{"effort":"high","summary":"auto"}"#),
        (WireKind::ResponsesLite, r#"{"effort":"high","summary":"auto","context":"all_turns"}"#),
    ] {
        let request = ResponsesRequest {
            model: &model(wire, style.clone()),
            prompt: &prompt,
            parallel_tool_calls: true,
            prompt_cache_key: None,
            output_schema: Some(&schema),
        };
        let body = request.to_json(wire);
        assert!(body.contains(&format!(r#""reasoning":{reasoning},"store""#)), "{body}");
        assert!(body.contains(r#""text":{"verbosity":"low","format":{"type""#), "{body}");
    }
}
