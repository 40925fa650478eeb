//! Lines are read without losing a byte.

#![expect(clippy::unwrap_used, reason = "what goes wrong in a helper of a test fails the test")]
#![expect(clippy::disallowed_methods, reason = "the fixtures are files")]

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use pretty_assertions::assert_eq;
use recto_protocol::rollout::{
    EventMsg, HistoryBase, LineError, LineForm, LineKind, Ordinal, RolloutLine, RolloutPayload,
};
use recto_protocol::{ContentKind, ResponseItem};

fn fixtures() -> Vec<(String, String)> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/rollouts");
    let mut found = Vec::new();
    for version in fs::read_dir(root).unwrap() {
        for file in fs::read_dir(version.unwrap().path()).unwrap() {
            let path = file.unwrap().path();
            let name = path.file_stem().unwrap().to_string_lossy().into_owned();
            found.push((name, fs::read_to_string(path).unwrap()));
        }
    }
    found.sort();
    found
}

/// Reads the line that `text` is, and holds that nothing of it is lost.
fn line(text: &str) -> RolloutLine<'_> {
    let line = RolloutLine::parse(text).unwrap();
    assert_eq!(line.text(), text);
    line
}

#[test]
fn every_recorded_line_keeps_its_bytes_and_has_a_typed_view() {
    let mut kinds: BTreeMap<String, usize> = BTreeMap::new();
    let mut bad = Vec::new();
    for (name, text) in fixtures() {
        for (index, text) in text.lines().enumerate() {
            let Ok(line) = RolloutLine::parse(text) else {
                bad.push(format!("{name}:{}", index + 1));
                continue;
            };
            assert_eq!(line.text(), text, "{name}:{}", index + 1);
            assert_eq!(line.form(), LineForm::Envelope);
            let payload = line.decode();
            if let RolloutPayload::ResponseItem(item) = &payload {
                assert_eq!(item.json(), line.payload().get(), "{name}:{}", index + 1);
            }
            assert_eq!(payload == RolloutPayload::Other, line.kind() == LineKind::Other);
            *kinds.entry(line.type_name().unwrap().into_owned()).or_default() += 1;
        }
    }
    assert_eq!(bad, ["bad_middle:9", "torn_tail:14"]);
    assert_eq!(
        kinds.keys().collect::<Vec<_>>(),
        [
            "compacted",
            "event_msg",
            "response_item",
            "session_meta",
            "token_usage_record",
            "turn_context",
            "world_state"
        ]
    );
}

#[test]
fn a_first_turn_of_the_reference_is_read() {
    let (_, text) = fixtures().into_iter().find(|(name, _)| name == "first_turn").unwrap();
    let mut kinds = Vec::new();
    for text in text.lines() {
        match line(text).decode() {
            RolloutPayload::SessionMeta(meta) => {
                assert_eq!(meta.cwd.as_deref(), Some("/t/repo"));
                assert_eq!(meta.originator.as_deref(), Some("codex_exec"));
                assert!(meta.is_paginated());
                assert!(meta.base_instructions.is_some() && meta.window_id.is_some());
            }
            RolloutPayload::TurnContext(context) => {
                assert_eq!(context.model.as_deref(), Some("gpt-5.5"));
                assert_eq!(context.comp_hash.as_deref(), Some("2911"));
            }
            RolloutPayload::WorldState(record) => {
                assert!(record.full);
                let state = record.state.unwrap();
                assert_eq!(state["agents_md"]["directory"], "/t/repo");
            }
            RolloutPayload::ResponseItem(item) => {
                kinds.extend(item.kinds().iter().map(ContentKind::to_string));
            }
            RolloutPayload::TokenUsageRecord(record) => {
                assert_eq!(record.usage.input_tokens, 100);
            }
            _ => {}
        }
    }
    assert_eq!(
        kinds,
        [
            "host_skills.instructions",
            "permissions.instructions",
            "tools.deferred_namespaces",
            "agents_md.instructions",
            "environments.environment_context",
            "user.text",
            "unknown",
            "user.text",
            "unknown"
        ]
    );
}

