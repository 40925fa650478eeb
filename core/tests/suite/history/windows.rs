//! Clones, windows, and the way back.

use pretty_assertions::assert_eq;
use recto_core::history::{History, RollbackError};
use recto_protocol::responses::input_json;

use super::notation::{history, items, notation, prompt, sent};

#[test]
fn a_clone_shares_every_text_and_adding_to_it_copies_none() {
    let mut original = History::default();
    for turn in 0..5_000 {
        original.record(items(&format!("U({turn}) FC(c{turn}) FO(c{turn},x) A(ok)")));
    }
    let before = prompt(&original).input;
    let mut clone = original.clone();
    clone.record(items("U(more)"));
    original.record(items("U(other)"));
    for (longer, last) in [(&clone, "U(more)"), (&original, "U(other)")] {
        let input = prompt(longer).input;
        assert!(input.shared_with(&before) >= 20_000 - 64);
        assert_eq!(notation(input.last()), last);
        assert!(
            longer
                .items()
                .zip(&before)
                .all(|(one, two)| one.json().as_ptr() == two.json().as_ptr())
        );
    }
    assert_eq!(before.len(), 20_000);
}

#[test]
fn requests_of_one_history_share_their_input() {
    let history = history(items("U(1) A(ok)"));
    let (one, two) = (prompt(&history).input, prompt(&history.clone()).input);
    assert_eq!(one.shared_with(&two), 2);
}

#[test]
fn a_replacement_begins_a_window() {
    let mut history = history(items("U(1) A(ok)"));
    assert_eq!(history.window(), 0);
    history.replace(items("U(1) U(summary)"));
    history.record(items("U(2)"));
    assert_eq!((history.window(), &*sent(&history)), (1, "U(1) U(summary) U(2)"));
}

#[test]
fn b82_a_rollback_over_a_compaction_goes_back_to_the_state_before_the_turn() {
    let mut history = History::default();
    history.begin_turn();
    history.record(items("U(1) A(1)"));
    history.begin_turn();
    history.record(items("U(2)"));
    history.replace(items("U(1) U(summary) U(2)"));
    history.record(items("A(2)"));
    assert_eq!(history.roll_back(1), Ok(()));
    history.begin_turn();
    history.record(items("U(3)"));
    assert_eq!((history.window(), &*sent(&history)), (2, "U(1) A(1) U(3)"));
    assert_eq!(history.turns(), 2);
}

#[test]
fn a_rollback_takes_the_updates_of_its_turn_too() {
    let mut history = History::default();
    for turn in ["C(env) U(1) A(1)", "C(cwd) D(mode) U(2) FC(c1)", "U(3) FO(c1,x)"] {
        history.begin_turn();
        history.record(items(turn));
    }
    assert_eq!(history.roll_back(1), Ok(()));
    assert_eq!(sent(&history), "U(env) U(1) A(1) U(cwd) D(mode) U(2) FC(c1) FO(c1,aborted)");
    assert_eq!(history.roll_back(1), Ok(()));
    assert_eq!(sent(&history), "U(env) U(1) A(1)");
    assert_eq!(history.roll_back(0), Ok(()));
    assert_eq!(history.window(), 2);
    assert_eq!(history.roll_back(2), Err(RollbackError { asked: 2, held: 1 }));
    assert_eq!(sent(&history), "U(env) U(1) A(1)");
}

#[test]
fn an_id_of_a_turn_that_was_taken_back_is_free_again() {
    let mut history = history(items("U(1)"));
    history.begin_turn();
    history.record(items("U(2) FC(c1) FO(c1,old)"));
    history.roll_back(1).unwrap();
    history.record(items("U(3) FC(c1) FO(c1,new)"));
    assert_eq!(sent(&history), "U(1) U(3) FC(c1) FO(c1,new)");
}

#[test]
fn an_empty_history_is_an_empty_input() {
    assert_eq!(input_json(&prompt(&History::default()).input), "[]");
}
