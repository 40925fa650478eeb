//! Work on JSON as text, where decoding would lose something.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;
use std::sync::LazyLock;

use memchr::memmem;
use serde::de::{Deserializer, Error as _, MapAccess, Visitor};
use serde_json::Value;
use serde_json::value::RawValue;

/// Finds how a character is written by its number.
pub(crate) static UNICODE_ESCAPE: LazyLock<memmem::Finder<'static>> =
    LazyLock::new(|| memmem::Finder::new("\\u"));

/// Whether an object can have a member of this name; a look that costs little, before the members are read.
pub(crate) fn may_name(json: &str, name: &str) -> bool {
    let holds = |needle: &str| memmem::find(json.as_bytes(), needle.as_bytes()).is_some();
    holds(name) || holds("\\u00")
}

/// The `type` of an item that begins with it, as programs write items, and what stands behind it.
pub(crate) fn leading_type(json: &str) -> Option<(&str, &str)> {
    let (name, rest) = json.strip_prefix(r#"{"type":""#)?.split_once('"')?;
    (!name.contains('\\')).then_some((name, rest))
}

/// Replaces `\uXXXX` escapes that are half of a surrogate pair by `\ufffd`, so that any reader accepts the text.
///
/// The text is borrowed where there is nothing to replace. It must be valid JSON otherwise; escapes outside strings
/// do not exist in JSON, so strings need not be told from the rest.
pub(crate) fn replace_lone_surrogates(text: &str) -> Cow<'_, str> {
    let bytes = text.as_bytes();
    let mut replaced: Option<String> = None;
    let mut copied = 0;
    if UNICODE_ESCAPE.find(bytes).is_none() {
        return Cow::Borrowed(text);
    }
    let mut at = 0;
    while let Some(found) = memchr::memchr(b'\\', bytes.get(at..).unwrap_or_default()) {
        at += found;
        match unicode_escape(bytes, at) {
            None => at += 2,
            Some(0xD800..=0xDBFF)
                if matches!(unicode_escape(bytes, at + 6), Some(0xDC00..=0xDFFF)) =>
            {
                at += 12;
            }
            Some(0xD800..=0xDFFF) => {
                let out = replaced.get_or_insert_with(|| String::with_capacity(text.len()));
                out.push_str(&text[copied..at]);
                out.push_str("\\ufffd");
                at += 6;
                copied = at;
            }
            Some(_) => at += 6,
        }
    }
    match replaced {
        None => Cow::Borrowed(text),
        Some(mut out) => {
            out.push_str(&text[copied..]);
            Cow::Owned(out)
        }
    }
}

/// A JSON text without the blanks between its tokens.
pub(crate) fn compact(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    let mut is_in_string = false;
    let mut is_escaped = false;
    for character in json.chars() {
        if is_in_string {
            is_in_string = is_escaped || character != '"';
            is_escaped = !is_escaped && character == '\\';
        } else if character.is_ascii_whitespace() {
            continue;
        } else {
            is_in_string = character == '"';
        }
        out.push(character);
    }
    out
}

/// The code unit of the `\uXXXX` escape that starts at `at`, if one does.
fn unicode_escape(bytes: &[u8], at: usize) -> Option<u16> {
    let escape = bytes.get(at..at + 6)?;
    if !escape.starts_with(b"\\u") {
        return None;
    }
    let digits = std::str::from_utf8(&escape[2..]).ok()?;
    u16::from_str_radix(digits, 16).ok()
}

/// The members of one JSON object in their order, every value as the text it came as.
pub(crate) struct Members<'a>(pub(crate) Vec<(Cow<'a, str>, &'a RawValue)>);

impl<'a> Members<'a> {
    /// Reads the members of the object that `text` is.
    pub(crate) fn of(text: &'a str) -> Result<Self, serde_json::Error> {
        serde_json::from_str(text)
    }

