//! Settings as they were written: TOML in which every value knows its place.

use std::collections::BTreeMap;

use toml::Spanned;
use toml::de::{DeInteger, DeTable, DeValue};

/// Keys and their values.
pub(super) type Table = BTreeMap<String, Item>;

/// Which layer a value stands in, and where there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Origin {
    /// The layer, counted from the lowest.
    pub(super) layer: usize,
    /// The byte of the layer's text.
    pub(super) offset: usize,
}

/// One value.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Item {
    /// Where the value stands.
    pub(super) origin: Origin,
    /// Where its key stands; for an element of a list the value itself.
    pub(super) key_origin: Origin,
    /// What it is.
    pub(super) value: Value,
}

/// What a value is.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Value {
    Text(String),
    Integer {
        /// The number, where it is not negative and fits.
        natural: Option<u64>,
        /// As it was written.
        text: String,
    },
    Decimal(String),
    Boolean(bool),
    Date(String),
    /// Nothing, which only JSON can say.
    Null,
    List(Vec<Item>),
    Table(Table),
}

/// Characters of a wrong text that are shown.
const SHOWN_CHARACTERS: usize = 40;

impl Value {
    /// The value as a phrase for people: `a string "10"`.
    pub(super) fn describe(&self) -> String {
        match self {
            Self::Text(text) => format!("a string {:?}", shortened(text)),
            Self::Integer { text, .. } if text.starts_with('-') => {
                format!("a negative number {text}")
            }
            Self::Integer { natural: None, text } => format!("a number that is too large, {text}"),
            Self::Integer { text, .. } => format!("a whole number {text}"),
            Self::Decimal(text) => format!("a decimal number {text}"),
            Self::Boolean(boolean) => boolean.to_string(),
            Self::Date(text) => format!("a date {text}"),
            Self::Null => "null".to_owned(),
            Self::List(_) => "a list".to_owned(),
            Self::Table(_) => "a table".to_owned(),
        }
    }
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(SHOWN_CHARACTERS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// Turns what the TOML parser gives into our own tree.
pub(super) fn table(layer: usize, source: &DeTable<'_>) -> Table {
    source
        .iter()
        .map(|(key, value)| (key.get_ref().to_string(), item(layer, key.span().start, value)))
        .collect()
}

fn item(layer: usize, key_offset: usize, source: &Spanned<DeValue<'_>>) -> Item {
    let offset = source.span().start;
    let value = match source.get_ref() {
        DeValue::String(text) => Value::Text(text.to_string()),
        DeValue::Integer(number) => {
            Value::Integer { natural: natural(number), text: number.to_string() }
        }
        DeValue::Float(number) => Value::Decimal(number.to_string()),
        DeValue::Boolean(boolean) => Value::Boolean(*boolean),
        DeValue::Datetime(date) => Value::Date(date.to_string()),
        DeValue::Array(elements) => Value::List(
            elements.iter().map(|element| item(layer, element.span().start, element)).collect(),
        ),
        DeValue::Table(inner) => Value::Table(table(layer, inner)),
    };
    Item {
        origin: Origin { layer, offset },
        key_origin: Origin { layer, offset: key_offset },
        value,
    }
}

/// A number of 63 bits, as far as TOML's integers go.
fn natural(number: &DeInteger<'_>) -> Option<u64> {
    let number = i64::from_str_radix(number.as_str(), number.radix()).ok()?;
    u64::try_from(number).ok()
}

/// Lays one table over another: tables are joined, everything else is replaced whole.
pub(super) fn merge(below: &mut Table, above: &Table) {
    for (key, item) in above {
        match (below.get_mut(key).map(|it| &mut it.value), &item.value) {
            (Some(Value::Table(under)), Value::Table(over)) => merge(under, over),
            _ => {
                below.insert(key.clone(), item.clone());
            }
        }
    }
}

/// The value at a path of keys.
pub(super) fn get<'t>(table: &'t Table, path: &[&str]) -> Option<&'t Item> {
    let (last, tables) = path.split_last()?;
    let mut table = table;
    for key in tables {
        match table.get(*key).map(|it| &it.value) {
            Some(Value::Table(inner)) => table = inner,
            _ => return None,
        }
    }
    table.get(*last)
}

/// The table at a path of keys.
pub(super) fn get_table<'t>(table: &'t Table, path: &[&str]) -> Option<&'t Table> {
    match &get(table, path)?.value {
        Value::Table(inner) => Some(inner),
        _ => None,
    }
}

/// The text at a path of keys.
pub(super) fn get_text<'t>(table: &'t Table, path: &[&str]) -> Option<&'t str> {
    match &get(table, path)?.value {
        Value::Text(text) => Some(text),
        _ => None,
    }
}

/// The boolean at a path of keys.
pub(super) fn get_boolean(table: &Table, path: &[&str]) -> Option<bool> {
    match &get(table, path)?.value {
        Value::Boolean(boolean) => Some(*boolean),
        _ => None,
    }
}

/// The whole number at a path of keys.
pub(super) fn get_natural(table: &Table, path: &[&str]) -> Option<u64> {
    match &get(table, path)?.value {
        Value::Integer { natural, .. } => *natural,
        _ => None,
    }
}

/// The texts of the list at a path of keys, each with its place.
pub(super) fn get_texts<'t>(table: &'t Table, path: &[&str]) -> Option<Vec<(&'t str, Origin)>> {
    match &get(table, path)?.value {
        Value::List(elements) => Some(elements.iter().filter_map(text_of).collect()),
        _ => None,
    }
}

fn text_of(item: &Item) -> Option<(&str, Origin)> {
    match &item.value {
        Value::Text(text) => Some((text, item.origin)),
        _ => None,
    }
}

/// The table of texts at a path of keys; empty where there is none.
pub(super) fn get_text_map(table: &Table, path: &[&str]) -> BTreeMap<String, String> {
    let Some(inner) = get_table(table, path) else { return BTreeMap::new() };
    inner
        .iter()
        .filter_map(|(key, item)| Some((key.clone(), text_of(item)?.0.to_owned())))
        .collect()
}
