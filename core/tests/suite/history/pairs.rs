//! Calls and their outputs, and the thoughts before them.

use pretty_assertions::assert_eq;
use recto_core::history::{Audience, Fate, LeftOut};
use recto_protocol::responses::input_json;

use super::notation::{history, items, prompt, sent};

#[track_caller]
fn check(recorded: &str, expected: &str) {
    let history = history(items(recorded));
    assert_eq!(sent(&history), expected, "{recorded}");
    assert_eq!(sent(&history), expected, "a second request of {recorded}");
    assert_eq!(super::notation::notation(history.items()), recorded.trim(), "what is recorded");
}

#[test]
fn b106_a_call_without_output_is_answered_directly_after_it() {
    check("U(1) FC(c1) U(2)", "U(1) FC(c1) FO(c1,aborted) U(2)");
    check("U(1) CT(c1) U(2)", "U(1) CT(c1) CO(c1,aborted) U(2)");
    check("U(1) LS(c1) U(2)", "U(1) LS(c1) FO(c1,aborted) U(2)");
    check("U(1) TS(c1) U(2)", "U(1) TS(c1) TO(c1) U(2)");
    check("FC(c1) FC(c2) FO(c2,x)", "FC(c1) FO(c1,aborted) FC(c2) FO(c2,x)");
}

#[test]
fn b106_an_aborted_call_is_the_same_bytes_in_every_request() {
    let mut history = history(items("U(1) FC(c1)"));
    let first = input_json(&prompt(&history).input);
    history.record(items("U(2)"));
    let second = input_json(&prompt(&history).input);
    assert_eq!(second.strip_prefix(first.trim_end_matches(']')).map(|it| &it[..1]), Some(","));
}

#[test]
fn b107_an_output_without_a_call_is_left_out() {
    check("U(1) FO(c9,x) U(2)", "U(1) U(2)");
    check("U(1) CO(c9,x) U(2)", "U(1) U(2)");
    check("U(1) TO(c9) U(2)", "U(1) U(2)");
    check("LS(c1) CO(c1,x) U(2)", "LS(c1) FO(c1,aborted) U(2)");
    check("FC(c1) CO(c1,x) U(2)", "FC(c1) FO(c1,aborted) U(2)");
}

#[test]
fn b108_outputs_stay_in_their_order_and_every_call_has_one() {
    check(
        "FC(c1) FC(c2) FC(c3) FO(c3,3) FO(c1,1) U(2)",
        "FC(c1) FC(c2) FO(c2,aborted) FC(c3) FO(c3,3) FO(c1,1) U(2)",
    );
}

#[test]
fn b108_an_output_before_its_call_goes_directly_after_it() {
    check("FO(c1,early) U(1) FC(c1) U(2)", "U(1) FC(c1) FO(c1,early) U(2)");
    check("FO(c1,early) FC(c1) FO(c1,late)", "FC(c1) FO(c1,early)");
    check("CO(c1,early) FC(c1) U(2)", "FC(c1) FO(c1,aborted) U(2)");
    check("CO(c1,early) FC(c1) FO(c1,x)", "FC(c1) FO(c1,x)");
}

#[test]
fn b110_of_calls_with_one_id_the_first_survives_with_its_first_output() {
    check("FC(c1) FO(c1,1) FC(c1) FO(c1,2)", "FC(c1) FO(c1,1)");
    check("FC(c1) FC(c1) FO(c1,1)", "FC(c1) FO(c1,1)");
    check("FC(c1) FO(c1,1) FO(c1,2)", "FC(c1) FO(c1,1)");
    check("FC(c1) CT(c1) CO(c1,2) FO(c1,1)", "FC(c1) FO(c1,1)");
}

#[test]
fn b130_after_a_kill_during_a_tool_the_input_stands_last() {
    check("U(1) A(looking) FC(c1) U(2)", "U(1) A(looking) FC(c1) FO(c1,aborted) U(2)");
}

#[test]
fn b131_pairs_stay_pairs_after_a_replacement() {
    let mut history = history(items("U(1) R(E) FC(c1) FO(c1,x) A(ok)"));
    for (replacement, expected) in [
        ("U(1) FC(c1) U(s)", "U(1) FC(c1) FO(c1,aborted) U(s)"),
        ("U(1) FO(c1,x) U(s)", "U(1) U(s)"),
        ("U(1) R(E) U(s)", "U(1) U(s)"),
        ("U(1) R(E) FC(c1) FO(c1,x)", "U(1) R(E) FC(c1) FO(c1,x)"),
    ] {
        history.replace(items(replacement));
        assert_eq!(sent(&history), expected);
    }
}

#[test]
fn b131_reasoning_goes_out_with_what_it_led_to() {
    check("U(1) R(a) A(ok) U(2)", "U(1) R(a) A(ok) U(2)");
    check("U(1) R(a) R(b) FC(c1) FO(c1,x)", "U(1) R(a) R(b) FC(c1) FO(c1,x)");
    check("U(1) R(a) X(new) A(ok)", "U(1) R(a) A(ok)");
    check("U(1) R(a) U(2) A(ok)", "U(1) U(2) A(ok)");
    check("U(1) R(a) A( ) U(2)", "U(1) U(2)");
    check("FC(c1) R(a) FO(c1,x) A(ok)", "FC(c1) FO(c1,x) A(ok)");
    check("U(1) R(a)", "U(1)");
}

#[test]
fn an_output_that_comes_late_takes_the_place_of_aborted_at_its_own_place() {
    let mut history = history(items("U(1) FC(c1) U(2)"));
    assert_eq!(sent(&history), "U(1) FC(c1) FO(c1,aborted) U(2)");
    history.record(items("FO(c1,late) U(3)"));
    assert_eq!(sent(&history), "U(1) FC(c1) U(2) FO(c1,late) U(3)");
}

#[test]
fn an_inspector_is_told_what_became_of_every_item() {
    let recorded = "FO(c1,early) R(a) U(1) S(no) X(new) FC(c1) FC(c1) CO(c2,x) A( ) R(b)";
    let history = history(items(recorded));
    assert_eq!(sent(&history), "U(1) FC(c1) FO(c1,early)");
    let out = Fate::LeftOut;
    assert_eq!(
        history.fates(&Audience::default()),
        vec![
            Fate::Sent(vec![]),
            out(LeftOut::ReasoningAlone),
            Fate::Sent(vec![]),
            out(LeftOut::SystemRole),
            out(LeftOut::UnknownType("of_tomorrow".to_owned())),
            Fate::Sent(vec![]),
            out(LeftOut::RepeatedCall("c1".to_owned())),
            out(LeftOut::OutputWithoutCall("c2".to_owned())),
            out(LeftOut::Empty),
            out(LeftOut::ReasoningAlone),
        ]
    );
}
