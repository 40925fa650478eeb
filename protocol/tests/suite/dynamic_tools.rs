//! The tools of a host: which names are taken, and how a record holds them.

use pretty_assertions::assert_eq;
use recto_protocol::rollout::{LineStamp, RolloutLine, RolloutPayload, SessionMeta};
use recto_protocol::{DynamicTool, DynamicToolError, DynamicToolSpec, DynamicTools};
use serde_json::value::RawValue;

fn function(name: &str) -> DynamicToolSpec {
    let input_schema = RawValue::from_string(r#"{"type":"object","n":1.50}"#.to_owned());
    DynamicToolSpec::Function(DynamicTool {
        name: name.to_owned(),
        description: format!("Does {name}."),
        input_schema: input_schema.expect("it is JSON"),
    })
}

fn namespace(name: &str, tools: Vec<DynamicToolSpec>) -> DynamicToolSpec {
    DynamicToolSpec::Namespace { name: name.to_owned(), description: "Calendar.".to_owned(), tools }
}

#[test]
fn names_that_a_server_takes_are_taken_and_no_other() {
    let told = |specs| DynamicTools::new(specs).map(|tools| tools.specs().len());
    assert_eq!(told(vec![function("b-1"), function("A_2")]), Ok(2));
    assert_eq!(told(vec![function("a"), namespace("n", vec![function("a")])]), Ok(2));
    assert_eq!(told(vec![function("")]), Err(DynamicToolError::Unnamed));
    assert_eq!(told(vec![function("a b")]), Err(DynamicToolError::Name("a b".to_owned())));
    assert_eq!(told(vec![function("ä")]), Err(DynamicToolError::Name("ä".to_owned())));
    assert_eq!(
        told(vec![function("a"), function("a")]),
        Err(DynamicToolError::Repeated("a".to_owned()))
    );
    assert_eq!(
        told(vec![namespace("n", vec![function("a"), function("a")])]),
        Err(DynamicToolError::Repeated("a".to_owned()))
    );
    assert_eq!(
        told(vec![namespace("n", vec![namespace("m", Vec::new())])]),
        Err(DynamicToolError::Nested("m".to_owned()))
    );
}

fn meta(line: &str) -> SessionMeta {
    match RolloutLine::parse(line).expect("it is a line").decode() {
        RolloutPayload::SessionMeta(meta) => meta,
        other => panic!("no meta: {other:?}"),
    }
}

#[test]
fn a_record_holds_them_as_the_host_gave_them() {
    let specs = vec![function("zeta"), namespace("cal", vec![function("add")])];
    let dynamic_tools = DynamicTools::new(specs).expect("the names are good");
    let written = SessionMeta { dynamic_tools, ..SessionMeta::default() };
    let line = LineStamp { timestamp: "t", ordinal: None }.session_meta(&written);
    insta::assert_snapshot!(line, @r#"{"timestamp":"t","type":"session_meta","payload":{"dynamic_tools":[{"type":"function","name":"zeta","description":"Does zeta.","inputSchema":{"type":"object","n":1.50}},{"type":"namespace","name":"cal","description":"Calendar.","tools":[{"type":"function","name":"add","description":"Does add.","inputSchema":{"type":"object","n":1.50}}]}]}}"#);
    assert_eq!(meta(&line), written);
}

#[test]
fn tools_of_a_record_that_do_not_decode_are_none_and_do_not_cost_the_meta() {
    let line = |tools: &str| {
        meta(&format!(
            r#"{{"type":"session_meta","payload":{{"id":"a","dynamic_tools":{tools}}}}}"#
        ))
    };
    for tools in ["7", r#"[{"type":"of_tomorrow","name":"a","description":""}]"#, "null"] {
        let none = SessionMeta { id: Some("a".to_owned()), ..SessionMeta::default() };
        assert_eq!(line(tools), none, "{tools}");
    }
    let untyped =
        line(r#"[{"name":"a","description":"Does a.","inputSchema":{"type":"object","n":1.50}}]"#);
    assert_eq!(untyped.dynamic_tools.specs(), [function("a")]);
}
