//! What holds for every record, however damaged.

#![expect(clippy::disallowed_methods, reason = "a record is laid out on disk")]

use std::io;

use recto_core::history::Audience;
use recto_core::rollout::{
    RolloutChain, RolloutReader, Until, repair_lines, replay, replay_bytes, sent_requests,
};
use recto_core::testing::rounds;
use recto_core::world_state::WorldStateSnapshot;
use recto_protocol::{BaseInstructions, BaseInstructionsSource};
use serde_json::{Value, json};

use crate::damage::{damaged, recorded};
use crate::dice::Dice;
use crate::memory::{alone, peak_of};

/// What any work may hold beside what the record makes it hold.
const BESIDE: usize = 1 << 20;

/// Tries a law on damaged records; it gives the bytes that it may hold beside [`BESIDE`].
fn on_damaged_records(seed: u64, law: impl Fn(&[u8], &mut Dice) -> usize) {
    let _alone = alone();
    let sessions = recorded();
    for round in 0..rounds(60, 600) {
        let mut dice = Dice::new(seed + u64::from(round));
        // Some are long enough that what any work holds beside does not count.
        let times = if round % 20 == 0 { 40 } else { 1 };
        let bytes = damaged(&sessions, &mut dice).repeat(times);
        let mut allowed = 0;
        let peak = peak_of(|| allowed = law(&bytes, &mut dice));
        assert!(
            peak <= BESIDE + allowed,
            "round {round}: {peak} bytes, {allowed} allowed, for a record of {}",
            bytes.len()
        );
    }
}

/// All that a replay leads to; bytes that it may hold.
fn replayed(bytes: &[u8], turn: usize) -> usize {
    let allowed = 4 * bytes.len();
    let Ok(session) = replay_bytes(bytes, Until::End) else { return allowed };
    let audience = Audience::default();
    let base = BaseInstructions { text: String::new(), source: BaseInstructionsSource::Model };
    let history = session.history(&audience);
    let prompt = history.for_prompt(base, Vec::new(), &audience);
    assert!(prompt.input.iter().all(|item| !item.wire_json().is_empty()));
    let turn = 1 + turn % session.turns.len().max(1);
    drop((session, history, prompt));
    for until in [Until::BeforeTurn(turn), Until::Request(turn), Until::AfterTurn(turn)] {
        let _ = replay_bytes(bytes, until);
    }
    allowed
}

#[test]
fn soak_a_reader_holds_no_more_than_the_longest_line_that_it_keeps() {
    on_damaged_records(1_000_000, |bytes, dice| {
        let limit = 1 << dice.below(20);
        let mut reader = RolloutReader::with_line_limit(bytes, limit);
        while reader.next_record().expect("bytes in memory can be read").is_some() {}
        4 * limit.min(bytes.len())
    });
}

#[test]
fn soak_a_replay_and_the_request_that_it_leads_to_are_bounded_by_the_record() {
    on_damaged_records(2_000_000, |bytes, dice| replayed(bytes, dice.below(100)));
}

#[test]
fn soak_whoever_looks_at_a_record_holds_no_more_than_whoever_goes_on_with_it() {
    let directory = tempfile::tempdir().expect("there is room for a record");
    let path = directory.path().join("session.jsonl");
    on_damaged_records(5_000_000, |bytes, _| {
        std::fs::write(&path, bytes).expect("there is room for a record");
        let chain = RolloutChain::single(&path);
        let Ok(session) = replay(&chain, Until::End) else { return 4 * bytes.len() };
        let requests = sent_requests(&chain, &session, |_, _| Audience::default());
        for request in requests.expect("it was read before") {
            let kept = request.kept.map_or(0, |kept| kept.bytes);
            assert!(kept <= request.bytes, "{kept} of {}", request.bytes);
        }
        8 * bytes.len()
    });
}

#[test]
fn soak_a_repair_holds_no_more_than_the_longest_line() {
    on_damaged_records(3_000_000, |bytes, _| {
        repair_lines(bytes, io::sink()).expect("bytes in memory can be read");
        let longest = bytes.split(|byte| *byte == b'\n').map(<[u8]>::len).max();
        4 * longest.unwrap_or(0)
    });
}

#[test]
fn soak_any_value_that_a_record_holds_may_be_a_patch() {
    on_damaged_records(4_000_000, |bytes, _| {
        let mut state = WorldStateSnapshot::default();
        for line in bytes.split(|byte| *byte == b'\n') {
            let Ok(line) = serde_json::from_slice::<Value>(line) else { continue };
            let next = state.patched(&line["payload"]["state"]).patched(&line["payload"]);
            let patch = next.merge_patch_from(&state).unwrap_or_else(|| json!({}));
            let again = state.patched(&patch);
            assert!(again.merge_patch_from(&next).is_none(), "{patch}");
            state = next;
        }
        20 * bytes.len()
    });
}

/// A record of so many turns, each of which tells a small change of a large state.
fn small_changes(turns: usize) -> Vec<u8> {
    let line = |kind: &str, payload: &Value| {
        json!({"timestamp": "t", "type": kind, "payload": payload}).to_string() + "\n"
    };
    let text = "x".repeat(50_000);
    let state = json!({"full": true, "state": {"agents_md": {"text": text}, "other": {"n": 0}}});
    let mut lines = line("world_state", &state);
    for turn in 0..turns {
        let state = json!({"full": false, "state": {"other": {"n": turn}}});
        lines += &line("event_msg", &json!({"type": "task_started", "turn_id": "t"}));
        lines += &line("world_state", &state);
        let message = json!({"type": "message", "role": "user", "content": [{"type": "input_text", "text": "go"}]});
        lines += &line("response_item", &message);
    }
    lines.into_bytes()
}

#[test]
fn a_state_that_many_turns_remember_is_held_once() {
    let _alone = alone();
    let bytes = small_changes(2_000);
    let peak = peak_of(|| assert!(replayed(&bytes, 1_000) > 0));
    assert!(peak <= 8 * bytes.len(), "{peak} bytes for a record of {}", bytes.len());
}
