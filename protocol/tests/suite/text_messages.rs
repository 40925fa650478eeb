//! What is known of a message without decoding it is what decoding tells.

use pretty_assertions::assert_eq;
use proptest::prelude::*;
use recto_protocol::{Item, ResponseItem, Role, TextMessage, TextSize};

/// Texts of every sort, with much white space and many escapes.
fn text() -> impl Strategy<Value = String> {
    prop_oneof![any::<String>(), "[ \n\r\t\u{c}\u{3000}\"\\\\/a\u{1}é]{0,8}"]
}

fn json_string(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// What may stand between the members or parts that are expected; mostly nothing.
fn odd() -> impl Strategy<Value = &'static str> {
    prop_oneof![
        20 => Just(""),
        1 => prop::sample::select(vec![" ", r#","id":null"#, r#","x":[{"id":1}]"#, r#","type":"x""#, r#","role":"user""#]),
    ]
}

/// A message as programs write it, and sometimes a little otherwise.
fn message() -> impl Strategy<Value = String> {
    let id = prop::sample::select(vec![
        "",
        r#","id":"msg_1""#,
        r#","id":"msg_01a22ee4-3929-7ea0""#,
        r#","id":"""#,
        r#","id":"msg_\n1""#,
    ]);
    let role = prop::sample::select(vec!["user", "assistant", "developer", "system", "nobody"]);
    let part = (
        prop::sample::select(vec!["input_text", "output_text", "output_text", "input_image"]),
        text(),
        odd(),
    )
        .prop_map(|(part, text, odd)| {
            format!(r#"{{"type":"{part}","text":{}{odd}}}"#, json_string(&text))
        });
    let phase = prop::sample::select(vec!["", r#","phase":"final_answer""#, r#","phase":1"#]);
    (id, odd(), role, prop::collection::vec(part, 0..4), odd(), phase, odd()).prop_map(
        |(id, odd, role, parts, odd_2, phase, odd_3)| {
            let parts = parts.join(",");
            format!(
                r#"{{"type":"message"{id}{odd},"role":"{role}","content":[{parts}]{odd_2}{phase}{odd_3}}}"#
            )
        },
    )
}

/// The same item so that nobody takes a quick look at it.
fn otherwise_written(json: &str) -> String {
    format!("{{ {}", &json[1..])
}

fn sizes(item: &Item) -> Option<TextMessage> {
    let ResponseItem::Message(message) = item.view() else { return None };
    let size = |text: &str| TextSize {
        bytes: text.len(),
        is_blank: text.chars().all(char::is_whitespace),
    };
    let texts = message.content.iter().map(|part| part.text().map(size));
    Some(TextMessage { role: message.role, texts: texts.collect::<Option<_>>()? })
}

proptest! {
    #[test]
    fn a_quick_look_at_a_message_tells_what_decoding_tells(json in message()) {
        let item = Item::from_json(&json).unwrap();
        let other = Item::from_json(&otherwise_written(&json)).unwrap();
        prop_assert_eq!(other.text_message(), None);
        let looked_at = item.text_message();
        if looked_at.is_some() {
            prop_assert_eq!(looked_at, sizes(&item));
        }
        let wire = other.wire_json().replacen("{ ", "{", 1);
        let not_looked_at = Item::from_json(&json).unwrap();
        prop_assert_eq!([item.wire_json(), not_looked_at.wire_json()], [&*wire, &*wire]);
    }
}

#[test]
fn messages_as_the_reference_records_them_need_no_more_than_a_look() {
    for (json, role, texts) in [
        (
            r#"{"type":"message","id":"msg_1","role":"assistant","content":[{"type":"output_text","text":"a\n\"é\""}],"phase":"final_answer"}"#,
            Role::Assistant,
            vec![TextSize { bytes: 6, is_blank: false }],
        ),
        (
            r#"{"type":"message","role":"user","content":[{"type":"input_text","text":" \n"},{"type":"input_text","text":""}]}"#,
            Role::User,
            vec![TextSize { bytes: 2, is_blank: true }, TextSize { bytes: 0, is_blank: true }],
        ),
    ] {
        let item = Item::from_json(json).unwrap();
        assert_eq!(item.text_message(), Some(TextMessage { role, texts }), "{json}");
    }
}
