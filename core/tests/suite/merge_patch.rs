//! Merge patches: RFC 7386, and the law that they lead where they should.

use pretty_assertions::assert_eq;
use proptest::prelude::*;
use recto_core::testing::rounds;
use recto_core::world_state::{WorldStateSnapshot, apply_merge_patch, merge_patch_from};
use serde_json::{Map, Value, json};

fn patched(mut target: Value, patch: &Value) -> Value {
    apply_merge_patch(&mut target, patch);
    target
}

#[track_caller]
fn check(previous: &Value, next: &Value, patch: Option<Value>) {
    assert_eq!(merge_patch_from(previous, next), patch);
    let applied = patch.map_or_else(|| previous.clone(), |patch| patched(previous.clone(), &patch));
    assert_eq!(applied, *next);
}

#[test]
fn a_patch_holds_what_changed() {
    check(&json!({"a": 1, "b": 2}), &json!({"a": 1, "b": 2}), None);
    check(&json!({"a": 1, "b": 2}), &json!({"a": 1, "b": 3}), Some(json!({"b": 3})));
    check(&json!({"a": 1, "b": 2}), &json!({"a": 1}), Some(json!({"b": null})));
    check(
        &json!({"a": {"x": 1, "y": 2}}),
        &json!({"a": {"x": 1}}),
        Some(json!({"a": {"y": null}})),
    );
    check(&json!({"a": "text"}), &json!({"a": {"b": {}}}), Some(json!({"a": {"b": {}}})));
    check(&json!({"a": {"b": 1}}), &json!({"a": [1]}), Some(json!({"a": [1]})));
    check(&json!({}), &json!({}), None);
}

#[test]
fn b98_nulls_in_arrays_and_what_is_empty_are_kept() {
    check(&json!({"a": [1]}), &json!({"a": [null, 1]}), Some(json!({"a": [null, 1]})));
    check(&json!({"a": [1, 2]}), &json!({"a": []}), Some(json!({"a": []})));
    check(&json!({"a": {"b": 1}}), &json!({"a": {}}), Some(json!({"a": {"b": null}})));
    check(&json!({"a": 1}), &json!({"a": {}}), Some(json!({"a": {}})));
    check(&json!({}), &json!({"a": {}}), Some(json!({"a": {}})));
    check(
        &json!({"a": [{"b": 1}]}),
        &json!({"a": [{"b": null}]}),
        Some(json!({"a": [{"b": null}]})),
    );
}

/// The examples of the standard's appendix.
#[test]
fn patches_are_applied_as_the_standard_says() {
    for (target, patch, expected) in [
        (json!({"a": "b"}), json!({"a": "c"}), json!({"a": "c"})),
        (json!({"a": "b"}), json!({"b": "c"}), json!({"a": "b", "b": "c"})),
        (json!({"a": "b"}), json!({"a": null}), json!({})),
        (json!({"a": "b", "b": "c"}), json!({"a": null}), json!({"b": "c"})),
        (json!({"a": ["b"]}), json!({"a": "c"}), json!({"a": "c"})),
        (json!({"a": "c"}), json!({"a": ["b"]}), json!({"a": ["b"]})),
        (json!({"a": {"b": "c"}}), json!({"a": {"b": "d", "c": null}}), json!({"a": {"b": "d"}})),
        (json!({"a": [{"b": "c"}]}), json!({"a": [1]}), json!({"a": [1]})),
        (json!(["a", "b"]), json!(["c", "d"]), json!(["c", "d"])),
        (json!({"a": "b"}), json!(["c"]), json!(["c"])),
        (json!({"a": "foo"}), json!(null), json!(null)),
        (json!({"a": "foo"}), json!("bar"), json!("bar")),
        (json!({"e": null}), json!({"a": 1}), json!({"e": null, "a": 1})),
        (json!([1, 2]), json!({"a": "b", "c": null}), json!({"a": "b"})),
        (json!({}), json!({"a": {"bb": {"ccc": null}}}), json!({"a": {"bb": {}}})),
    ] {
        assert_eq!(patched(target.clone(), &patch), expected, "{target} {patch}");
    }
}

#[test]
fn a_patch_that_is_no_object_changes_no_state() {
    let mut state = Map::new();
    state.insert("agents_md".to_owned(), json!({"text": "t"}));
    let state = WorldStateSnapshot::from_json(state);
    for patch in [json!(null), json!([]), json!("x"), json!(7), json!({})] {
        assert_eq!(state.patched(&patch), state);
    }
}

/// Any value without nulls in its objects: a patch cannot write one.
fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        any::<bool>().prop_map(Value::from),
        (0..3).prop_map(Value::from),
        prop::sample::select(vec!["", "x"]).prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        let element = prop_oneof![3 => inner.clone(), 1 => Just(Value::Null)];
        prop_oneof![
            prop::collection::vec(element, 0..3).prop_map(Value::from),
            prop::collection::btree_map("[a-c]", inner, 0..4)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: rounds(512, 100_000), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn soak_a_patch_leads_from_the_old_value_to_the_new_one(previous in value(), next in value()) {
        match merge_patch_from(&previous, &next) {
            None => prop_assert_eq!(previous, next),
            Some(patch) => {
                prop_assert_eq!(&patched(previous, &patch), &next);
                prop_assert_eq!(patched(next.clone(), &patch), next, "a patch that was applied changes nothing more");
            }
        }
    }
}
