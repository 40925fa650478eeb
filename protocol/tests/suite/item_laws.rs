//! Laws over items that nobody thought of.

use proptest::prelude::*;
use recto_protocol::Item;
use serde::Deserialize;
use serde::de::IgnoredAny;

/// Any JSON text: values of every sort, white space anywhere, names that mean something to us.
fn json() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        prop::sample::select(vec![
            "null",
            "true",
            "26",
            "26.0",
            "2.6e1",
            "1e400",
            "-0",
            "123456789012345678901234567890",
            r#""\ud83d""#,
            r#""\ude00""#,
            r#""\ud83d\ude00""#,
            r#""\ud83d\ud83d\ude00""#,
            r#""\\ud83d""#,
            r#""\u0000""#,
            r#""user""#,
            r#""message""#,
            r#""function_call_output""#,
            r#""input_text""#,
            r#""reasoning""#,
            r#""local_shell_call""#,
            r#""user.text""#,
        ])
        .prop_map(str::to_owned),
        any::<String>().prop_map(|text| serde_json::Value::from(text).to_string()),
        any::<f64>().prop_map(|number| serde_json::Value::from(number).to_string()),
    ];
    leaf.prop_recursive(4, 40, 6, |inner| {
        prop_oneof![
            (prop::collection::vec(inner.clone(), 0..6), space()).prop_map(
                |(values, space)| format!("[{space}{}]", values.join(&format!("{space},")))
            ),
            object(inner),
        ]
    })
}

fn object(value: impl Strategy<Value = String> + 'static) -> impl Strategy<Value = String> {
    let name = prop_oneof![
        8 => prop::sample::select(vec![
            "\"type\"", "\"role\"", "\"content\"", "\"text\"", "\"call_id\"", "\"output\"", "\"summary\"", "\"name\"",
            "\"arguments\"", "\"internal_chat_message_metadata_passthrough\"", "\"content_item_kinds\"", "\"t\\u0079pe\"",
            "\"k\\ud800\"",
        ])
        .prop_map(str::to_owned),
        1 => any::<String>().prop_map(|name| serde_json::Value::from(name).to_string()),
    ];
    (prop::collection::vec((name, value), 0..8), space()).prop_map(|(members, space)| {
        let members: Vec<String> =
            members.into_iter().map(|(name, value)| format!("{name}{space}:{value}")).collect();
        format!("{{{space}{}{space}}}", members.join(","))
    })
}

fn space() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec!["", " ", "\n\t", "\r\n"])
}

/// Reads as a reader does that takes half a character for an error and any number for a number.
fn is_strictly_valid(json: &str) -> bool {
    struct Strict;

    impl<'de> Deserialize<'de> for Strict {
        fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            deserializer.deserialize_any(Walk)
        }
    }

    struct Walk;

    impl<'de> serde::de::Visitor<'de> for Walk {
        type Value = Strict;

        fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("JSON")
        }

        fn visit_map<A: serde::de::MapAccess<'de>>(self, mut map: A) -> Result<Strict, A::Error> {
            while map.next_entry::<String, Strict>()?.is_some() {}
            Ok(Strict)
        }

        fn visit_seq<A: serde::de::SeqAccess<'de>>(self, mut seq: A) -> Result<Strict, A::Error> {
            while seq.next_element::<Strict>()?.is_some() {}
            Ok(Strict)
        }

        fn visit_str<E>(self, _: &str) -> Result<Strict, E> {
            Ok(Strict)
        }

        fn visit_bool<E>(self, _: bool) -> Result<Strict, E> {
            Ok(Strict)
        }

        fn visit_unit<E>(self) -> Result<Strict, E> {
            Ok(Strict)
        }

        fn visit_f64<E>(self, _: f64) -> Result<Strict, E> {
            Ok(Strict)
        }

        fn visit_i64<E>(self, _: i64) -> Result<Strict, E> {
            Ok(Strict)
        }

        fn visit_u64<E>(self, _: u64) -> Result<Strict, E> {
            Ok(Strict)
        }
    }

    // serde_json takes no number over the range of a float; a reader of another make does.
    let json = json.replace("1e400", "1e300");
    serde_json::from_str::<Strict>(&json).is_ok()
}

proptest! {
    #[test]
    fn any_object_goes_through_unchanged_and_out_clean(json in object(json())) {
        let item = Item::from_json(&json).unwrap();
        item.view();
        item.kinds();
        prop_assert_eq!(item.json(), &json);
        let wire = &*item.wire_json();
        prop_assert!(is_strictly_valid(wire), "{}", wire);
        let again = Item::from_json(wire).unwrap();
        prop_assert_eq!(again.wire_json(), wire);
        prop_assert!(again.kinds().is_empty());
        prop_assert_eq!(Item::from_json(&json).unwrap(), item);
    }

    #[test]
    fn no_text_at_all_makes_an_item_panic(text in prop_oneof![any::<String>(), "[\\[{}\\]:,\"\\\\ud8e0-9a ]{0,40}"]) {
        let is_object = text.trim_start().starts_with('{') && serde_json::from_str::<IgnoredAny>(&text).is_ok();
        match Item::from_json(&text) {
            Ok(item) => {
                item.view();
                prop_assert_eq!(item.json(), text);
                prop_assert!(is_object);
            }
            Err(_) => prop_assert!(!is_object),
        }
    }
}
