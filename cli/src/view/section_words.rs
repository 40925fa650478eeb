//! Changes of the world's state, in words.

use recto_core::rollout::SectionChange;
use serde_json::Value;

use super::layout::{WIDTH, grouped, shortened, wrap};

/// Characters that a value may have to be shown.
const SHORT: usize = 24;

/// Characters of a hash, as the reference keeps it of some texts.
const HASH: usize = 40;

/// The members that hold a section's text.
const TEXTS: [&str; 2] = ["text", "body"];

/// One line for each section; whole states are told in lines of several.
pub(crate) fn lines(full: bool, changes: &[SectionChange]) -> Vec<String> {
    if !full {
        return changes.iter().map(line).collect();
    }
    let sections = changes.iter().filter_map(|change| Some((change, change.after.as_ref()?)));
    let words = sections.map(|(change, after)| match bytes(after) {
        Some(bytes) => format!("{} ({} bytes)", change.section, grouped(bytes as u64)),
        None => change.section.clone(),
    });
    let words: Vec<String> = words.collect();
    wrap(&format!("told whole: {}", words.join(", ")), WIDTH - 10)
}

/// `agents_md: replaced (1,204 → 1,310 bytes)`
fn line(change: &SectionChange) -> String {
    let SectionChange { section, before, after } = change;
    let old = before.as_ref().and_then(bytes);
    let new = after.as_ref().and_then(bytes);
    let count = |bytes: usize| format!("({} bytes)", grouped(bytes as u64));
    let words = match (old, new, before, after) {
        (None, Some(new), ..) => format!("new {}", count(new)),
        (Some(old), None, ..) => format!("removed {}", count(old)),
        (_, _, Some(Value::String(before)), Some(Value::String(after)))
            if is_short(before) && is_short(after) =>
        {
            format!("{before} → {after}")
        }
        (Some(old), Some(new), Some(before), Some(after)) if text(before) != text(after) => {
            format!("replaced ({} → {} bytes)", grouped(old as u64), grouped(new as u64))
        }
        (_, _, Some(before), Some(after)) => members(before, after).join(", "),
        (_, _, Some(_), None) => "removed".to_owned(),
        (_, _, None, _) => "new".to_owned(),
    };
    format!("{section}: {words}")
}

fn text(section: &Value) -> Option<&str> {
    let member = TEXTS.iter().find_map(|name| section.get(name)?.as_str());
    member.or(section.as_str())
}

/// The bytes of a section's text; none for a section that is no text.
fn bytes(section: &Value) -> Option<usize> {
    text(section).filter(|it| !it.is_empty()).map(str::len)
}

/// The members that changed: short values with both, long ones by their bytes.
fn members(before: &Value, after: &Value) -> Vec<String> {
    let mut out = Vec::new();
    collect(before, after, "", &mut out);
    out
}

fn collect(before: &Value, after: &Value, path: &str, out: &mut Vec<String>) {
    let (Value::Object(old), Value::Object(new)) = (before, after) else {
        if is_hash(before) && is_hash(after) {
            out.push(format!("{path} changed").trim_start().to_owned());
            return;
        }
        let (before, after) = (value(before), value(after));
        out.push(format!("{path} {before} → {after}").trim_start().to_owned());
        return;
    };
    let gone = old.keys().filter(|key| !new.contains_key(*key));
    for key in gone.chain(new.keys()) {
        let (before, after) = (old.get(key), new.get(key));
        if before != after {
            // The path's start is the same for all; its last word is what tells them apart.
            collect(before.unwrap_or(&Value::Null), after.unwrap_or(&Value::Null), key, out);
        }
    }
}

/// Whether a value stands for a text that the state does not hold.
fn is_hash(value: &Value) -> bool {
    let is_hex = |text: &str| text.bytes().all(|byte| byte.is_ascii_hexdigit());
    value.as_str().is_some_and(|text| text.len() == HASH && is_hex(text))
}

fn is_short(text: &str) -> bool {
    text.chars().count() <= SHORT
}

fn value(value: &Value) -> String {
    match value {
        Value::Null => "none".to_owned(),
        Value::String(text) if is_short(text) => text.clone(),
        Value::String(text) => format!("{} bytes", grouped(text.len() as u64)),
        other => shortened(&other.to_string(), SHORT),
    }
}