    /// The text of the first member of that name.
    pub(crate) fn get(&self, name: &str) -> Option<&'a str> {
        self.0.iter().find(|(key, _)| key == name).map(|(_, value)| value.get())
    }

    /// The string that a member is; none where it is missing or something else.
    pub(crate) fn string(&self, name: &str) -> Option<String> {
        text_of(self.get(name)?).map(Cow::into_owned)
    }

    /// The count that a member is; none where it is missing or something else.
    pub(crate) fn count(&self, name: &str) -> Option<u64> {
        serde_json::from_str(self.get(name)?).ok()
    }

    /// The value that a member is; none where it is missing, null, or holds a number that no float can.
    pub(crate) fn value(&self, name: &str) -> Option<Value> {
        let text = self.get(name).filter(|text| *text != "null")?;
        serde_json::from_str(&replace_lone_surrogates(text)).ok()
    }

    /// The members of a member.
    pub(crate) fn object(&self, name: &str) -> Option<Members<'a>> {
        Members::of(self.get(name)?).ok()
    }

    /// Where member `last` stands in `text`, the object that these are read from: from the end of member `before` to its
    /// own end. None in a text that is too long for that.
    pub(crate) fn place_behind(
        &self,
        text: &str,
        before: usize,
        last: usize,
    ) -> Option<Range<u32>> {
        let end = |at: usize| {
            let value = self.0.get(at)?.1.get();
            let end = value.as_ptr().addr().checked_sub(text.as_ptr().addr())? + value.len();
            u32::try_from(end).ok()
        };
        Some(end(before)?..end(last)?)
    }

    /// The object again, with the members for which `keep` holds.
    pub(crate) fn to_json(&self, keep: impl Fn(&str) -> bool) -> String {
        let mut out = String::from("{");
        for (key, value) in self.0.iter().filter(|(key, _)| keep(key)) {
            if out.len() > 1 {
                out.push(',');
            }
            out.push_str(&Value::from(key.as_ref()).to_string());
            out.push(':');
            out.push_str(value.get());
        }
        out.push('}');
        out
    }
}

/// The string that a JSON text is, borrowed where it holds no escape; halves of surrogate pairs become U+FFFD.
pub(crate) fn text_of(json: &str) -> Option<Cow<'_, str>> {
    let inner = json.strip_prefix('"')?.strip_suffix('"')?;
    if inner.contains('\\') {
        serde_json::from_str(&replace_lone_surrogates(json)).ok().map(Cow::Owned)
    } else {
        Some(Cow::Borrowed(inner))
    }
}

impl<'de> serde::Deserialize<'de> for Members<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Walk;

        impl<'de> Visitor<'de> for Walk {
            type Value = Members<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a JSON object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members<'de>, A::Error> {
                let mut members = Vec::new();
                while let Some(key) = map.next_key::<&'de RawValue>()? {
                    let key = text_of(key.get()).ok_or_else(|| A::Error::custom("no name"))?;
                    members.push((key, map.next_value()?));
                }
                Ok(Members(members))
            }
        }

        deserializer.deserialize_map(Walk)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lone_halves_are_replaced_and_pairs_are_kept() {
        for (text, expected) in [
            (r#""plain""#, r#""plain""#),
            (r#""\ud83d\ude00""#, r#""\ud83d\ude00""#),
            (r#""\ud83d""#, r#""\ufffd""#),
            (r#""\ude00\ud83d""#, r#""\ufffd\ufffd""#),
            (r#""\ud83d\ud83d\ude00""#, r#""\ufffd\ud83d\ude00""#),
            (r#""\\ud83d""#, r#""\\ud83d""#),
            (r#""\\\ud83d""#, r#""\\\ufffd""#),
            (r#""\ud83"#, r#""\ud83"#),
        ] {
            assert_eq!(replace_lone_surrogates(text), expected, "{text}");
        }
    }

    #[test]
    fn blanks_go_between_tokens_and_stay_in_strings() {
        for (text, expected) in [
            ("{ \"a\" :\t[ 1.50 ,\r\n -0 ] }", "{\"a\":[1.50,-0]}"),
            (r#"[ " a \" b \\ " , "c d" ]"#, r#"[" a \" b \\ ","c d"]"#),
            ("null", "null"),
        ] {
            assert_eq!(compact(text), expected, "{text}");
        }
    }

    #[test]
    fn members_keep_the_text_of_their_values() {
        let text = r#"{"a": 1e400, "b" :-0,"c\ud83d":[1, 2],"a":"again"}"#;
        let members = Members::of(text).unwrap();
        assert_eq!(members.get("a"), Some("1e400"));
        assert_eq!(members.get("c\u{fffd}"), Some("[1, 2]"));
        assert_eq!(
            members.to_json(|name| name != "b"),
            "{\"a\":1e400,\"c\u{fffd}\":[1, 2],\"a\":\"again\"}"
        );
    }
}
