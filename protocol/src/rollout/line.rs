//! One line: its text, the few members around its payload, and the payload decoded when somebody asks.

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::{
    Compacted, EventMsg, Ordinal, SessionMeta, TokenUsageRecord, TurnContext, WorldStateRecord,
};
use crate::Item;
use crate::json_text::text_of;

/// What a line is, by its `type`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LineKind {
    /// `session_meta`: who the session is. The first one in a file is the file's identity.
    SessionMeta,
    /// `response_item`: an item of the conversation.
    ResponseItem,
    /// `turn_context`: under which settings a turn runs.
    TurnContext,
    /// `world_state`: what the model was told of the world.
    WorldState,
    /// `compacted`: the conversation was replaced.
    Compacted,
    /// `event_msg`: something that happened.
    EventMsg,
    /// `token_usage_record`: what a response cost.
    TokenUsageRecord,
    /// Any other type; kept and carried along.
    Other,
}

/// How a line holds its payload.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineForm {
    /// `{"timestamp","type","payload"}`.
    Envelope,
    /// The payload itself, as the first versions wrote it.
    Bare,
}

/// Why a text is no line.
#[derive(Debug, thiserror::Error)]
pub enum LineError {
    /// It is no JSON object.
    #[error("not one JSON object: {0}")]
    NotJson(#[from] serde_json::Error),
    /// It is an object, but nothing in it says what it is.
    #[error("it has neither `type` and `payload` nor the form of an old record")]
    NotALine,
    /// Bytes that are no text.
    #[error("not UTF-8")]
    NotUtf8,
    /// Something stands behind the object.
    #[error("something stands behind the record")]
    Trailing,
}

/// What a line holds, typed.
#[derive(Debug, Clone, PartialEq)]
pub enum RolloutPayload {
    /// See [`LineKind::SessionMeta`].
    SessionMeta(SessionMeta),
    /// See [`LineKind::ResponseItem`].
    ResponseItem(Item),
    /// See [`LineKind::TurnContext`].
    TurnContext(TurnContext),
    /// See [`LineKind::WorldState`].
    WorldState(WorldStateRecord),
    /// See [`LineKind::Compacted`].
    Compacted(Compacted),
    /// See [`LineKind::EventMsg`].
    EventMsg(EventMsg),
    /// See [`LineKind::TokenUsageRecord`].
    TokenUsageRecord(TokenUsageRecord),
    /// A type that this program does not know, or a payload that is no object.
    Other,
}

/// One line of a rollout, over the text it stands in; nothing is copied.
#[derive(Debug, Clone, Copy)]
pub struct RolloutLine<'a> {
    text: &'a str,
    timestamp: Option<&'a RawValue>,
    ordinal: Option<Ordinal>,
    tag: Option<&'a RawValue>,
    kind: LineKind,
    form: LineForm,
    payload: &'a RawValue,
}

impl<'a> RolloutLine<'a> {
    /// Reads the one line that a text is; its JSON is checked to the end, its payload is not decoded.
    pub fn parse(text: &'a str) -> Result<Self, LineError> {
        let (line, rest) = Self::parse_start(text)?;
        if rest.trim_ascii().is_empty() {
            Ok(Self { text, ..line })
        } else {
            Err(LineError::Trailing)
        }
    }

    /// Reads the line that a text begins with, and gives what stands behind it, which is not looked at.
    pub fn parse_start(text: &'a str) -> Result<(Self, &'a str), LineError> {
        let (envelope, length) = first_envelope(serde_json::Deserializer::from_str(text))?;
        let (own, rest) = text.split_at(length);
        Ok((envelope.into_line(own)?, rest))
    }

    /// Does what [`parse_start`](Self::parse_start) does with bytes of which only the first need be text.
    pub fn parse_prefix(bytes: &'a [u8]) -> Result<(Self, &'a [u8]), LineError> {
        let (envelope, length) = first_envelope(serde_json::Deserializer::from_slice(bytes))?;
        let (own, rest) = bytes.split_at(length);
        let text = std::str::from_utf8(own).map_err(|_| LineError::NotUtf8)?;
        Ok((envelope.into_line(text)?, rest))
    }

