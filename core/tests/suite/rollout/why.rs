//! Why a model goes by an old text, asked of sessions that this engine recorded.

#![expect(clippy::disallowed_methods, reason = "a record is laid out on disk")]
#![expect(clippy::large_futures, reason = "a test has one session at a time")]

use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use pretty_assertions::assert_eq;
use recto_core::rollout::{
    Baseline, Cause, RolloutChain, TurnFacts, Until, belief, replay, turn_facts,
};
use recto_core::session::TurnEnd;
use serde_json::json;

use super::super::lives::{Ended, Life};
use super::super::scene::Setting;
use super::notation::{assistant, event, meta, rollout, settings, started, user};

const REPO: &str = "
    //- repo/.git/HEAD = \"ref\"
    //- repo/AGENTS.md
    OLD
    //- cwd: repo
";

/// What the record says about its turns.
fn facts(path: &Path) -> Vec<TurnFacts> {
    let chain = RolloutChain::single(path);
    let turns = replay(&chain, Until::End).expect("the file is a session").turns;
    turn_facts(&chain, &turns, None).expect("the file is a session")
}

/// Two runs of a program with two turns each.
async fn two_runs() -> Ended {
    let mut life = Life::begin(Setting::of(REPO)).await;
    for text in ["one", "two"] {
        assert!(matches!(life.say(text).await, TurnEnd::Completed { .. }));
    }
    let mut life = life.resume(Setting::of(REPO)).await;
    for text in ["three", "four"] {
        assert!(matches!(life.say(text).await, TurnEnd::Completed { .. }));
    }
    life.end().await
}

#[tokio::test]
async fn the_record_says_with_which_turn_a_program_took_the_session_up() {
    let ended = two_runs().await;
    let applied: Vec<bool> = facts(&ended.path).iter().map(|turn| turn.settings_applied).collect();
    assert_eq!(applied, [true, false, true, false]);
    let settings = ended.text().matches(r#""type":"thread_settings_applied""#).count();
    assert_eq!(settings, 2);
}

#[test]
fn settings_behind_a_turn_that_was_killed_are_those_of_the_next() {
    let directory = tempfile::tempdir().expect("there is room for a record");
    let path = directory.path().join("session.jsonl");
    let applied = || event(&json!({"type": "thread_settings_applied"}));
    let lines = [
        meta("A"),
        started("1"),
        settings("/t", "m"),
        applied(),
        user("set while it runs, and then killed"),
        applied(),
        started("2"),
        settings("/t", "m"),
        user("two"),
        applied(),
        assistant("set in the middle"),
        started("3"),
        settings("/t", "m"),
        user("three"),
    ];
    std::fs::write(&path, rollout(&lines)).expect("there is room for a record");
    let applied: Vec<bool> = facts(&path).iter().map(|turn| turn.settings_applied).collect();
    assert_eq!(applied, [false, true, false]);
}

#[tokio::test]
async fn a_resumed_turn_in_the_same_directory_did_not_use_what_was_loaded_before() {
    let ended = two_runs().await;
    let mut turns = facts(&ended.path);
    // The records of a test all bear one time.
    for (turn, at) in turns.iter_mut().zip([100, 200, 300, 400]) {
        (turn.began, turn.ended) = (Some(at), Some(at + 10));
    }
    let mut life = Life::begin(Setting::of(REPO)).await;
    life.scene.write("repo/AGENTS.md", "NEWER\n");
    let step = life.scene.session.capture().await.expect("nothing is forbidden");
    let at = |milliseconds| -> SystemTime { UNIX_EPOCH + Duration::from_millis(milliseconds) };
    let causes: Vec<Cause> = [250, 350, 450]
        .map(|changed| {
            let told = &Baseline::Absent;
            belief(told, &step.agents_md, &turns, None, Some(at(changed))).cause
        })
        .into();
    assert_eq!(
        causes,
        [Cause::OtherSettings { turn: 3 }, Cause::SameSelection { turn: 4 }, Cause::GoesByRecord]
    );
}
