//! Lines that are written are read back as what they were.

#![expect(clippy::unwrap_used, reason = "what goes wrong in a helper of a test fails the test")]

use pretty_assertions::assert_eq;
use recto_protocol::rollout::{
    Compacted, EventMsg, HistoryBase, LineStamp, RecordedInstructions, RolloutLine, RolloutPayload,
    SessionMeta, TokenUsageRecord, TurnContext,
};
use recto_protocol::{ContentItem, ContentKind, Item, Role, TokenUsage};
use serde_json::json;

const STAMP: LineStamp<'static> =
    LineStamp { timestamp: "2026-12-01T00:00:00.000Z", ordinal: Some(4) };

fn message(text: &str) -> Item {
    let part = ContentItem::InputText { text: text.to_owned() };
    Item::message(Role::User, [(part, ContentKind::USER_TEXT)])
}

fn decoded(text: &str) -> RolloutPayload {
    RolloutLine::parse(text).unwrap().decode()
}

#[test]
fn every_payload_comes_back_as_it_was() {
    let meta = SessionMeta {
        session_id: Some("a".to_owned()),
        id: Some("a".to_owned()),
        cwd: Some("/t/re\"po".to_owned()),
        source: Some(json!("exec")),
        base_instructions: Some(RecordedInstructions {
            text: "base\n".to_owned(),
            provenance: Some(json!({"type": "custom"})),
        }),
        history_base: Some(HistoryBase {
            thread_id: "b".to_owned(),
            end_ordinal_exclusive: Some(3),
            end_byte_offset: Some(99),
        }),
        window_id: Some("w".to_owned()),
        ..SessionMeta::default()
    };
    assert_eq!(decoded(&STAMP.session_meta(&meta)), RolloutPayload::SessionMeta(meta));

    let context = TurnContext {
        cwd: Some("/t".to_owned()),
        approval_policy: Some(json!("never")),
        ..TurnContext::default()
    };
    assert_eq!(decoded(&STAMP.turn_context(&context)), RolloutPayload::TurnContext(context));

    let usage = TokenUsageRecord {
        usage: TokenUsage { input_tokens: 7, ..TokenUsage::default() },
        ..TokenUsageRecord::default()
    };
    assert_eq!(decoded(&STAMP.token_usage_record(&usage)), RolloutPayload::TokenUsageRecord(usage));

    let event = EventMsg::ThreadRolledBack { num_turns: 2 };
    assert_eq!(decoded(&STAMP.event_msg(&event).unwrap()), RolloutPayload::EventMsg(event));
    let unknown = EventMsg::Other { name: "token_count".to_owned() };
    assert_eq!(STAMP.event_msg(&unknown), None);

    let RolloutPayload::WorldState(record) =
        decoded(&STAMP.world_state(false, &json!({"a": null})))
    else {
        panic!("it is a world state");
    };
    assert_eq!((record.full, record.state), (false, Some(json!({"a": null}))));
}

#[test]
fn a_compaction_keeps_the_kinds_of_its_items() {
    let compacted = Compacted {
        message: "summary".to_owned(),
        replacement_history: Some(vec![message("u1")]),
        window_number: Some(1),
        window_id: Some("w1".to_owned()),
        ..Compacted::default()
    };
    let RolloutPayload::Compacted(read) = decoded(&STAMP.compacted(&compacted)) else {
        panic!("it is a compaction");
    };
    let items = read.replacement_history.as_deref().unwrap_or_default();
    assert_eq!(items[0].kinds(), [ContentKind::USER_TEXT]);
    assert_eq!(items[0].wire_json(), message("u1").json());
    assert_eq!((read.message.as_str(), read.window_number), ("summary", Some(1)));
}

#[test]
fn an_item_is_one_line_with_its_kinds_beside_it() {
    assert_eq!(
        STAMP.response_item(&message("hi"), Some("turn")),
        r#"{"timestamp":"2026-12-01T00:00:00.000Z","ordinal":4,"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"hi"}],"internal_chat_message_metadata_passthrough":{"content_item_kinds":["user.text"],"turn_id":"turn"}}}"#
    );
    let plain = LineStamp { ordinal: None, ..STAMP };
    let pretty = Item::from_json("{\n  \"type\": \"x\",\r\n  \"text\": \"\\ud83d\\n\"\n}").unwrap();
    assert_eq!(
        plain.response_item(&pretty, None),
        r#"{"timestamp":"2026-12-01T00:00:00.000Z","type":"response_item","payload":{   "type": "x",    "text": "\ufffd\n" }}"#
    );
    let empty = Item::from_json("{ }").unwrap();
    assert_eq!(
        plain.response_item(&empty, Some("t")),
        r#"{"timestamp":"2026-12-01T00:00:00.000Z","type":"response_item","payload":{"internal_chat_message_metadata_passthrough":{"turn_id":"t"}}}"#
    );
}

#[test]
fn what_was_recorded_beside_an_item_is_not_written_again() {
    let recorded = r#"{"type":"message","role":"user","content":[],"internal_chat_message_metadata_passthrough":{"turn_id":"old","content_item_kinds":["user.text"]}}"#;
    let item = Item::from_json(recorded).unwrap();
    assert!(STAMP.response_item(&item, Some("new")).contains(recorded));
}
