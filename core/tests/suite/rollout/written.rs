//! What a session writes, in the order in which the reference reads it.

use pretty_assertions::assert_eq;
use recto_core::testing::Reply;
use serde_json::Value;

use super::super::lives::Life;
use super::super::scene::Setting;

const REPO: &str = "
    //- repo/.git/HEAD = \"ref\"
    //- cwd: repo
";

/// The types of the lines; of events their own.
fn types(text: &str) -> Vec<String> {
    let type_of = |line: &str| {
        let line: Value = serde_json::from_str(line).expect("a line is JSON");
        let of_event = line["payload"]["type"].as_str().filter(|_| line["type"] == "event_msg");
        of_event.or(line["type"].as_str()).expect("a line has a type").to_owned()
    };
    text.lines().map(type_of).collect()
}

/// The reference tells the whole context again where no settings stand behind a compaction.
#[tokio::test]
async fn behind_a_compaction_stand_the_state_and_the_settings() {
    let script = vec![vec![Reply::Message("a")], vec![Reply::Message("SUMMARY")]];
    let mut life = Life::begin(Setting { script, ..Setting::of(REPO) }).await;
    life.say("one").await;
    life.scene.session.compact_now().await;
    let types = types(&life.end().await.text());
    let last: Vec<&str> = types.iter().rev().take(5).rev().map(String::as_str).collect();
    assert_eq!(last, ["task_started", "compacted", "world_state", "turn_context", "task_complete"]);
}
