//! Whether every value is of its key's kind.

use super::approval::check_approval_policy;
use super::error::ConfigError;
use super::key::ValueKind;
use super::keys::{Position, known_at_top, position};
use super::layers::Layers;
use super::mcp::{is_variable, seconds};
use super::mismatch::Mismatch;
use super::names::{dotted, nearest};
use super::value::{Item, Table, Value};
use super::words::FILE_ACCESSES;

/// Checks the settings that count; a wrong value that a higher layer replaces is no fault.
///
/// Of several faults the first one of the lowest layer is told.
pub(super) fn check(layers: &Layers, merged: &Table) -> Result<(), ConfigError> {
    let mut mismatches = Vec::new();
    check_table(&mut Vec::new(), merged, &mut mismatches);
    match mismatches.into_iter().min_by_key(|it| (layers.height(it.origin), it.origin)) {
        Some(mismatch) => Err(mismatch.into_error(layers)),
        None => Ok(()),
    }
}

fn check_table<'t>(path: &mut Vec<&'t str>, table: &'t Table, mismatches: &mut Vec<Mismatch>) {
    for (key, item) in table {
        path.push(key);
        match (position(path), &item.value) {
            (Position::Known(known), _) => check_value(known.kind, path, item, mismatches),
            (Position::Table, Value::Table(inner)) => check_table(path, inner, mismatches),
            (Position::Table, _) => {
                mismatches.push(Mismatch::new(dotted(path), item, "a table".to_owned()));
            }
            (Position::Other(_) | Position::OtherTable | Position::Unknown, _) => {}
        }
        path.pop();
    }
}

fn check_value(kind: ValueKind, path: &[&str], item: &Item, mismatches: &mut Vec<Mismatch>) {
    let mut wrong = |key: String, item: &Item, expected: ValueKind| {
        let hint = hint(expected, &key, &item.value);
        mismatches.push(Mismatch { hint, ..Mismatch::new(key, item, expected.expected()) });
    };
    match (kind, &item.value) {
        (ValueKind::TextList | ValueKind::PathList, Value::List(elements)) => {
            for element in elements.iter().filter(|it| !matches!(it.value, Value::Text(_))) {
                wrong(dotted(path), element, element_kind(kind));
            }
        }
        (ValueKind::TextMap, Value::Table(inner)) => {
            for (name, element) in
                inner.iter().filter(|(_, it)| !matches!(it.value, Value::Text(_)))
            {
                wrong(dotted(&[path, &[name.as_str()]].concat()), element, ValueKind::Text);
            }
        }
        (ValueKind::VariableList, Value::List(elements)) => {
            for element in elements.iter().filter(|it| !is_variable(&it.value)) {
                let name = "a name, or { name = \"…\", source = \"local\" }".to_owned();
                mismatches.push(Mismatch::new(dotted(path), element, name));
            }
        }
        (ValueKind::FileAccess, Value::Table(inner)) => {
            let word = ValueKind::OneOf(FILE_ACCESSES);
            for (name, element) in inner.iter().filter(|(_, it)| !is_of_kind(word, &it.value)) {
                wrong(dotted(&[path, &[name.as_str()]].concat()), element, word);
            }
        }
        (ValueKind::Approval, _) => mismatches.extend(check_approval_policy(path, item).err()),
        (kind, value) if is_of_kind(kind, value) => {}
        (kind, _) => wrong(dotted(path), item, kind),
    }
}

const fn element_kind(kind: ValueKind) -> ValueKind {
    match kind {
        ValueKind::PathList => ValueKind::Path,
        _ => ValueKind::Text,
    }
}

fn is_of_kind(kind: ValueKind, value: &Value) -> bool {
    match (kind, value) {
        (ValueKind::Text | ValueKind::Path, Value::Text(_))
        | (ValueKind::WholeNumber, Value::Integer { natural: Some(_), .. })
        | (ValueKind::Boolean, Value::Boolean(_))
        | (ValueKind::Feature, Value::Boolean(_) | Value::Table(_))
        | (ValueKind::Hooks, Value::List(_)) => true,
        (ValueKind::Seconds, value) => seconds(value).is_some(),
        (ValueKind::FileAccess, Value::Text(word)) => FILE_ACCESSES.contains(&word.as_str()),
        (ValueKind::OneOf(words), Value::Text(word)) => words.contains(&word.as_str()),
        _ => false,
    }
}

/// A way out of the commonest mistakes.
fn hint(kind: ValueKind, key: &str, value: &Value) -> Option<String> {
    match (kind, value) {
        (ValueKind::WholeNumber | ValueKind::Seconds, Value::Text(text))
            if text.parse::<u64>().is_ok() =>
        {
            Some(format!("write {text} without quotes"))
        }
        (ValueKind::Boolean | ValueKind::Feature, Value::Text(text))
            if matches!(text.as_str(), "true" | "false") =>
        {
            Some(format!("write {text} without quotes"))
        }
        (ValueKind::Feature, _) => {
            let known = known_at_top(key.rsplit('.').next()?)?;
            Some(format!("`{}` belongs at the top level, above every [table]", known.path))
        }
        (ValueKind::OneOf(["responses"]), Value::Text(text)) if text == "chat" => {
            Some("the chat protocol is not spoken any more; write \"responses\"".to_owned())
        }
        (ValueKind::OneOf(words), Value::Text(text)) => {
            nearest(text, words.iter().copied()).map(|word| format!("did you mean `{word}`?"))
        }
        _ => None,
    }
}