#[test]
fn a_fork_says_where_its_past_stands() {
    let (_, text) = fixtures().into_iter().find(|(name, _)| name == "fork_grandchild").unwrap();
    let RolloutPayload::SessionMeta(meta) = line(text.lines().next().unwrap()).decode() else {
        panic!("the first line is the meta");
    };
    assert_eq!(
        meta.history_base,
        Some(HistoryBase {
            thread_id: "01a22eea-dcbe-7852-85cd-7a29644c822f".to_owned(),
            end_ordinal_exclusive: Some(39),
            end_byte_offset: Some(11_309),
        })
    );
}

#[test]
fn b73_every_form_of_a_number_counts() {
    for number in ["26", "26.0", "2.6e1", "1e400", "-0"] {
        let text = format!(
            r#"{{"timestamp":"2025-01-02T03:04:05.000Z","ordinal":2,"type":"event_msg","payload":{{"type":"token_count","rate_limits":{{"primary":{{"used_percent":{number},"window_minutes":300}}}},"credits":{{"x":{number}}}}}}}"#
        );
        let line = line(&text);
        assert_eq!(line.ordinal(), Some(Ordinal::Number(2)));
        assert_eq!(
            line.decode(),
            RolloutPayload::EventMsg(EventMsg::Other { name: "token_count".to_owned() })
        );
    }
    for (number, expected) in
        [("26.0", Ordinal::Number(26)), ("2.6e1", Ordinal::Number(26)), ("1e400", Ordinal::Odd)]
    {
        let text = format!(r#"{{"ordinal":{number},"type":"x","payload":{{}}}}"#);
        assert_eq!(line(&text).ordinal(), Some(expected));
    }
}

#[test]
fn b84_the_bare_lines_of_the_first_versions_are_read() {
    let meta = line(r#"{"id":"a","timestamp":"2025-05-01T00:00:00.000Z","instructions":null}"#);
    assert_eq!((meta.kind(), meta.form()), (LineKind::SessionMeta, LineForm::Bare));
    let RolloutPayload::SessionMeta(meta) = meta.decode() else { panic!("it is a meta") };
    assert_eq!(meta.id.as_deref(), Some("a"));

    let item = line(r#"{"type":"message","role":"user","content":[]}"#);
    assert_eq!((item.kind(), item.form()), (LineKind::ResponseItem, LineForm::Bare));
    let RolloutPayload::ResponseItem(item) = item.decode() else { panic!("it is an item") };
    assert!(matches!(item.view(), ResponseItem::Message(_)));

    assert_eq!(line(r#"{"record_type":"state"}"#).kind(), LineKind::Other);
}

#[test]
fn unknown_types_members_and_odd_payloads_go_through() {
    for text in [
        r#"{"timestamp":"t","type":"brand_new","payload":[1e400, {"a" : -0}],"more":{}}"#,
        r#" { "type" : "event_msg" , "payload" : {"type":"later_event"} , "x" : [ ] } "#,
        r#"{"type":"session_meta","payload":{"id":7,"cwd":["x"],"source":{"sub":1}}}"#,
        r#"{"type":"world_state","payload":{"full":true,"state":7}}"#,
        r#"{"type":"response_item","payload":{"type":"message","text":"\ud83d alone"}}"#,
        r#"{"type":"response_item","payload":"no object"}"#,
        r#"{"type":"compacted","payload":{"replacement_history":"no list"}}"#,
        r#"{"\ud83d":1,"type":"turn_context","payload":{"\ude00":2,"cwd":"/t"}}"#,
    ] {
        line(text).decode();
    }
}

#[test]
fn what_is_no_line_says_why() {
    assert!(matches!(RolloutLine::parse(""), Err(LineError::NotALine)));
    assert!(matches!(RolloutLine::parse("{}"), Err(LineError::NotALine)));
    assert!(matches!(RolloutLine::parse(r#"{"type":"event_msg"}"#), Err(LineError::NotALine)));
    assert!(matches!(RolloutLine::parse("[1]"), Err(LineError::NotJson(_))));
    assert!(matches!(RolloutLine::parse(r#"{"type":"a","payl"#), Err(LineError::NotJson(_))));
    let two = r#"{"type":"a","payload":{}}{"type":"b","payload":{}}"#;
    assert!(matches!(RolloutLine::parse(two), Err(LineError::Trailing)));
    let (first, rest) = RolloutLine::parse_prefix(two.as_bytes()).unwrap();
    assert_eq!((first.text(), rest), (&two[..25], &two.as_bytes()[25..]));
}
