//! JSON as settings in which every value knows its place.

use std::collections::BTreeMap;

use serde_json::value::RawValue;
use serde_json::{Error, Result};

use super::value::{Item, Origin, Table, Value};

/// Why a text is no object of JSON.
pub(super) struct JsonFault {
    /// The byte at which reading stopped.
    pub(super) offset: usize,
    /// What is wrong there, as a phrase.
    pub(super) message: String,
}

/// Turns an object of JSON into our own tree; members that are `null` are left out.
pub(super) fn table(layer: usize, text: &str) -> std::result::Result<Table, JsonFault> {
    let document = Document { layer, text };
    match document.root() {
        Ok(Item { value: Value::Table(table), .. }) => Ok(table),
        Ok(item) => {
            let message = format!("expected an object, found {}", item.value.describe());
            Err(JsonFault { offset: item.origin.offset, message })
        }
        Err(error) => Err(document.fault(&error)),
    }
}

struct Document<'t> {
    layer: usize,
    text: &'t str,
}

impl<'t> Document<'t> {
    fn root(&self) -> Result<Item> {
        // The parser bounds the depth of a value, but not that of raw text.
        serde_json::from_str::<serde_json::Value>(self.text)?;
        self.item(serde_json::from_str(self.text)?)
    }

    fn item(&self, raw: &'t RawValue) -> Result<Item> {
        let written = raw.get();
        let offset = written.as_ptr().addr() - self.text.as_ptr().addr();
        let origin = Origin { layer: self.layer, offset };
        Ok(Item { origin, key_origin: origin, value: self.value(written)? })
    }

    fn value(&self, written: &'t str) -> Result<Value> {
        Ok(match written.as_bytes().first() {
            Some(b'{') => {
                let members: BTreeMap<String, &RawValue> = serde_json::from_str(written)?;
                let members = members.into_iter().filter(|(_, raw)| raw.get() != "null");
                let items = members.map(|(name, raw)| Ok((name, self.item(raw)?)));
                Value::Table(items.collect::<Result<_>>()?)
            }
            Some(b'[') => {
                let elements: Vec<&RawValue> = serde_json::from_str(written)?;
                Value::List(elements.into_iter().map(|raw| self.item(raw)).collect::<Result<_>>()?)
            }
            Some(b'"') => Value::Text(serde_json::from_str(written)?),
            Some(b't' | b'f') => Value::Boolean(written == "true"),
            Some(b'n') => Value::Null,
            _ if written.contains(['.', 'e', 'E']) => Value::Decimal(written.to_owned()),
            _ => Value::Integer { natural: written.parse().ok(), text: written.to_owned() },
        })
    }

    fn fault(&self, error: &Error) -> JsonFault {
        let lines = self.text.split_inclusive('\n').take(error.line().saturating_sub(1));
        let before: usize = lines.map(str::len).sum();
        let message = error.to_string();
        let message = message.split(" at line ").next().unwrap_or_default().to_owned();
        JsonFault { offset: before + error.column().saturating_sub(1), message }
    }
}
