//! What holds for every conversation, in whatever order its items come.

use std::collections::BTreeSet;

use proptest::prelude::*;
use recto_core::history::{Audience, History};
use recto_protocol::responses::input_json;

use super::notation::{history, items, prompt, prompt_for, sent};

fn step() -> impl Strategy<Value = String> {
    let id = prop_oneof![Just("c0"), Just("c1"), Just("c2"), Just("c3"), Just("c4")];
    let name = prop_oneof![
        4 => Just("FC"), 4 => Just("FO"), 1 => Just("CT"), 1 => Just("CO"),
        1 => Just("LS"), 1 => Just("TS"), 1 => Just("TO"),
    ];
    let alone = prop_oneof![
        Just("U(hi)"),
        Just("A(ok)"),
        Just("A( )"),
        Just("D(dev)"),
        Just("S(no)"),
        Just("R(E)"),
        Just("R()"),
        Just("X(new)"),
    ];
    prop_oneof![
        3 => (name, id).prop_map(|(name, id)| match name {
            "FO" | "CO" => format!("{name}({id},x)"),
            _ => format!("{name}({id})"),
        }),
        2 => alone.prop_map(str::to_owned),
    ]
}

fn conversation() -> impl Strategy<Value = Vec<String>> {
    prop::collection::vec(step(), 0..40)
}

fn name_and_id(step: &str) -> (&str, &str) {
    let (name, arguments) = step.split_once('(').expect("notation");
    let arguments = arguments.trim_end_matches(')');
    (name, arguments.split_once(',').map_or(arguments, |(id, _)| id))
}

/// The name of the output that answers a call of that name.
fn output_of(call: &str) -> Option<&'static str> {
    match call {
        "FC" | "LS" => Some("FO"),
        "CT" => Some("CO"),
        "TS" => Some("TO"),
        _ => None,
    }
}

fn is_output(name: &str) -> bool {
    matches!(name, "FO" | "CO" | "TO")
}

/// The rules once more, read from the whole conversation and without care for cost.
fn expected(steps: &[String]) -> String {
    let parsed: Vec<(&str, &str)> = steps.iter().map(|step| name_and_id(step)).collect();
    let call_of = |id: &str| parsed.iter().position(|it| output_of(it.0).is_some() && it.1 == id);
    let output_for = |call: usize| {
        let (name, id) = parsed[call];
        let fits = |at: &usize| parsed[*at].1 == id && Some(parsed[*at].0) == output_of(name);
        let early = (0..call).find(|at| is_output(parsed[*at].0) && parsed[*at].1 == id);
        early.filter(fits).or_else(|| (call..parsed.len()).find(fits))
    };
    let answered_by =
        |at: usize| call_of(parsed[at].1).filter(|call| output_for(*call) == Some(at));
    let mut sent: Vec<String> = Vec::new();
    let mut thoughts: Vec<String> = Vec::new();
    for (at, (name, id)) in parsed.iter().enumerate() {
        let step = steps[at].clone();
        match *name {
            "R" => thoughts.push(step),
            "U" | "D" => {
                thoughts.clear();
                sent.push(step);
            }
            "A" if id.trim().is_empty() => {}
            "A" => {
                sent.append(&mut thoughts);
                sent.push(step);
            }
            _ if is_output(name) && answered_by(at).is_some_and(|call| call < at) => {
                thoughts.clear();
                sent.push(step);
            }
            _ if output_of(name).is_some() && call_of(id) == Some(at) => {
                sent.append(&mut thoughts);
                sent.push(step);
                match output_for(at) {
                    Some(output) if output < at => sent.push(steps[output].clone()),
                    Some(_) => {}
                    None if *name == "TS" => sent.push(format!("TO({id})")),
                    None if *name == "CT" => sent.push(format!("CO({id},aborted)")),
                    None => sent.push(format!("FO({id},aborted)")),
                }
            }
            _ => {}
        }
    }
    sent.join(" ")
}

