//! Keys that nobody reads where they stand.

use super::key::{OtherKey, OtherShape};
use super::keys::{Position, known_at_top, known_by_name, names_in, position};
use super::layers::{Layer, Layers};
use super::names::{dotted, nearest};
use super::value::{Item, Table, Value};
use super::warning::{ConfigWarning, Warnings};

/// Longest key that is compared with the known ones; the comparison takes time.
const LONGEST_COMPARED: usize = 80;

/// Finds the keys of one layer that have no effect: unknown ones, and known ones in the wrong table.
pub(super) fn find(layers: &Layers, layer: &Layer, warnings: &mut Warnings) {
    find_in(layers, &layer.table, warnings);
}

/// The same for a table that is not a whole layer.
pub(super) fn find_in(layers: &Layers, table: &Table, warnings: &mut Warnings) {
    Search { layers, warnings }.table(&mut Vec::new(), table);
}

struct Search<'l> {
    layers: &'l Layers,
    warnings: &'l mut Warnings,
}

impl Search<'_> {
    fn table<'t>(&mut self, path: &mut Vec<&'t str>, table: &'t Table) {
        for (key, item) in table {
            path.push(key);
            match (position(path), &item.value) {
                (Position::Table | Position::OtherTable, Value::Table(inner)) => {
                    self.table(path, inner);
                }
                (
                    Position::Other(OtherKey { shape: OtherShape::Closed, .. }),
                    Value::Table(inner),
                ) => {
                    self.misplaced_in(path, inner);
                }
                (Position::Unknown, _) => self.unknown(path, item),
                _ => {}
            }
            path.pop();
        }
    }

    fn unknown(&mut self, path: &mut Vec<&str>, item: &Item) {
        if self.wrong_table(path, item) {
            return;
        }
        let before = self.warnings.count();
        if let Value::Table(inner) = &item.value {
            self.misplaced_in(path, inner);
        }
        if self.warnings.count() == before {
            self.warnings.push(|| ConfigWarning::UnknownKey {
                location: self.layers.locate(item.key_origin),
                key: dotted(path),
                suggestion: suggestion(path),
            });
        }
    }

    /// Keys of the top level that stand in a table in which nobody looks for them.
    fn misplaced_in(&mut self, path: &[&str], table: &Table) {
        for (key, item) in table {
            if known_at_top(key).is_some() {
                self.wrong_table(&[path, &[key.as_str()]].concat(), item);
            }
        }
    }

    /// Tells of a key that belongs elsewhere; false where no other table knows it either.
    fn wrong_table(&mut self, path: &[&str], item: &Item) -> bool {
        let Some((key, table)) = path.split_last() else { return false };
        let Some(known) = known_by_name(key) else { return false };
        self.warnings.push(|| ConfigWarning::WrongTable {
            location: self.layers.locate(item.key_origin),
            key: (*key).to_owned(),
            table: dotted(table),
            belongs: known.home(),
        });
        true
    }
}

/// The key that was meant, perhaps: one of the same table, else one of the top level.
fn suggestion(path: &[&str]) -> Option<String> {
    let (key, table) = path.split_last()?;
    if key.len() > LONGEST_COMPARED {
        return None;
    }
    let sibling = nearest(key, names_in(table)).map(|name| dotted(&[table, &[name]].concat()));
    sibling.or_else(|| nearest(key, names_in(&[])).map(str::to_owned))
}
