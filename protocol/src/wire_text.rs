//! What of an item's text leaves this program.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::LazyLock;

use memchr::memmem;

use crate::issued_id::is_issued;
use crate::json_text::{Members, UNICODE_ESCAPE, leading_type, may_name, replace_lone_surrogates};

/// The member in which a rollout keeps what the engine knows about an item; it never goes out on the wire.
pub(crate) const METADATA: &str = "internal_chat_message_metadata_passthrough";

static ID_MEMBER: LazyLock<memmem::Finder<'static>> =
    LazyLock::new(|| memmem::Finder::new("\"id\""));
static METADATA_MEMBER: LazyLock<memmem::Finder<'static>> =
    LazyLock::new(|| memmem::Finder::new(METADATA));

/// The text that goes out, as it differs from the text as it came.
pub(crate) enum WireText {
    Same,
    /// Without the bytes of one member.
    Cut(Range<u32>),
    Other(Box<str>),
}

impl WireText {
    /// Works out what goes out of an item that came as this text.
    pub(crate) fn of(json: &str) -> Self {
        if let Some(plain) = Self::of_plain(json) {
            return plain;
        }
        match (without_own_members(json), replace_lone_surrogates(json)) {
            (Outgoing::All, Cow::Borrowed(_)) => Self::Same,
            (Outgoing::All, Cow::Owned(replaced)) => Self::Other(replaced.into()),
            (Outgoing::Without(range), Cow::Borrowed(_)) => Self::Cut(range),
            (Outgoing::Without(Range { start, end }), Cow::Owned(_)) => {
                let rest = [&json[..start as usize], &json[end as usize..]].concat();
                Self::Other(replace_lone_surrogates(&rest).into())
            }
            (Outgoing::Text(text), _) => Self::Other(replace_lone_surrogates(&text).into()),
        }
    }

    /// The same for an item as programs write it: the type first, then perhaps the id, and then nothing that could be
    /// an affair of ours or half of a surrogate pair. Its members are not read.
    fn of_plain(json: &str) -> Option<Self> {
        let (item_type, rest) = leading_type(json)?;
        let behind_type = json.len() - rest.len();
        let id = rest.strip_prefix(r#","id":""#).and_then(|rest| rest.split_once('"'));
        let rest = id.map_or(rest, |(_, behind)| behind);
        let holds = |finder: &memmem::Finder<'_>| finder.find(rest.as_bytes()).is_some();
        if holds(&UNICODE_ESCAPE) || holds(&ID_MEMBER) || holds(&METADATA_MEMBER) {
            return None;
        }
        match id {
            Some((id, _)) if id.contains('\\') => None,
            Some((id, _)) if !is_issued(item_type, id) => {
                let end = json.len() - rest.len();
                Some(Self::Cut(behind_type.try_into().ok()?..end.try_into().ok()?))
            }
            _ => Some(Self::Same),
        }
    }

    /// It in two pieces, of which the second may be empty; `json` is the text as it came.
    pub(crate) fn parts<'a>(&'a self, json: &'a str) -> [&'a str; 2] {
        match self {
            Self::Same => [json, ""],
            Self::Other(text) => [text, ""],
            Self::Cut(Range { start, end }) => [&json[..*start as usize], &json[*end as usize..]],
        }
    }
}

/// What of an object's members goes out.
enum Outgoing {
    All,
    /// All but the bytes of one member and the comma at it.
    Without(Range<u32>),
    Text(String),
}

/// The text without the members that are our own affair.
fn without_own_members(json: &str) -> Outgoing {
    let text = |raw: &str| serde_json::from_str::<String>(&replace_lone_surrogates(raw)).ok();

    if !may_name(json, METADATA) && !may_name(json, "\"id\"") {
        return Outgoing::All;
    }
    let Ok(members) = Members::of(json) else { return Outgoing::All };
    let item_type = members.get("type").and_then(text).unwrap_or_default();
    let id_goes_out =
        members.get("id").is_none_or(|id| text(id).is_some_and(|id| is_issued(&item_type, &id)));
    let is_own = |name: &str| name == METADATA || (name == "id" && !id_goes_out);
    let mut own = (0..members.0.len()).filter(|at| is_own(&members.0[*at].0));
    match (own.next(), own.next()) {
        (None, _) => Outgoing::All,
        (Some(at), None) if at > 0 => match members.place_behind(json, at - 1, at) {
            Some(range) => Outgoing::Without(range),
            None => Outgoing::Text(members.to_json(|name| !is_own(name))),
        },
        _ => Outgoing::Text(members.to_json(|name| !is_own(name))),
    }
}
