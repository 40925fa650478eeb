//! What an item is once it is decoded.

use pretty_assertions::assert_eq;
use recto_protocol::{
    AdditionalTools, Compaction, ContentItem, CustomToolCall, CustomToolCallOutput, FunctionCall,
    FunctionCallOutput, ImageDetail, ImageGenerationCall, Item, LocalShellCall, Message, OtherItem,
    OutputPayload, Reasoning, ResponseItem, Role, ToolSearchCall, ToolSearchOutput, WebSearchCall,
};
use serde_json::json;

fn item(json: &str) -> Item {
    Item::from_json(json).expect("it is one JSON object")
}

fn view(json: &str) -> ResponseItem {
    item(json).view().clone()
}

/// Decodes and encodes: an item of our own has the same view and, member for member, the same text.
#[track_caller]
fn check(json: &str, expected: ResponseItem) {
    assert_eq!(view(json), expected, "{json}");
    let own = Item::new(expected, Vec::new());
    assert_eq!(own.json(), json);
    assert_eq!(&view(own.json()), own.view(), "{json}");
}

#[test]
fn messages_hold_text_pictures_and_parts_that_nobody_knows() {
    check(
        r#"{"type":"message","id":"msg_1","role":"user","content":[{"type":"input_text","text":"see"},{"type":"input_image","image_url":"data:,x","detail":"low"},{"type":"input_image","image_url":"https://a/b"},{"hologram":1,"type":"of_tomorrow"}]}"#,
        ResponseItem::Message(Message {
            id: Some("msg_1".into()),
            role: Role::User,
            content: vec![
                ContentItem::InputText { text: "see".into() },
                ContentItem::InputImage {
                    image_url: "data:,x".into(),
                    detail: Some(ImageDetail::Low),
                },
                ContentItem::InputImage { image_url: "https://a/b".into(), detail: None },
                ContentItem::Other(json!({"type": "of_tomorrow", "hologram": 1})),
            ],
            phase: None,
        }),
    );
    check(
        r#"{"type":"message","role":"assistant","content":[{"type":"output_text","text":"done"}],"phase":"final_answer"}"#,
        ResponseItem::Message(Message {
            id: None,
            role: Role::Assistant,
            content: vec![ContentItem::OutputText { text: "done".into() }],
            phase: Some("final_answer".into()),
        }),
    );
}

