//! JSON merge patches, RFC 7386: null deletes a member, objects merge, everything else is replaced whole.

use serde_json::{Map, Value};

/// The patch that leads from one value to another; none where they are equal.
///
/// `apply(previous, patch) == next` for every `next` without nulls inside its objects: a patch cannot write one, see
/// `strip_nulls`.
pub fn merge_patch_from(previous: &Value, next: &Value) -> Option<Value> {
    if previous == next {
        return None;
    }
    let (Value::Object(previous), Value::Object(next)) = (previous, next) else {
        return Some(next.clone());
    };
    let mut patch = Map::new();
    for key in previous.keys().filter(|key| !next.contains_key(*key)) {
        patch.insert(key.clone(), Value::Null);
    }
    for (key, value) in next {
        let change = match previous.get(key) {
            Some(before) => merge_patch_from(before, value),
            None => Some(value.clone()),
        };
        if let Some(change) = change {
            patch.insert(key.clone(), change);
        }
    }
    Some(Value::Object(patch))
}

/// Applies a patch in place.
pub fn apply_merge_patch(target: &mut Value, patch: &Value) {
    let Value::Object(patch) = patch else {
        *target = patch.clone();
        return;
    };
    if !target.is_object() {
        *target = Value::Object(Map::new());
    }
    let Value::Object(target) = target else { return };
    for (key, change) in patch {
        if change.is_null() {
            target.remove(key);
        } else {
            apply_merge_patch(target.entry(key.clone()).or_insert(Value::Null), change);
        }
    }
}

/// Takes nulls out of objects, at every depth; those in arrays stay, for arrays are replaced whole.
pub(super) fn strip_nulls(value: &mut Value) {
    if let Value::Object(members) = value {
        members.retain(|_, member| !member.is_null());
        members.values_mut().for_each(strip_nulls);
    }
}
