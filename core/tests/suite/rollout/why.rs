//! Why a model goes by an old text, asked of sessions that this engine recorded.

#![expect(clippy::large_futures, reason = "a test has one session at a time")]

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use pretty_assertions::assert_eq;
use recto_core::rollout::{
    Baseline, Cause, RolloutChain, TurnFacts, Until, belief, replay, turn_facts,
};
use recto_core::session::TurnEnd;

use super::super::lives::{Ended, Life};
use super::super::scene::Setting;

const REPO: &str = "
    //- repo/.git/HEAD = \"ref\"
    //- repo/AGENTS.md
    OLD
    //- cwd: repo
";

/// What the record says about its turns.
fn facts(ended: &Ended) -> Vec<TurnFacts> {
    let chain = RolloutChain::single(&ended.path);
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
    let applied: Vec<bool> = facts(&ended).iter().map(|turn| turn.settings_applied).collect();
    assert_eq!(applied, [true, false, true, false]);
    let settings = ended.text().matches(r#""type":"thread_settings_applied""#).count();
    assert_eq!(settings, 2);
}

#[tokio::test]
async fn a_resumed_turn_in_the_same_directory_did_not_use_what_was_loaded_before() {
    let ended = two_runs().await;
    let mut turns = facts(&ended);
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