#[test]
fn a_known_part_that_does_not_decode_is_kept_as_it_is() {
    for part in [
        r#"{"type":"input_text"}"#,
        r#"{"type":"input_text","text":7}"#,
        r#"{"type":"input_image","image_url":null}"#,
        r#"{"type":"input_image","image_url":"x","detail":"enormous"}"#,
        r#"{"text":"no type"}"#,
        r#""only text""#,
        "null",
    ] {
        let json = format!(r#"{{"type":"message","role":"user","content":[{part}]}}"#);
        let ResponseItem::Message(message) = view(&json) else { panic!("{json} is a message") };
        let value = serde_json::from_str(part).unwrap();
        assert_eq!(message.content, [ContentItem::Other(value)], "{json}");
        assert_eq!(message.content[0].text(), None);
    }
}

#[test]
fn thoughts_are_read_with_and_without_their_sealed_form() {
    check(
        r#"{"type":"reasoning","id":"rs_1","summary":[{"text":"t","type":"summary_text"}],"content":[],"encrypted_content":"E1"}"#,
        ResponseItem::Reasoning(Reasoning {
            id: Some("rs_1".into()),
            summary: vec![json!({"type": "summary_text", "text": "t"})],
            content: Some(Vec::new()),
            encrypted_content: Some("E1".into()),
        }),
    );
    assert_eq!(
        view(r#"{"type":"reasoning","id":null,"content":null,"encrypted_content":null}"#),
        ResponseItem::Reasoning(Reasoning {
            id: None,
            summary: Vec::new(),
            content: None,
            encrypted_content: None
        })
    );
}

#[test]
fn calls_and_their_outputs_are_read() {
    check(
        r#"{"type":"function_call","id":"fc_1","name":"shell","namespace":"box","arguments":"{broken","call_id":"c1"}"#,
        ResponseItem::FunctionCall(FunctionCall {
            id: Some("fc_1".into()),
            name: "shell".into(),
            namespace: Some("box".into()),
            arguments: "{broken".into(),
            call_id: "c1".into(),
        }),
    );
    check(
        r#"{"type":"custom_tool_call","call_id":"c2","name":"patch","input":"*** Begin","status":"completed"}"#,
        ResponseItem::CustomToolCall(CustomToolCall {
            id: None,
            call_id: "c2".into(),
            name: "patch".into(),
            input: "*** Begin".into(),
            status: Some("completed".into()),
        }),
    );
    check(
        r#"{"type":"local_shell_call","id":"lsh_1","status":"completed","action":{"command":["ls"],"type":"exec"}}"#,
        ResponseItem::LocalShellCall(LocalShellCall {
            id: Some("lsh_1".into()),
            call_id: None,
            status: "completed".into(),
            action: json!({"type": "exec", "command": ["ls"]}),
        }),
    );
}

#[test]
fn an_output_is_a_text_or_parts() {
    check(
        r#"{"type":"function_call_output","call_id":"c1","output":"ok"}"#,
        ResponseItem::FunctionCallOutput(FunctionCallOutput {
            call_id: "c1".into(),
            output: OutputPayload::Text("ok".into()),
        }),
    );
    check(
        r#"{"type":"custom_tool_call_output","call_id":"c2","output":[{"type":"input_text","text":"a"},{"type":"input_image","image_url":"data:,x"}]}"#,
        ResponseItem::CustomToolCallOutput(CustomToolCallOutput {
            call_id: "c2".into(),
            output: OutputPayload::Content(vec![
                ContentItem::InputText { text: "a".into() },
                ContentItem::InputImage { image_url: "data:,x".into(), detail: None },
            ]),
        }),
    );
}

#[test]
fn what_the_provider_did_itself_is_read() {
    check(
        r#"{"type":"web_search_call","id":"ws_1","status":"completed","action":{"query":"q","type":"search"}}"#,
        ResponseItem::WebSearchCall(WebSearchCall {
            id: Some("ws_1".into()),
            status: Some("completed".into()),
            action: Some(json!({"type": "search", "query": "q"})),
        }),
    );
    check(
        r#"{"type":"image_generation_call","id":"ig_1","status":"completed","revised_prompt":"a cat","result":"aGk="}"#,
        ResponseItem::ImageGenerationCall(ImageGenerationCall {
            id: "ig_1".into(),
            status: "completed".into(),
            revised_prompt: Some("a cat".into()),
            result: "aGk=".into(),
        }),
    );
    check(
        r#"{"type":"compaction","encrypted_content":"S"}"#,
        ResponseItem::Compaction(Compaction { encrypted_content: "S".into() }),
    );
    assert_eq!(
        view(r#"{"type":"compaction_summary","encrypted_content":"S"}"#),
        ResponseItem::Compaction(Compaction { encrypted_content: "S".into() })
    );
}

#[test]
fn tools_that_are_told_or_found_are_read() {
    check(
        r#"{"type":"tool_search_call","call_id":"c1","execution":"client","arguments":{"query":"calendar"}}"#,
        ResponseItem::ToolSearchCall(ToolSearchCall {
            id: None,
            call_id: Some("c1".into()),
            status: None,
            execution: "client".into(),
            arguments: json!({"query": "calendar"}),
        }),
    );
    check(
        r#"{"type":"tool_search_output","call_id":"c1","status":"completed","execution":"client","tools":[{"name":"t"}]}"#,
        ResponseItem::ToolSearchOutput(ToolSearchOutput {
            call_id: Some("c1".into()),
            status: "completed".into(),
            execution: "client".into(),
            tools: vec![json!({"name": "t"})],
        }),
    );
    check(
        r#"{"type":"additional_tools","role":"developer","tools":[{"name":"t"}]}"#,
        ResponseItem::AdditionalTools(AdditionalTools {
            role: Role::Developer,
            tools: vec![json!({"name": "t"})],
        }),
    );
}

#[test]
fn an_item_of_an_unknown_type_has_no_problem() {
    let json = r#"{"type":"ghost","n":1}"#;
    let expected = OtherItem {
        r#type: "ghost".into(),
        problem: None,
        value: json!({"type": "ghost", "n": 1}),
    };
    assert_eq!(view(json), ResponseItem::Other(expected.clone()));
    assert_eq!(
        view(Item::new(ResponseItem::Other(expected.clone()), Vec::new()).json()),
        ResponseItem::Other(expected)
    );
}

#[test]
fn b137_a_known_item_that_does_not_decode_says_why() {
    let problem = |json: &str| match view(json) {
        ResponseItem::Other(OtherItem { r#type, problem, .. }) => {
            format!("{type} · {}", problem.expect("it says why"))
        }
        decoded => format!("decoded: {decoded:?}"),
    };
    let problems = [
        r#"{"type":"function_call_output","call_id":7,"output":"x"}"#,
        r#"{"type":"function_call_output","call_id":"c","output":7}"#,
        r#"{"type":"custom_tool_call_output","output":"x"}"#,
        r#"{"type":"function_call","name":"f","call_id":"c"}"#,
        r#"{"type":"message","role":"wizard","content":[]}"#,
        r#"{"type":"message","role":"user","content":"plain"}"#,
        r#"{"type":7}"#,
        r#"{"role":"user"}"#,
        "{}",
    ]
    .map(problem);
    for no_call in ["", r#""call_id":null,"#] {
        problem(&format!(r#"{{"type":"function_call_output",{no_call}"output":"x"}}"#));
    }
    insta::assert_snapshot!(problems.join("\n"), @r#"
    function_call_output · invalid type: integer `7`, expected a string at line 1 column 42
    function_call_output · invalid type: integer `7`, expected a sequence at line 1 column 1
    custom_tool_call_output · missing field `call_id` at line 1 column 47
    function_call · missing field `arguments` at line 1 column 49
    message · unknown variant `wizard`, expected one of `system`, `developer`, `user`, `assistant` at line 1 column 33
    message · invalid type: string "plain", expected a sequence at line 1 column 49
     · it has no `type`
     · it has no `type`
     · it has no `type`
    "#);
}
