//! What the reference sent of sessions whose files were edited by hand, beside what we send of the same items.
//!
//! `fixtures/edited_histories.json` holds for each session the items as they stood in the file and those in the
//! reference's next request.

use std::collections::BTreeMap;

use pretty_assertions::assert_eq;
use recto_protocol::Item;
use serde_json::Value;

use super::notation::{history, of_json, prompt, sent};

/// A session: `recorded` and `sent`.
type Session = BTreeMap<String, Vec<Value>>;

fn sessions() -> BTreeMap<String, Session> {
    serde_json::from_str(include_str!("../../fixtures/edited_histories.json")).expect("JSON")
}

/// The items of a request as far as both programs mean the same: members that are null say nothing.
fn without_nulls(value: &Value) -> Value {
    match value {
        Value::Object(members) => members
            .iter()
            .filter(|(_, value)| !value.is_null())
            .map(|(name, value)| (name.clone(), without_nulls(value)))
            .collect(),
        Value::Array(elements) => elements.iter().map(without_nulls).collect(),
        other => other.clone(),
    }
}

fn ours(session: &Session) -> Vec<Value> {
    let history = history(session["recorded"].iter().map(of_json));
    let wire = |item: &Item| serde_json::from_str::<Value>(&item.wire_json()).expect("JSON");
    prompt(&history).input.iter().map(|item| without_nulls(&wire(item))).collect()
}

#[track_caller]
fn check(name: &str, expected: &str) {
    let session = sessions().remove(name).expect("a session of that name");
    let history = history(session["recorded"].iter().map(of_json));
    assert_eq!(sent(&history), expected);
    let theirs: Vec<Value> = session["sent"].iter().map(without_nulls).collect();
    assert_ne!(ours(&session), theirs, "{name} is no difference");
}

#[test]
fn what_the_reference_sends_of_broken_pairs_is_what_we_send() {
    let mut sessions = sessions();
    for name in ["calls_out_of_order", "mixed_kinds", "orphans_and_duplicates"] {
        let session = sessions.remove(name).unwrap();
        let theirs: Vec<Value> = session["sent"].iter().map(without_nulls).collect();
        assert_eq!(ours(&session), theirs, "{name}");
    }
}

#[test]
fn an_id_has_one_call_and_one_output_where_the_reference_keeps_all() {
    check("call_id_reused", "FC(c1) FO(c1,1)");
    check("one_call_two_outputs", "FC(c1) FO(c1,1)");
    check("two_calls_one_output", "FC(c1) FO(c1,1)");
}

#[test]
fn an_output_before_its_call_is_moved_where_the_reference_leaves_it() {
    check("output_before_call", "FC(c1) FO(c1,early) U(x)");
}

#[test]
fn empty_messages_stay_behind_where_the_reference_sends_them() {
    check("empty_messages", "U(real)");
}

#[test]
fn an_output_that_answers_nothing_stays_behind_where_the_reference_sends_it() {
    check("bad_fields", "U(ok)");
}

#[test]
fn a_made_up_id_a_made_up_role_and_thoughts_that_led_nowhere_stay_behind() {
    check("odd_roles_and_types", "D(dev) U(withfield) E(E)");
}

#[test]
fn a_picture_without_an_address_stays_behind_where_the_reference_sends_it() {
    check(
        "images",
        "U(pic+<data:image/png;base64,>) \
         U(image content omitted because remote image URLs are not supported) \
         FC(v1) FO(v1,t+image content omitted because it could not be processed) \
         FC(v2) FO(v2,) FC(v3) FO(v3,)",
    );
}

#[test]
fn what_the_provider_searched_is_not_answered_and_what_is_readable_of_a_message_is_sent() {
    check(
        "tool_search",
        "TS(ts1) TO(ts1) TS(ts2) TS() TO() TO(zz) LS(lsh_1) FO(lsh_1,aborted) FO(,value) WS() \
         U(a) A(a) U(x)",
    );
}
