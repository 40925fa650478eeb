//! Members of a table that stands in a list, each with its type.

use super::key::ValueKind;
use super::mismatch::Mismatch;
use super::names::dotted;
use super::value::{Item, Table, Value};

/// A table, and the keys that lead to it.
pub(super) struct Fields<'t> {
    path: Vec<&'t str>,
    item: &'t Item,
    table: &'t Table,
}

impl<'t> Fields<'t> {
    /// The tables of a list.
    pub(super) fn each(path: &[&'t str], list: &'t Item) -> Result<Vec<Self>, Mismatch> {
        let Value::List(elements) = &list.value else {
            return Err(Mismatch::new(dotted(path), list, "a list of tables".to_owned()));
        };
        let fields = |item: &'t Item| match &item.value {
            Value::Table(table) => Ok(Self { path: path.to_vec(), item, table }),
            _ => Err(Mismatch::new(dotted(path), item, "a table".to_owned())),
        };
        elements.iter().map(fields).collect()
    }

    /// The tables of a list that is a member; none where there is no such member.
    pub(super) fn inner(&self, name: &'t str) -> Result<Vec<Self>, Mismatch> {
        match self.table.get(name) {
            Some(list) => Self::each(&[&self.path[..], &[name]].concat(), list),
            None => Ok(Vec::new()),
        }
    }

    /// A member by its name.
    pub(super) fn get(&self, name: &str) -> Option<&'t Item> {
        self.table.get(name)
    }

    /// Every member with its name.
    pub(super) fn members(&self) -> impl Iterator<Item = (&'t str, &'t Item)> {
        self.table.iter().map(|(name, item)| (name.as_str(), item))
    }

    /// The path of a member, as it is written in TOML.
    pub(super) fn key(&self, name: &str) -> String {
        dotted(&[&self.path[..], &[name]].concat())
    }

    /// A text.
    pub(super) fn text(&self, name: &str) -> Result<Option<&'t str>, Mismatch> {
        self.typed(name, ValueKind::Text, |value| match value {
            Value::Text(text) => Some(text.as_str()),
            _ => None,
        })
    }

    /// A text that must be there.
    pub(super) fn required_text(&self, name: &str) -> Result<&'t str, Mismatch> {
        self.text(name)?.ok_or_else(|| Mismatch {
            found: "nothing".to_owned(),
            ..Mismatch::new(self.key(name), self.item, ValueKind::Text.expected())
        })
    }

    /// A whole number.
    pub(super) fn natural(&self, name: &str) -> Result<Option<u64>, Mismatch> {
        self.typed(name, ValueKind::WholeNumber, |value| match value {
            Value::Integer { natural, .. } => *natural,
            _ => None,
        })
    }

    /// A boolean.
    pub(super) fn boolean(&self, name: &str) -> Result<Option<bool>, Mismatch> {
        self.typed(name, ValueKind::Boolean, |value| match value {
            Value::Boolean(boolean) => Some(*boolean),
            _ => None,
        })
    }

    fn typed<T>(
        &self,
        name: &str,
        kind: ValueKind,
        read: impl Fn(&'t Value) -> Option<T>,
    ) -> Result<Option<T>, Mismatch> {
        let Some(item) = self.table.get(name) else { return Ok(None) };
        let wrong = || Mismatch::new(self.key(name), item, kind.expected());
        read(&item.value).map(Some).ok_or_else(wrong)
    }
}
