//! Features that are turned on or off.

use std::collections::BTreeMap;

use super::value::{Item, Table, Value, get_boolean, get_table};

/// The features that somebody turned on or off, by name.
///
/// A feature with settings of its own is a table; its `enabled` counts.
pub(super) fn features(settings: &Table) -> BTreeMap<String, bool> {
    let features = get_table(settings, &["features"]).into_iter().flatten();
    features.filter_map(|(name, item)| Some((name.clone(), switch(item)?))).collect()
}

fn switch(item: &Item) -> Option<bool> {
    match &item.value {
        Value::Boolean(boolean) => Some(*boolean),
        Value::Table(table) => get_boolean(table, &["enabled"]),
        _ => None,
    }
}
