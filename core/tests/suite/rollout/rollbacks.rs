//! Turns are taken back over a compaction also where the session was taken up behind it.

#![expect(clippy::large_futures, reason = "a test has one session at a time")]

use pretty_assertions::assert_eq;
use recto_core::history::RollbackError;
use recto_core::rollout::{RolloutChain, Until, replay};
use recto_core::testing::Reply;

use super::super::lives::Life;
use super::super::scene::Setting;

const REPO: &str = "
    //- repo/.git/HEAD = \"ref\"
    //- repo/AGENTS.md
    OLD
    //- other/AGENTS.md
    OTHER
    //- cwd: repo
";

/// Three turns, of which the third begins with a compaction, and one more.
async fn four_turns() -> Life {
    let mut setting = Setting::of(REPO);
    setting.script = vec![
        vec![Reply::Message("a"), Reply::Usage(70)],
        vec![Reply::Message("b"), Reply::Usage(5_000)],
        vec![Reply::Message("SUMMARY")],
        vec![Reply::Message("c"), Reply::Usage(80)],
        vec![Reply::Message("d"), Reply::Usage(80)],
    ];
    setting.settings.auto_compact_token_limit = Some(4_000);
    let mut life = Life::begin(setting).await;
    life.say("one").await;
    let there = life.scene.to("other");
    life.scene.give("two", there).await;
    life.say("three").await;
    life.say("four").await;
    assert_eq!(life.scene.model.requests().len(), 5);
    life
}

fn resumed() -> Setting<'static> {
    let mut setting = Setting::of(REPO);
    setting.settings.auto_compact_token_limit = Some(4_000);
    setting
}

#[tokio::test]
async fn b82_a_resumed_session_goes_back_over_a_compaction_as_the_live_one_does() {
    for turns in 1..=4 {
        let mut unbroken = four_turns().await;
        unbroken.scene.session.roll_back(turns).await.expect("it holds all its turns");
        unbroken.say("again").await;
        let expected = unbroken.scene.last_request();

        let mut life = four_turns().await.resume(resumed()).await;
        if let Err(error) = life.scene.session.roll_back(turns).await {
            assert_eq!(error, RollbackError { asked: turns, held: 1 });
            let chain = RolloutChain::single(life.recorder.path());
            let whole = replay(&chain, Until::End).expect("it is a session");
            let turn = whole.turn_taken_back(turns).expect("it has so many turns");
            let past = replay(&chain, Until::BeforeTurn(turn)).expect("it is a session");
            life.scene.session.roll_back_to(&past, turns).await;
        }
        life.say("again").await;
        assert_eq!(life.scene.last_request(), expected, "{turns}");

        // Its file says the same.
        let mut life = life.resume(resumed()).await;
        life.say("and on").await;
        unbroken.say("and on").await;
        assert_eq!(life.scene.last_request(), unbroken.scene.last_request(), "{turns}");
    }
}

#[tokio::test]
async fn a_session_without_so_many_turns_has_no_turn_to_go_back_to() {
    let ended = four_turns().await.end().await;
    let session = replay(&RolloutChain::single(&ended.path), Until::End).expect("it is a session");
    let turns: Vec<Option<usize>> = (0..6).map(|turns| session.turn_taken_back(turns)).collect();
    assert_eq!(turns, [None, Some(4), Some(3), Some(2), Some(1), None]);
}
