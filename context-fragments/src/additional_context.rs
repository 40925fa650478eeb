//! Values from outside the engine, each under a key, bounded, and sent again only when they change.

use std::collections::BTreeMap;
use std::fmt;

use recto_protocol::Role;

use crate::fragment::{ContextualUserFragment, Markers};
use crate::truncate::{TokenCount, truncate_middle};

/// What one value may cost; a longer one is cut in its middle.
pub const VALUE_TOKENS: TokenCount = 1_000;

/// Bytes that a key may have.
const MAX_KEY_BYTES: usize = 64;

/// The name of a value; it becomes part of the tag around it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AdditionalContextKey(String);

impl AdditionalContextKey {
    /// Checks a key: 1 to 64 ASCII letters, digits, `_`, `-` or `.`, the first one a letter or `_`.
    pub fn new(key: impl Into<String>) -> Result<Self, AdditionalContextError> {
        let key = key.into();
        let Some(first) = key.chars().next() else {
            return Err(AdditionalContextError::EmptyKey);
        };
        if key.len() > MAX_KEY_BYTES {
            return Err(AdditionalContextError::LongKey { length: key.len() });
        }
        let bad = key.chars().find(|character| !may_stand_in_key(*character));
        match bad.or((!(first.is_ascii_alphabetic() || first == '_')).then_some(first)) {
            Some(character) => Err(AdditionalContextError::BadKey { key, character }),
            None => Ok(Self(key)),
        }
    }

    /// The key itself.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

fn may_stand_in_key(character: char) -> bool {
    character.is_ascii_alphanumeric() || matches!(character, '_' | '-' | '.')
}

impl fmt::Display for AdditionalContextKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Why a key cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AdditionalContextError {
    /// It is empty.
    #[error("a context key must not be empty")]
    EmptyKey,
    /// It is longer than a tag should be.
    #[error("a context key has at most {MAX_KEY_BYTES} bytes, this one has {length}")]
    LongKey {
        /// Its bytes.
        length: usize,
    },
    /// A character would break the tag.
    #[error(
        "context key `{key}`: {character:?} cannot stand there (ASCII letters, digits, `_`, `-`, `.`; first a letter or `_`)"
    )]
    BadKey {
        /// The key.
        key: String,
        /// The character.
        character: char,
    },
}

/// Who vouches for a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AdditionalContextKind {
    /// Nobody: it stands on the user's side, in `<external_KEY>`.
    Untrusted,
    /// The application: it speaks as the developer, in `<KEY>`.
    Application,
}

/// One value and who vouches for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AdditionalContextValue {
    /// Who vouches for it.
    pub kind: AdditionalContextKind,
    /// The value as it came.
    pub text: String,
}

/// All values of one moment, sorted by key.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AdditionalContext(BTreeMap<AdditionalContextKey, AdditionalContextValue>);

impl AdditionalContext {
    /// Sets a value; what the key had before is given back.
    pub fn insert(
        &mut self,
        key: AdditionalContextKey,
        value: AdditionalContextValue,
    ) -> Option<AdditionalContextValue> {
        self.0.insert(key, value)
    }

    /// Whether there is no value.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The values as fragments, sorted by key.
    pub fn fragments(&self) -> impl Iterator<Item = AdditionalContextFragment<'_>> {
        self.0.iter().map(|(key, value)| AdditionalContextFragment { key, value })
    }

    /// The fragments of the values that `previous` does not have, or has otherwise, sorted by key.
    pub fn changed_since<'a>(
        &'a self,
        previous: &Self,
    ) -> impl Iterator<Item = AdditionalContextFragment<'a>> {
        self.fragments().filter(|fragment| previous.0.get(fragment.key) != Some(fragment.value))
    }
}

/// One value as the model reads it.
#[derive(Debug, Clone, Copy)]
pub struct AdditionalContextFragment<'a> {
    key: &'a AdditionalContextKey,
    value: &'a AdditionalContextValue,
}

impl AdditionalContextFragment<'_> {
    /// Its key.
    pub fn key(&self) -> &AdditionalContextKey {
        self.key
    }

    /// Who vouches for it.
    pub fn kind(&self) -> AdditionalContextKind {
        self.value.kind
    }

    /// Whether the value holds the very marker that ends it, so that a reader may think it ends there.
    pub fn holds_its_end_marker(&self) -> bool {
        let end = format!("</{}>", self.tag());
        self.body().to_ascii_lowercase().contains(&end.to_ascii_lowercase())
    }

    fn tag(&self) -> String {
        match self.value.kind {
            AdditionalContextKind::Untrusted => format!("{EXTERNAL}{}", self.key),
            AdditionalContextKind::Application => self.key.to_string(),
        }
    }
}

/// What a tag around an untrusted value starts with.
const EXTERNAL: &str = "external_";

impl ContextualUserFragment for AdditionalContextFragment<'_> {
    fn role(&self) -> Role {
        match self.value.kind {
            AdditionalContextKind::Untrusted => Role::User,
            AdditionalContextKind::Application => Role::Developer,
        }
    }

    /// None: the tag holds the key, so it belongs to the value and not to the type.
    fn markers() -> Markers {
        Markers::NONE
    }

    fn body(&self) -> String {
        truncate_middle(&self.value.text, VALUE_TOKENS).into_owned()
    }

    fn render(&self) -> String {
        let tag = self.tag();
        format!("<{tag}>{}</{tag}>", self.body())
    }

    /// Whether a text is an untrusted value: `<external_KEY>` at its start and the same key at its end.
    ///
    /// Application values are told by the kind kept beside them; any tag would match otherwise.
    fn matches_text(text: &str) -> bool {
        let text = text.trim();
        let Some((tag, rest)) = text.strip_prefix('<').and_then(|rest| rest.split_once('>')) else {
            return false;
        };
        let is_external = tag.split_at_checked(EXTERNAL.len()).is_some_and(|(start, key)| {
            start.eq_ignore_ascii_case(EXTERNAL)
                && !key.is_empty()
                && key.chars().all(may_stand_in_key)
        });
        let Some(end) = rest.len().checked_sub(tag.len() + 3).and_then(|at| rest.get(at..)) else {
            return false;
        };
        let closes = end.strip_prefix("</").and_then(|end| end.strip_suffix('>'));
        is_external && closes.is_some_and(|closing| closing.eq_ignore_ascii_case(tag))
    }
}