proptest! {
    #[test]
    fn what_is_worked_out_step_by_step_is_what_the_rules_say_of_the_whole(steps in conversation()) {
        let mut one_by_one = History::default();
        for (index, step) in steps.iter().enumerate() {
            one_by_one.record(items(step));
            prop_assert_eq!(sent(&one_by_one), expected(&steps[..=index]));
        }
        let at_once = history(items(&steps.join(" ")));
        let anew = prompt_for(&at_once, &Audience { provider: Some("p".into()), ..Audience::default() });
        prop_assert_eq!(&prompt(&one_by_one).input, &prompt(&at_once).input);
        prop_assert_eq!(&prompt(&one_by_one).input, &anew.input);
        prop_assert_eq!(one_by_one.estimated_tokens(), at_once.estimated_tokens());
    }

    #[test]
    fn every_call_has_exactly_one_output_and_every_output_a_call_before_it(steps in conversation()) {
        let sent = sent(&history(items(&steps.join(" "))));
        let mut open = Vec::new();
        let mut seen = BTreeSet::new();
        for step in sent.split_inclusive(')').map(str::trim).filter(|it| !it.is_empty()) {
            let (name, id) = name_and_id(step);
            if let Some(output) = output_of(name) {
                prop_assert!(seen.insert(id), "{} twice in {}", id, sent);
                open.push((output, id));
            } else if is_output(name) {
                let call = open.iter().position(|call| *call == (name, id));
                prop_assert!(call.is_some(), "{} answers nothing in {}", step, sent);
                open.swap_remove(call.unwrap());
            }
        }
        prop_assert!(open.is_empty(), "{:?} without output in {}", open, sent);
    }

    #[test]
    fn the_stored_history_is_as_it_was_recorded(steps in conversation()) {
        let recorded = steps.join(" ");
        let history = history(items(&recorded));
        prompt(&history);
        let stored: Vec<String> = history.items().map(|it| it.json().to_owned()).collect();
        let as_given: Vec<String> = items(&recorded).iter().map(|it| it.json().to_owned()).collect();
        prop_assert_eq!(stored, as_given);
    }

    #[test]
    fn a_request_begins_with_the_bytes_of_the_one_before(steps in conversation()) {
        let mut history = History::default();
        for step in &steps {
            let before = prompt(&history).input;
            history.record(items(step));
            let after = prompt(&history).input;
            if is_output(name_and_id(step).0) && before != after {
                // The one exception: it takes the place of `aborted`, which was sent already.
                prop_assert_eq!(after.len(), before.len());
                let stayed = after.iter().take(after.len() - 1);
                let rest: Vec<_> = stayed.clone().collect();
                let gone = before.iter().filter(|it| !rest.iter().any(|stays| stays.is_same(it)));
                prop_assert_eq!(gone.count(), 1);
            } else {
                let before = input_json(&before);
                prop_assert!(input_json(&after).starts_with(before.trim_end_matches(']')));
            }
        }
    }

    #[test]
    fn a_session_whose_tools_end_before_the_next_request_never_rewrites_one(
        turns in prop::collection::vec((0..4_usize, any::<bool>(), any::<bool>()), 0..12)
    ) {
        let mut history = History::default();
        let mut before = String::from("[");
        for (turn, (calls, thinks, interrupted)) in turns.into_iter().enumerate() {
            let ids: Vec<String> = (0..calls).map(|call| format!("t{turn}c{call}")).collect();
            let outputs = if interrupted { calls / 2 } else { calls };
            let thoughts = if thinks { "R(E) " } else { "" };
            let answer = ids.iter().map(|id| format!("FC({id})"));
            let outputs = ids[..outputs].iter().rev().map(|id| format!("FO({id},x)"));
            for batch in [
                "C(env) U(hi)".to_owned(),
                format!("{thoughts}A(ok)"),
                answer.chain(outputs).collect::<Vec<_>>().join(" "),
            ] {
                history.record(items(&batch));
                let request = input_json(&prompt(&history).input);
                prop_assert!(request.starts_with(&before));
                before = request.trim_end_matches(']').to_owned();
            }
        }
    }
}
