//! A session is rebuilt from its record alone, at its end and at every turn.

#![expect(clippy::unwrap_used, reason = "what goes wrong in a helper of a test fails the test")]

use std::path::{Path, PathBuf};

use pretty_assertions::assert_eq;
use proptest::prelude::*;
use recto_core::history::Audience;
use recto_core::rollout::{
    Baseline, ReplayError, ReplayedSession, RolloutChain, Until, replay, replay_bytes,
};
use recto_protocol::{ContentItem, Item, ResponseItem};
use serde_json::json;

use super::notation::{
    assistant, compacted, event, item, message, meta, meta_with, rolled_back, rollout, settings,
    started, user, with_ordinal, world_state,
};

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../protocol/tests/fixtures/rollouts/0.171.0")
        .join(format!("{name}.jsonl"))
}

fn recorded(name: &str, until: Until) -> ReplayedSession {
    replay(&RolloutChain::single(fixture(name)), until).unwrap()
}

fn rebuilt(lines: &[String]) -> ReplayedSession {
    replay_bytes(rollout(lines).as_bytes(), Until::End).unwrap()
}

/// An item in a few words: its role and the beginning of each part.
fn short(item: &Item) -> String {
    let head = |text: &str| text.chars().take(24).collect::<String>().replace('\n', " ");
    match item.view() {
        ResponseItem::Message(message) => {
            let parts: Vec<String> = message
                .content
                .iter()
                .map(|part| part.text().map_or_else(|| "picture".to_owned(), head))
                .collect();
            format!("{}: {}", message.role, parts.join(" | "))
        }
        ResponseItem::FunctionCall(call) => format!("call {}", call.call_id),
        ResponseItem::FunctionCallOutput(output) => format!("output {}", output.call_id),
        ResponseItem::Other(other) => format!("other {}", other.r#type),
        other => format!("{other:?}").chars().take_while(|c| *c != '(').collect(),
    }
}

fn texts(session: &ReplayedSession) -> Vec<String> {
    session.items.iter().map(short).collect()
}

fn state(session: &ReplayedSession) -> serde_json::Value {
    match &session.baseline {
        Baseline::Known(state) => serde_json::Value::Object(state.to_json()),
        other => json!(format!("{other:?}")),
    }
}

#[test]
fn a_session_of_the_reference_is_rebuilt() {
    let session = recorded("agents_md_sequence", Until::End);
    let turns: Vec<_> =
        session.turns.iter().map(|turn| (turn.start.line, turn.from_person)).collect();
    assert_eq!(session.faults.first(), []);
    assert_eq!(session.turns.len(), 9);
    assert_eq!(turns[..2], [(2, true), (16, true)]);
    assert_eq!(session.cwd(), Some("/t/repo"));
    assert_eq!(session.previous_turn.as_ref().unwrap().model.as_deref(), Some("gpt-5.5"));
    assert_eq!(session.turn_starts.len(), 9);
    assert!(session.base_instructions.is_some());
    assert_eq!(session.usage().unwrap().total_tokens, 110);
}

#[test]
fn the_state_at_every_turn_is_that_of_the_record() {
    let agents = |turn| {
        let session = recorded("agents_md_sequence", Until::AfterTurn(turn));
        state(&session)["agents_md"].clone()
    };
    let both = |project: &str| {
        json!({
            "directory": "/t/repo",
            "text": format!("host rule\n\n--- project-doc ---\n\n{project}\n")
        })
    };
    assert_eq!(agents(1), both("root rule"));
    assert_eq!(agents(2), both("edited rule"));
    assert_eq!(agents(3), both("edited rule"));
    assert_eq!(agents(4), json!({"text": "host rule"}));
}

#[test]
fn a_request_of_the_past_ends_before_its_answer() {
    let session = recorded("first_turn", Until::Request(1));
    assert_eq!(
        texts(&session),
        [
            "developer: <skills_instructions> (p | <permissions instruction | <tools> Deferred tool na",
            "user: # AGENTS.md instructions | <environment_context>   ",
            "user: hello",
        ]
    );
    assert_eq!(recorded("first_turn", Until::BeforeTurn(1)).items, []);
    let missing = replay(&RolloutChain::single(fixture("first_turn")), Until::AfterTurn(9));
    assert!(matches!(missing, Err(ReplayError::NoSuchTurn { asked: 9, held: 2 })));
}

#[test]
fn b135_after_a_compaction_only_what_replaced_the_past_stands() {
    let session = recorded("compaction", Until::AfterTurn(3));
    assert_eq!(
        texts(&session),
        [
            "user: t1 first user message",
            "developer: <skills_instructions> (p | <permissions instruction | <tools> Deferred tool na",
            "user: # AGENTS.md instructions | <environment_context>   ",
            "user: t2 now large",
            "user: (the sentence that intro",
            "user: t3 compacts first",
            "assistant: a3",
        ]
    );
    assert_eq!(session.window.number, 1);
    assert!(session.window.id.is_some() && session.window.id != session.window.first_id);
    let before = recorded("compaction", Until::AfterTurn(2));
    assert_eq!((before.window.number, before.items.len()), (0, 10));

    let mut lines = vec![meta("a"), world_state(true, &json!({"a": 1}))];
    for turn in 1..=40 {
        lines.push(user(&format!("u{turn}")));
        lines.push(assistant(&format!("a{turn}")));
        if turn == 30 {
            lines.push(compacted(&[message("user", "kept"), message("user", "summary")]));
            lines.push(world_state(true, &json!({"a": 2})));
        }
    }
    let session = rebuilt(&lines);
    assert_eq!(session.items.len(), 22);
    assert_eq!(texts(&session)[..3], ["user: kept", "user: summary", "user: u31"]);
    assert_eq!(state(&session), json!({"a": 2}));
    assert_eq!((session.turns.len(), session.turn_starts.len()), (40, 10));
}

#[test]
fn a_fork_goes_on_from_the_files_that_hold_its_past() {
    let files_of = |id: &str| match id {
        "01a22eea-daae-79e1-aec4-2560c222c586" => vec![fixture("fork_parent")],
        "01a22eea-dcbe-7852-85cd-7a29644c822f" => vec![fixture("fork_child")],
        _ => Vec::new(),
    };
    let chain = RolloutChain::of(fixture("fork_grandchild"), files_of).unwrap();
    let session = replay(&chain, Until::End).unwrap();
    assert_eq!(
        texts(&session)[2..],
        [
            "user: t1 $greet",
            "user: <skill> <name>greet</nam",
            "assistant: ok",
            "user: t2",
            "assistant: ok",
            "user: # AGENTS.md instructions",
            "user: f1 in fork",
            "assistant: ok",
            "user: g1 fork of fork",
            "assistant: ok",
        ]
    );
    assert_eq!(session.meta.id.as_deref(), Some("01a22eea-df4c-73f0-9287-5f866c48a138"));
    assert_eq!((session.faults.first(), session.next_ordinal), (&[][..], Some(51)));
    assert_eq!(session.files.len(), 3);

    let lost = RolloutChain::of(fixture("fork_child"), |_| Vec::new());
    assert!(matches!(lost, Err(ReplayError::MissingBase { .. })));
}

#[test]
fn a_session_that_was_taken_back_goes_on_from_its_own_older_file() {
    let own = fixture("revert_second");
    let chain = RolloutChain::of(&own, |_| {
        vec![own.clone(), fixture("fork_parent"), fixture("revert_first")]
    })
    .unwrap();
    let session = replay(&chain, Until::End).unwrap();
    let said: Vec<String> = texts(&session)
        .into_iter()
        .filter(|text| text.starts_with("user: t") || text.starts_with("assistant"))
        .collect();
    assert_eq!(
        said,
        [
            "user: t1",
            "assistant: ok",
            "user: t2",
            "assistant: ok",
            "user: t4 after revert",
            "assistant: ok",
            "user: t5 resumed after revert",
            "assistant: ok"
        ]
    );
    assert_eq!(session.faults.first(), []);
}

#[test]
fn b80_the_first_meta_is_the_identity() {
    let child = meta_with("CHILD", &json!({"forked_from_id": "PARENT", "cwd": "/c"}));
    let parent = meta_with("PARENT", &json!({"cwd": "/p"}));
    let near = rebuilt(&[child.clone(), parent.clone(), user("u"), assistant("a")]);
    let mut lines = vec![child];
    lines.extend((0..50).map(|number| assistant(&number.to_string())));
    lines.extend([parent, user("u")]);
    for session in [near, rebuilt(&lines)] {
        assert_eq!(session.meta.id.as_deref(), Some("CHILD"));
        assert_eq!(session.meta.forked_from_id.as_deref(), Some("PARENT"));
        assert_eq!(session.cwd(), Some("/c"));
    }
}

#[test]
fn b82_a_rollback_over_a_compaction_gives_the_state_before_the_turn() {
    let lines = [
        meta("a"),
        user("U1"),
        assistant("A1"),
        user("U2"),
        compacted(&[message("user", "U1"), message("user", "summary"), message("user", "U2")]),
        assistant("A2"),
        rolled_back(1),
        user("U3"),
    ];
    assert_eq!(texts(&rebuilt(&lines[..7])), ["user: U1", "assistant: A1"]);
    let session = rebuilt(&lines);
    assert_eq!(texts(&session), ["user: U1", "assistant: A1", "user: U3"]);
    assert_eq!(session.window.number, 0);
    let turns: Vec<_> = session.turns.iter().map(|it| (it.number, it.taken_back)).collect();
    assert_eq!(turns, [(1, false), (2, true), (3, false)]);
    assert_eq!(session.turn_starts.iter().map(|it| it.items).collect::<Vec<_>>(), [0, 2]);
}

#[test]
fn b100_the_baseline_is_that_of_the_last_record_that_survives() {
    let mut lines = vec![
        meta("a"),
        world_state(true, &json!({"cwd": "/a", "other": 1})),
        settings("/a", "x"),
        user("U1"),
        assistant("A1"),
        world_state(false, &json!({"cwd": "/b"})),
        settings("/b", "x"),
        user("U2"),
        assistant("A2"),
        compacted(&[message("user", "U1"), message("user", "summary")]),
        world_state(true, &json!({"cwd": "/b", "other": 1})),
        world_state(false, &json!({"cwd": "/c"})),
        settings("/c", "x"),
        user("U3"),
        assistant("A3"),
    ];
    assert_eq!(state(&rebuilt(&lines)), json!({"cwd": "/c", "other": 1}));
    lines.push(rolled_back(1));
    let session = rebuilt(&lines);
    assert_eq!(state(&session), json!({"cwd": "/b", "other": 1}));
    assert_eq!((session.cwd(), session.items.len()), (Some("/b"), 2));
    lines.push(rolled_back(1));
    let session = rebuilt(&lines);
    assert_eq!(state(&session), json!({"cwd": "/a", "other": 1}));
    assert_eq!((session.cwd(), session.items.len()), (Some("/a"), 2));
    lines.pop();
    lines.pop();
    lines.push(rolled_back(9));
    let session = rebuilt(&lines);
    assert_eq!((session.baseline, session.items.len()), (Baseline::Absent, 0));
}

#[test]
fn b140_the_settings_before_a_rollback_are_those_that_survive() {
    let session = rebuilt(&[
        meta("a"),
        started("1"),
        settings("/a", "X"),
        user("U1"),
        assistant("A1"),
        started("2"),
        item(&message("developer", "<model_switch>\nY\n</model_switch>")),
        settings("/a", "Y"),
        user("U2"),
        assistant("A2"),
        rolled_back(1),
    ]);
    assert_eq!(session.previous_turn.unwrap().model.as_deref(), Some("X"));
    assert_eq!(session.items.len(), 2);
}

#[test]
fn b46_half_a_marker_is_what_a_person_said_when_turns_are_taken_back() {
    let session = rebuilt(&[
        meta("a"),
        user("<environment_context> what does this tag do?"),
        assistant("A1"),
        user("see </environment_context> above"),
        assistant("A2"),
        rolled_back(1),
    ]);
    assert_eq!(texts(&session), ["user: <environment_context> wh", "assistant: A1"]);
}

#[test]
fn b43_an_old_block_of_instructions_is_no_turn_of_the_user() {
    let session = rebuilt(&[
        meta("a"),
        user("<user_instructions>\nrule\n</user_instructions>"),
        user("<environment_context>\n...\n</environment_context>"),
        user("hello"),
        assistant("hi"),
    ]);
    assert_eq!(session.turns.iter().filter(|turn| turn.from_person).count(), 1);
    assert_eq!((session.items.len(), session.baseline), (4, Baseline::Absent));
}

#[test]
fn b73_every_record_counts_for_the_next_ordinal() {
    for number in ["26.0", "26", "2.6e1", "1e400", "-0"] {
        let last = format!(
            r#"{{"timestamp":"t","ordinal":2,"type":"event_msg","payload":{{"type":"token_count","rate_limits":{{"primary":{{"used_percent":{number},"window_minutes":300}}}}}}}}"#
        );
        let lines = [
            with_ordinal(&meta_with("a", &json!({"history_mode": "paginated"})), "0"),
            with_ordinal(&assistant("A"), "1"),
            last,
        ];
        let session = rebuilt(&lines);
        assert_eq!((session.next_ordinal, session.faults.total()), (Some(3), 0), "{number}");
    }
}

#[test]
fn b75_the_order_of_the_lines_counts_whatever_their_ordinals_say() {
    let lines = |ordinals: &[&str]| -> Vec<String> {
        let texts = [meta("a"), user("U"), assistant("A"), assistant("B"), user("C")];
        texts.iter().zip(ordinals).map(|(line, number)| with_ordinal(line, number)).collect()
    };
    let repeated = rebuilt(&lines(&["0", "1", "2", "2", "3"]));
    assert_eq!(texts(&repeated), ["user: U", "assistant: A", "assistant: B", "user: C"]);
    assert_eq!((repeated.next_ordinal, repeated.faults.total()), (Some(4), 1));
    assert!(!repeated.faults.first()[0].costs_the_line());
    let jumping = rebuilt(&lines(&["0", "1", "5", "3"]));
    assert_eq!((jumping.next_ordinal, jumping.items.len()), (Some(6), 3));
}

#[test]
fn b84_a_file_of_the_first_versions_is_read() {
    let session = rebuilt(&[
        r#"{"id":"old","timestamp":"2025-05-01T00:00:00.000Z","instructions":null}"#.to_owned(),
        message("user", "hello").to_string(),
        r#"{"record_type":"state"}"#.to_owned(),
        message("assistant", "hi").to_string(),
    ]);
    assert_eq!(session.meta.id.as_deref(), Some("old"));
    assert_eq!(texts(&session), ["user: hello", "assistant: hi"]);
    assert_eq!((session.next_ordinal, session.faults.total()), (None, 0));
}

#[test]
fn b98_patches_keep_nulls_in_arrays_and_empty_values() {
    for (before, patch, after) in [
        (json!({"a": [1]}), json!({"a": [null, 1]}), json!({"a": [null, 1]})),
        (json!({"a": [1, 2]}), json!({"a": []}), json!({"a": []})),
        (json!({"a": {"b": 1}}), json!({"a": {"b": null}}), json!({"a": {}})),
    ] {
        let session = rebuilt(&[meta("a"), world_state(true, &before), world_state(false, &patch)]);
        assert_eq!(state(&session), after);
    }
}

#[test]
fn b101_half_a_surrogate_pair_goes_out_as_a_replacement_character() {
    let bytes = rollout(&[meta("a"), user("X"), assistant("A")]).replace('X', r"cut \ud83d");
    let session = replay_bytes(bytes.as_bytes(), Until::End).unwrap();
    let history = session.history(&Audience::default());
    let first = history.items().next().unwrap();
    assert!(first.json().contains(r"\ud83d"));
    assert!(first.wire_json().contains(r"\ufffd") && !first.wire_json().contains(r"\ud83d"));
    let ResponseItem::Message(message) = first.view() else { panic!("it is a message") };
    assert_eq!(message.content, [ContentItem::InputText { text: "cut \u{fffd}".to_owned() }]);
}

#[test]
fn what_the_model_was_told_is_unknown_where_the_record_does_not_say() {
    assert_eq!(rebuilt(&[meta("a"), user("u")]).baseline, Baseline::Absent);
    assert_eq!(recorded("hand_minimal", Until::BeforeTurn(2)).baseline, Baseline::Absent);
    for lines in [
        [meta("a"), settings("/a", "x"), user("u")],
        [meta("a"), world_state(true, &json!(7)), user("u")],
        [meta("a"), world_state(false, &json!({"a": 1})), user("u")],
        [meta("a"), compacted(&[]), user("u")],
        [
            world_state(true, &json!({"a": 1})),
            r#"{"type":"world_state","payload":{"full":fal"#.to_owned(),
            user("u"),
        ],
    ] {
        assert_eq!(rebuilt(&lines).baseline, Baseline::Unknown, "{lines:?}");
    }
}

#[test]
fn unknown_sections_are_carried_along() {
    let session = rebuilt(&[
        meta("a"),
        world_state(true, &json!({"alien": {"x": [null]}, "agents_md": {}})),
        world_state(false, &json!({"agents_md": {"text": "t"}})),
    ]);
    assert_eq!(state(&session), json!({"alien": {"x": [null]}, "agents_md": {"text": "t"}}));
}

#[test]
fn an_old_compaction_without_items_keeps_what_the_person_said() {
    let old = r#"{"timestamp":"t","type":"compacted","payload":{"message":"what was done"}}"#;
    let session = rebuilt(&[meta("a"), user("u1"), assistant("a1"), old.to_owned(), user("u2")]);
    assert_eq!(texts(&session), ["user: u1", "user: Another language model s", "user: u2"]);
    assert_eq!(session.baseline, Baseline::Absent);
}

#[test]
fn a_bad_line_costs_itself_and_is_named() {
    let session = recorded("bad_middle", Until::End);
    let faults: Vec<String> = session.faults.first().iter().map(ToString::to_string).collect();
    assert_eq!(faults.len(), 1, "{faults:?}");
    assert!(faults[0].starts_with("line 9 (byte "), "{faults:?}");
    let empty = replay_bytes(b"\n\n", Until::End);
    assert!(matches!(empty, Err(ReplayError::Empty { .. })));
}

#[test]
fn an_item_of_an_unknown_type_stays() {
    let session = recorded("odd_items", Until::End);
    assert!(texts(&session).contains(&"other unknown_thing".to_owned()));
    let event = event(&json!({"type": "brand_new", "x": 1}));
    assert_eq!(rebuilt(&[meta("a"), event, user("u")]).faults.total(), 0);
}

fn any_line() -> impl Strategy<Value = Vec<u8>> {
    let record = prop_oneof![
        Just(meta("a")),
        Just(user("u")),
        Just(user("<skill>x</skill>")),
        Just(assistant("a")),
        Just(started("t")),
        Just(event(&json!({"type": "task_complete"}))),
        Just(settings("/a", "x")),
        Just(world_state(true, &json!({"a": {"b": 1}}))),
        Just(world_state(false, &json!({"a": {"b": null}}))),
        Just(compacted(&[message("user", "s")])),
        Just(r#"{"type":"compacted","payload":{"message":"m"}}"#.to_owned()),
        (0..4_u64).prop_map(rolled_back),
        Just(with_ordinal(&user("u"), "1e400")),
    ];
    prop_oneof![
        9 => record.prop_map(String::into_bytes),
        1 => proptest::collection::vec(any::<u8>(), 0..40),
    ]
}

proptest! {
    #[test]
    fn no_record_makes_a_replay_panic_and_every_turn_of_it_can_be_shown(
        lines in proptest::collection::vec(any_line(), 0..30),
    ) {
        let bytes = lines.join(&b'\n');
        let Ok(session) = replay_bytes(&bytes, Until::End) else { return Ok(()) };
        let history = session.history(&Audience::default());
        prop_assert_eq!(history.items().len(), session.items.len());
        for turn in 1..=session.turns.len() {
            for until in [Until::BeforeTurn(turn), Until::Request(turn), Until::AfterTurn(turn)] {
                let past = replay_bytes(&bytes, until).unwrap();
                prop_assert!(past.turns.len() >= turn);
            }
        }
    }
}
