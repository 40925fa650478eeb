//! One item of a conversation: its JSON text as it came, a typed view, and the kinds of its parts.
//!
//! History, rollouts and the wire share this one form. A clone shares the text. The view is decoded when somebody
//! asks, so that what nobody reads is never parsed.

use std::borrow::Cow;
use std::fmt;
use std::sync::{Arc, LazyLock, OnceLock};

use memchr::memmem;
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::json_text::{Members, may_name, replace_lone_surrogates};
use crate::response_item::{Message, ResponseItem};
use crate::text_message::TextMessage;
use crate::wire_text::{METADATA, WireText};
use crate::{ContentItem, Role};

/// Finds it where it stands in most items: at the end.
static METADATA_FROM_END: LazyLock<memmem::FinderRev<'static>> =
    LazyLock::new(|| memmem::FinderRev::new(METADATA));

/// What a part of an item is, as the engine knew when it recorded it: `agents_md.instructions`, `user.text`, ….
///
/// Text is no proof of origin (a person may type what looks like a fragment), so the kind is kept beside it. What a
/// person typed is `user.*`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ContentKind(Cow<'static, str>);

impl ContentKind {
    /// Text that a person typed.
    pub const USER_TEXT: Self = Self::new("user.text");
    /// A picture that a person gave.
    pub const USER_IMAGE: Self = Self::new("user.image");

    /// A kind that the program names.
    pub const fn new(name: &'static str) -> Self {
        Self(Cow::Borrowed(name))
    }

    /// The name as rollouts write it.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether a person wrote it.
    pub fn is_from_user(&self) -> bool {
        self.0.starts_with("user.")
    }
}

impl fmt::Display for ContentKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<String> for ContentKind {
    fn from(name: String) -> Self {
        Self(Cow::Owned(name))
    }
}

/// Why a text is no item.
#[derive(Debug, thiserror::Error)]
#[error("not one JSON object: {0}")]
pub struct ItemError(#[from] serde_json::Error);

/// One item of a conversation; cheap to clone.
#[derive(Clone)]
pub struct Item(Arc<Inner>);

/// Conversations have tens of thousands of them, so what is rare or large stands behind a pointer.
struct Inner {
    json: Box<str>,
    view: OnceLock<Box<ResponseItem>>,
    kinds: OnceLock<Box<[ContentKind]>>,
    wire: OnceLock<WireText>,
}

impl Item {
    /// Takes an item as it stands in a rollout or came from a provider; the text is kept byte for byte.
    pub fn from_json(json: &str) -> Result<Self, ItemError> {
        Members::of(json)?;
        Ok(Self::of_text(json.into(), OnceLock::new()))
    }

    /// Takes an item whose text was checked before; it is copied, not parsed again.
    pub fn from_raw(json: &RawValue) -> Result<Self, ItemError> {
        let json = json.get();
        if !json.starts_with('{') {
            return Err(ItemError(serde::de::Error::custom("expected a JSON object")));
        }
        Ok(Self::of_text(json.into(), OnceLock::new()))
    }

    /// Takes an item as a rollout holds it, without what only the record is for: the kinds are read, and the member
    /// that holds them is not kept. The file still has it, and the conversation needs less memory.
    pub fn from_record(json: &RawValue) -> Result<Self, ItemError> {
        match split_record(json.get()) {
            Some((text, kinds)) => Ok(Self::of_text(text.into(), OnceLock::from(kinds))),
            None => Self::from_raw(json),
        }
    }

    fn of_text(json: Box<str>, kinds: OnceLock<Box<[ContentKind]>>) -> Self {
        Self(Arc::new(Inner { json, view: OnceLock::new(), kinds, wire: OnceLock::new() }))
    }

    /// Serializes an item of our own, once; `kinds` says what each part of it is.
    pub fn new(view: ResponseItem, kinds: Vec<ContentKind>) -> Self {
        let json = view.to_json().into();
        Self(Arc::new(Inner {
            json,
            view: OnceLock::from(Box::new(view)),
            kinds: OnceLock::from(kinds.into_boxed_slice()),
            wire: OnceLock::new(),
        }))
    }

    /// A message of our own, each part with its kind.
    pub fn message(
        role: Role,
        parts: impl IntoIterator<Item = (ContentItem, ContentKind)>,
    ) -> Self {
        let (content, kinds) = parts.into_iter().unzip();
        Self::new(ResponseItem::Message(Message { id: None, role, content, phase: None }), kinds)
    }

    /// The text as it came.
    pub fn json(&self) -> &str {
        &self.0.json
    }

    /// The typed view; decoded at the first call.
    ///
    /// Never fails: an item of an unknown type, or one that does not decode, is [`ResponseItem::Other`].
    pub fn view(&self) -> &ResponseItem {
        self.0.view.get_or_init(|| Box::new(ResponseItem::decode(&self.0.json)))
    }

    /// The kinds of its parts, in their order; empty where nobody recorded any.
    pub fn kinds(&self) -> &[ContentKind] {
        let recorded = || recorded_kinds(&self.0.json).unwrap_or_default().into_boxed_slice();
        self.0.kinds.get_or_init(recorded)
    }

    /// The typed view where somebody asked for it before, else one that is decoded for this call and not kept.
    ///
    /// For those who look at every item once: a kept view holds all its text a second time.
    pub fn decoded(&self) -> Cow<'_, ResponseItem> {
        match self.0.view.get() {
            Some(view) => Cow::Borrowed(view),
            None => Cow::Owned(ResponseItem::decode(&self.0.json)),
        }
    }

    /// What there is to know about a message of texts without decoding it; none for any other item, and for one that
    /// is not written as programs write it.
    ///
    /// For those who look at every item of a long conversation and read none: what goes out is known then, too.
    pub fn text_message(&self) -> Option<TextMessage> {
        let (message, wire) = TextMessage::of_json(&self.0.json)?;
        self.0.wire.get_or_init(|| wire);
        Some(message)
    }

    /// Whether both are the very same item in memory.
    pub fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// The text that may leave this program: without metadata of ours, with an `id` only where a server issued it, and
    /// valid for any JSON reader.
    pub fn wire_json(&self) -> Cow<'_, str> {
        match self.wire_parts() {
            [whole, ""] => Cow::Borrowed(whole),
            parts => Cow::Owned(parts.concat()),
        }
    }

    /// The same text in two pieces, of which nothing is copied; the second one may be empty.
    ///
    /// What goes out is worked out at the first call. It is kept as a place in the text where that is enough.
    pub fn wire_parts(&self) -> [&str; 2] {
        let json = &*self.0.json;
        self.0.wire.get_or_init(|| WireText::of(json)).parts(json)
    }
}