    /// The text as it came.
    pub const fn text(&self) -> &'a str {
        self.text
    }

    /// When it was written.
    pub fn timestamp(&self) -> Option<Cow<'a, str>> {
        text_of(self.timestamp?.get())
    }

    /// The place that it says it has.
    pub const fn ordinal(&self) -> Option<Ordinal> {
        self.ordinal
    }

    /// What it is.
    pub const fn kind(&self) -> LineKind {
        self.kind
    }

    /// The `type` that it says it has, also an unknown one; none where it has none.
    pub fn type_name(&self) -> Option<Cow<'a, str>> {
        text_of(self.tag?.get())
    }

    /// How it holds its payload.
    pub const fn form(&self) -> LineForm {
        self.form
    }

    /// The payload as it came.
    pub const fn payload(&self) -> &'a RawValue {
        self.payload
    }

    /// The payload, decoded.
    pub fn decode(&self) -> RolloutPayload {
        let json = self.payload.get();
        let decoded = match self.kind {
            LineKind::SessionMeta => SessionMeta::decode(json).map(RolloutPayload::SessionMeta),
            LineKind::ResponseItem => {
                Item::from_raw(self.payload).ok().map(RolloutPayload::ResponseItem)
            }
            LineKind::TurnContext => TurnContext::from_json(json).map(RolloutPayload::TurnContext),
            LineKind::WorldState => WorldStateRecord::decode(json).map(RolloutPayload::WorldState),
            LineKind::Compacted => Compacted::decode(json).map(RolloutPayload::Compacted),
            LineKind::EventMsg => EventMsg::decode(json).map(RolloutPayload::EventMsg),
            LineKind::TokenUsageRecord => {
                TokenUsageRecord::from_json(json).map(RolloutPayload::TokenUsageRecord)
            }
            LineKind::Other => None,
        };
        decoded.unwrap_or(RolloutPayload::Other)
    }
}

/// The members of the object that comes first, and how many bytes it takes.
fn first_envelope<'a, R: serde_json::de::Read<'a>>(
    text: serde_json::Deserializer<R>,
) -> Result<(Envelope<'a>, usize), LineError> {
    let mut values = text.into_iter::<Envelope<'a>>();
    let envelope = values.next().ok_or(LineError::NotALine)??;
    Ok((envelope, values.byte_offset()))
}

/// The members of a line that say what it is; of each the first that stands there.
#[derive(Default)]
struct Envelope<'a> {
    timestamp: Option<&'a RawValue>,
    ordinal: Option<&'a RawValue>,
    tag: Option<&'a RawValue>,
    payload: Option<&'a RawValue>,
    has_id: bool,
    has_record_type: bool,
}

impl<'a> Envelope<'a> {
    fn into_line(self, text: &'a str) -> Result<RolloutLine<'a>, LineError> {
        let tag = self.tag.filter(|tag| tag.get().starts_with('"'));
        let (kind, form, payload) = match (tag, self.payload) {
            (Some(tag), Some(payload)) => (kind_of(tag.get()), LineForm::Envelope, payload),
            _ => (self.bare_kind(tag)?, LineForm::Bare, serde_json::from_str(text)?),
        };
        Ok(RolloutLine {
            text,
            timestamp: self.timestamp,
            ordinal: self.ordinal.and_then(|ordinal| Ordinal::parse(ordinal.get())),
            tag,
            kind,
            form,
            payload,
        })
    }

    /// The first versions wrote a bare meta, bare items without a time, and `{"record_type":"state"}`.
    fn bare_kind(&self, tag: Option<&RawValue>) -> Result<LineKind, LineError> {
        match tag {
            Some(tag) if self.timestamp.is_none() && kind_of(tag.get()) == LineKind::Other => {
                Ok(LineKind::ResponseItem)
            }
            None if self.has_record_type => Ok(LineKind::Other),
            None if self.has_id && self.timestamp.is_some() => Ok(LineKind::SessionMeta),
            Some(_) | None => Err(LineError::NotALine),
        }
    }
}

fn kind_of(tag: &str) -> LineKind {
    match tag {
        r#""session_meta""# => LineKind::SessionMeta,
        r#""response_item""# => LineKind::ResponseItem,
        r#""turn_context""# => LineKind::TurnContext,
        r#""world_state""# => LineKind::WorldState,
        r#""compacted""# => LineKind::Compacted,
        r#""event_msg""# => LineKind::EventMsg,
        r#""token_usage_record""# => LineKind::TokenUsageRecord,
        _ => LineKind::Other,
    }
}

impl<'de> Deserialize<'de> for Envelope<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Walk;

        impl<'de> Visitor<'de> for Walk {
            type Value = Envelope<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a JSON object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Envelope<'de>, A::Error> {
                let mut envelope = Envelope::default();
                while let Some(key) = map.next_key::<&'de RawValue>()? {
                    let value: &'de RawValue = map.next_value()?;
                    let member = match key.get() {
                        r#""timestamp""# => &mut envelope.timestamp,
                        r#""ordinal""# => &mut envelope.ordinal,
                        r#""type""# => &mut envelope.tag,
                        r#""payload""# => &mut envelope.payload,
                        other => {
                            envelope.has_id |= other == r#""id""#;
                            envelope.has_record_type |= other == r#""record_type""#;
                            continue;
                        }
                    };
                    member.get_or_insert(value);
                }
                Ok(envelope)
            }
        }

        deserializer.deserialize_map(Walk)
    }
}
