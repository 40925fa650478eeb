//! The text of an item goes through unchanged, whatever is in it, and what leaves is clean.

use pretty_assertions::assert_eq;
use recto_protocol::{ContentItem, ContentKind, Item, ResponseItem, Role};

fn item(json: &str) -> Item {
    Item::from_json(json).expect("it is one JSON object")
}

#[track_caller]
fn passes_through(json: &str) {
    let item = item(json);
    item.view();
    item.kinds();
    assert_eq!(item.json(), json);
    assert_eq!(item.clone().wire_json(), json);
}

#[test]
fn unknown_items_and_members_go_through_byte_for_byte() {
    passes_through(r#"{ "z" : [ ] , "type":"of_tomorrow", "a":{"b":null} }"#);
    passes_through(
        r#"{"type":"message","role":"user","content":[],"new_member":{"y":1,"x":[true]}}"#,
    );
    passes_through("{\"type\":\"message\",\n\t\"role\":\"user\",\"content\":[]}");
    passes_through("{}");
}

#[test]
fn b73_odd_numbers_are_kept_as_they_were_written() {
    for number in ["26", "26.0", "2.6e1", "1e400", "-0", "-0.0", "1E+2", "123456789012345678901234"]
    {
        passes_through(&format!(r#"{{"type":"of_tomorrow","n":{number}}}"#));
        passes_through(&format!(r#"{{"type":"message","role":"user","content":[],"n":{number}}}"#));
        passes_through(&format!(
            r#"{{"type":"function_call","name":"f","arguments":"","call_id":"c","n":[{number}]}}"#
        ));
    }
}

#[test]
fn a_number_that_nothing_can_hold_costs_no_more_than_its_own_part() {
    let json = r#"{"type":"message","role":"user","content":[{"type":"odd","n":1e400},{"type":"input_text","text":"hi"}]}"#;
    passes_through(json);
    let item = item(json);
    let ResponseItem::Message(message) = item.view() else { panic!("{:?}", item.view()) };
    assert_eq!(message.content[1], ContentItem::InputText { text: "hi".into() });
}

#[test]
fn escapes_and_long_nests_are_kept() {
    passes_through(
        r#"{"type":"message","role":"user","content":[{"type":"input_text","text":"\u0041\/\"\\"}]}"#,
    );
    passes_through(r#"{"\u0074ype":"message","role":"user","content":[]}"#);
    passes_through(&format!(r#"{{"type":"odd","n":{}{}}}"#, "[".repeat(5_000), "]".repeat(5_000)));
    passes_through(&format!(
        r#"{{"type":"message","role":"user","content":{}{}}}"#,
        "[".repeat(5_000),
        "]".repeat(5_000)
    ));
}

/// The text as it stays, and as it goes out.
#[track_caller]
fn check_wire(json: &str, wire: &str) {
    let item = item(json);
    assert_eq!(item.json(), json);
    assert_eq!(item.wire_json(), wire);
    let readable = item.wire_json().replace("1e400", "1");
    assert!(serde_json::from_str::<serde_json::Value>(&readable).is_ok(), "{readable}");
}

#[test]
fn b101_half_a_character_stays_in_the_record_and_goes_out_replaced() {
    for (text, sent, read) in [
        (r"a\ud83d", r"a\ufffd", "a\u{fffd}"),
        (r"\ude00b", r"\ufffdb", "\u{fffd}b"),
        (r"\ude00\ud83d", r"\ufffd\ufffd", "\u{fffd}\u{fffd}"),
        (r"\uD83D \uDE00", r"\ufffd \ufffd", "\u{fffd} \u{fffd}"),
        (r"\ud83d\ude00", r"\ud83d\ude00", "\u{1f600}"),
        (r"\\ud83d", r"\\ud83d", "\\ud83d"),
        (r"é€😀\ud83d", r"é€😀\ufffd", "é€😀\u{fffd}"),
    ] {
        let message = |text: &str| {
            format!(
                r#"{{"type":"message","role":"user","content":[{{"type":"input_text","text":"{text}"}}]}}"#
            )
        };
        check_wire(&message(text), &message(sent));
        let ResponseItem::Message(decoded) = item(&message(text)).view().clone() else {
            panic!("{text} is in a message")
        };
        assert_eq!(decoded.content, [ContentItem::InputText { text: read.into() }]);
    }
}

#[test]
fn b101_a_tool_output_cut_inside_a_character_does_not_spoil_the_request() {
    check_wire(
        r#"{"type":"function_call_output","call_id":"c\udc00","output":"\ud83d"}"#,
        r#"{"type":"function_call_output","call_id":"c\ufffd","output":"\ufffd"}"#,
    );
    check_wire(r#"{"type":"odd","a\ud800":"\ud83d"}"#, r#"{"type":"odd","a\ufffd":"\ufffd"}"#);
}

#[test]
fn metadata_tells_kinds_and_never_goes_out() {
    let with = |metadata: &str| {
        format!(
            r#"{{"type":"message","role":"user","internal_chat_message_metadata_passthrough":{metadata},"content":[]}}"#
        )
    };
    let without = r#"{"type":"message","role":"user","content":[]}"#;
    for (metadata, kinds) in [
        (
            r#"{"content_item_kinds":["user.text","agents_md.instructions"],"turn_id":"t"}"#,
            vec!["user.text", "agents_md.instructions"],
        ),
        (r#"{"content_item_kinds":["k\ud83d"]}"#, vec!["k\u{fffd}"]),
        (r#"{"content_item_kinds":[7]}"#, vec![]),
        (r#"{"content_item_kinds":null}"#, vec![]),
        (r"{}", vec![]),
        ("null", vec![]),
    ] {
        check_wire(&with(metadata), without);
        let item = item(&with(metadata));
        assert_eq!(item.kinds().iter().map(ContentKind::as_str).collect::<Vec<_>>(), kinds);
    }
}

#[test]
fn metadata_goes_out_neither_under_an_escaped_name_nor_beside_half_a_character() {
    check_wire(
        r#"{"type":"odd","internal\u005fchat_message_metadata_passthrough":{"content_item_kinds":["user.text"]}}"#,
        r#"{"type":"odd"}"#,
    );
    check_wire(
        r#"{"type":"odd","n":1e400,"t":"\ud83d","internal_chat_message_metadata_passthrough":{}}"#,
        r#"{"type":"odd","n":1e400,"t":"\ufffd"}"#,
    );
}

#[test]
fn a_text_that_only_speaks_of_the_metadata_is_left_alone() {
    let text = r#"{"type":"message","role":"user","content":[{"type":"input_text","text":"what is internal_chat_message_metadata_passthrough?"}]}"#;
    check_wire(text, text);
    assert_eq!(item(text).kinds(), []);
}

#[test]
fn an_item_of_our_own_is_serialized_once_and_has_its_kinds() {
    let item = Item::message(
        Role::User,
        [
            (ContentItem::InputText { text: "a".into() }, ContentKind::USER_TEXT),
            (
                ContentItem::InputText { text: "b".into() },
                ContentKind::new("agents_md.instructions"),
            ),
        ],
    );
    assert_eq!(
        item.wire_json(),
        r#"{"type":"message","role":"user","content":[{"type":"input_text","text":"a"},{"type":"input_text","text":"b"}]}"#
    );
    assert_eq!(item.kinds(), [ContentKind::USER_TEXT, ContentKind::new("agents_md.instructions")]);
    assert_eq!(
        item.kinds().iter().map(ContentKind::is_from_user).collect::<Vec<_>>(),
        [true, false]
    );
}

#[test]
fn only_one_json_object_is_an_item() {
    for text in [
        "",
        "null",
        "[]",
        "\"x\"",
        "7",
        "{",
        "{}{}",
        r#"{"a":1,}"#,
        r#"{"a":01}"#,
        "{\"a\":\"\n\"}",
    ] {
        assert!(Item::from_json(text).is_err(), "{text}");
    }
    let error = Item::from_json("[1]").unwrap_err().to_string();
    insta::assert_snapshot!(error, @"not one JSON object: invalid type: sequence, expected a JSON object at line 1 column 0");
}

#[test]
fn what_goes_out_has_no_metadata_and_no_id_of_our_own() {
    for (json, expected) in [
        (
            r#"{"type":"message", "id":"made_up_7","role":"user","content":[]}"#,
            r#"{"type":"message","role":"user","content":[]}"#,
        ),
        (
            r#"{"type":"message","id":"msg_1","role":"user","content":[],"internal_chat_message_metadata_passthrough":{}}"#,
            r#"{"type":"message","id":"msg_1","role":"user","content":[]}"#,
        ),
        (
            r#"{"type":"message","id":null,"role":"user","content":[]}"#,
            r#"{"type":"message","role":"user","content":[]}"#,
        ),
        (
            r#"{"type": "function_call","id":"fc_1","name":"f","arguments":"{\"id\":1}","call_id":"c"}"#,
            r#"{"type": "function_call","id":"fc_1","name":"f","arguments":"{\"id\":1}","call_id":"c"}"#,
        ),
    ] {
        let item = Item::from_json(json).unwrap();
        assert_eq!((&*item.wire_json(), item.json()), (expected, json));
    }
}