impl fmt::Debug for Item {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Item").field(&self.json()).field(&self.kinds()).finish()
    }
}

impl PartialEq for Item {
    /// Items are equal when their texts and kinds are.
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
            || (self.json() == other.json() && self.kinds() == other.kinds())
    }
}

impl Eq for Item {}

/// The text of an item without its metadata, and the kinds that these hold; none where the metadata is not the last
/// member, as every program writes it.
fn split_record(json: &str) -> Option<(String, Box<[ContentKind]>)> {
    #[derive(Deserialize)]
    struct Metadata<'a> {
        #[serde(default, borrow)]
        content_item_kinds: Vec<Cow<'a, str>>,
    }

    let at = METADATA_FROM_END.rfind(json.as_bytes())?;
    let before = json[..at].strip_suffix(",\"")?;
    // What closes the value must close the item too, or the member stands deeper inside.
    let value = json[at + METADATA.len()..].strip_prefix("\":")?.strip_suffix('}')?;
    let metadata: Metadata<'_> = serde_json::from_str(value).ok()?;
    let kinds = metadata.content_item_kinds.into_iter().map(|kind| match &*kind {
        "user.text" => ContentKind::USER_TEXT,
        "unknown" => ContentKind::new("unknown"),
        _ => ContentKind::from(kind.into_owned()),
    });
    // Of the exact size: a text that grows and is cut again costs the allocator more than the copy.
    let mut text = String::with_capacity(before.len() + 1);
    text.push_str(before);
    text.push('}');
    Some((text, kinds.collect()))
}

fn recorded_kinds(json: &str) -> Option<Vec<ContentKind>> {
    #[derive(Deserialize)]
    struct Metadata {
        content_item_kinds: Vec<String>,
    }

    if !may_name(json, METADATA) {
        return None;
    }
    let members = Members::of(json).ok()?;
    let metadata: Metadata =
        serde_json::from_str(&replace_lone_surrogates(members.get(METADATA)?)).ok()?;
    Some(metadata.content_item_kinds.into_iter().map(ContentKind::from).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_recorded_item_is_kept_without_its_metadata() {
        let kinds = |item: &Item| -> Vec<String> {
            item.kinds().iter().map(ContentKind::to_string).collect()
        };
        let own =
            format!(r#""{METADATA}":{{"turn_id":"t","content_item_kinds":["a.b","unknown"]}}"#);
        for (json, text) in [
            (format!(r#"{{"type":"message",{own}}}"#), r#"{"type":"message"}"#.to_owned()),
            (format!(r#"{{"type":"x","deep":{{"y":1,{own}}}}}"#), String::new()),
            (format!(r#"{{{own},"type":"x"}}"#), String::new()),
        ] {
            let raw: &RawValue = serde_json::from_str(&json).unwrap();
            let item = Item::from_record(raw).unwrap();
            assert_eq!(item.json(), if text.is_empty() { &json } else { &text });
            assert_eq!(kinds(&item), kinds(&Item::from_raw(raw).unwrap()), "{json}");
        }
    }
}
