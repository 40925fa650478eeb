//! The requests of a record, each beside the one before it.

#![expect(clippy::disallowed_methods, reason = "a record is laid out on disk")]
#![expect(clippy::unwrap_used, reason = "what goes wrong in a helper of a test fails the test")]

use std::path::Path;

use pretty_assertions::assert_eq;
use recto_core::history::Audience;
use recto_core::model::find_model;
use recto_core::rollout::{
    BreakCause, RolloutChain, SentRequest, Until, replay, replay_bytes, sent_requests,
};
use recto_core::session::SettingsOverrides;
use recto_core::testing::Reply;
use serde_json::{Value, json};

use super::super::lives::Life;
use super::super::scene::Setting;
use super::notation::{
    assistant, event, item, message, meta, rolled_back, rollout, settings, started, user,
};

const REPO: &str = "
    //- repo/.git/HEAD = \"ref\"
    //- repo/AGENTS.md
    OLD
    //- repo/sub/AGENTS.md
    SUB
    //- cwd: repo
";

fn requests(path: &Path) -> Vec<SentRequest> {
    let chain = RolloutChain::single(path);
    let session = replay(&chain, Until::End).unwrap();
    let audience = |model: Option<&str>, provider: &str| {
        Audience::new(&find_model(model.unwrap_or("gpt-5.5")).info, provider)
    };
    sent_requests(&chain, &session, audience).unwrap()
}

fn requests_of(lines: &[String]) -> Vec<SentRequest> {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("session.jsonl");
    std::fs::write(&path, rollout(lines)).unwrap();
    requests(&path)
}

/// What happened before each request that goes on otherwise; none where it begins with all of the one before.
fn causes(requests: &[SentRequest]) -> Vec<Option<Vec<BreakCause>>> {
    let broken = |request: &SentRequest| {
        let broken = request.kept.as_ref()?.broken.as_ref()?;
        Some(broken.causes.clone())
    };
    requests.iter().map(broken).collect()
}

/// The length of the common beginning of two inputs as they went out, without brackets.
fn common(before: &str, now: &str) -> u64 {
    let [before, now] = [before, now].map(|it| format!("{},", &it[1..it.len() - 1]));
    before.bytes().zip(now.bytes()).take_while(|(one, two)| one == two).count() as u64
}

#[tokio::test]
async fn what_a_record_tells_of_its_requests_is_what_went_out() {
    let mut setting = Setting::of(REPO);
    let usage = |tokens| Reply::Usage(tokens);
    setting.script = vec![
        vec![Reply::Call("c1", "tool", "{}"), usage(50)],
        vec![Reply::Message("done"), usage(60)],
        vec![Reply::Message("two"), usage(70)],
        vec![Reply::Message("three"), usage(5_000)],
        vec![Reply::Message("SUMMARY")],
        vec![Reply::Message("four"), usage(80)],
        vec![Reply::Message("five"), usage(90)],
        vec![Reply::Message("six"), usage(90)],
    ];
    setting.settings.auto_compact_token_limit = Some(4_000);
    let mut life = Life::begin(setting).await;
    for text in ["one", "two", "three", "four"] {
        life.say(text).await;
        life.scene.write("repo/AGENTS.md", &format!("{text}\n"));
    }
    life.say("five").await;
    life.scene.session.roll_back(1).await.unwrap();
    let model = Some(find_model("gpt-5.4").info);
    life.scene.give("six", SettingsOverrides { model, ..SettingsOverrides::default() }).await;
    let mut sent: Vec<String> =
        life.scene.model.requests().into_iter().map(|request| request.input).collect();
    // The question for a summary of ours is sent and not recorded.
    let summary = sent.remove(4);
    assert!(summary.contains("hand-over"), "{summary}");

    let ended = life.end().await;
    let told = requests(&ended.path);
    let count = |input: &String| serde_json::from_str::<Vec<Value>>(input).unwrap().len();
    assert_eq!(
        told.iter().map(|it| (it.items, it.bytes)).collect::<Vec<_>>(),
        sent.iter().map(|it| (count(it), it.len() as u64 - 1)).collect::<Vec<_>>()
    );
    let kept: Vec<u64> = told.iter().filter_map(|it| Some(it.kept.as_ref()?.bytes)).collect();
    let expected: Vec<u64> = sent.windows(2).map(|pair| common(&pair[0], &pair[1])).collect();
    assert_eq!(kept, expected);
    assert_eq!(
        causes(&told),
        [
            None,
            None,
            None,
            None,
            Some(vec![BreakCause::Compacted]),
            None,
            Some(vec![
                BreakCause::TakenBack { turns: 1 },
                BreakCause::OtherModel { before: "gpt-5.5".to_owned(), now: "gpt-5.4".to_owned() }
            ]),
        ]
    );
}

#[tokio::test]
async fn fifty_turns_with_tools_and_changes_only_ever_add() {
    let mut setting = Setting::of(REPO);
    let usage = || Reply::Usage(50);
    let turn = || {
        let calls = vec![Reply::Call("c1", "tool", "{}"), Reply::Call("c2", "tool", "{}"), usage()];
        [calls, vec![Reply::Message("done"), usage()]]
    };
    setting.script = (0..50).flat_map(|_| turn()).collect();
    let mut life = Life::begin(setting).await;
    for turn in 0..50 {
        if turn % 7 == 3 {
            life.scene.write("repo/AGENTS.md", &format!("rule {turn}\n"));
        }
        let overrides = match turn % 10 {
            5 => life.scene.to("repo/sub"),
            6 => life.scene.to("repo"),
            _ => SettingsOverrides::default(),
        };
        life.scene.give("go on", overrides).await;
    }
    let sent = life.scene.model.requests().len();
    let told = requests(&life.end().await.path);
    assert_eq!((told.len(), sent), (100, 100));
    assert_eq!(causes(&told), vec![None; 100]);
    for pair in told.windows(2) {
        let kept = pair[1].kept.as_ref().unwrap();
        assert_eq!(
            (kept.bytes, kept.of, kept.items),
            (pair[0].bytes, pair[0].bytes, pair[0].items)
        );
    }
}

#[test]
fn an_output_that_comes_after_its_call_went_out_as_aborted_breaks_off_there() {
    let call = json!({"type": "function_call", "name": "f", "arguments": "{}", "call_id": "c"});
    let output = json!({"type": "function_call_output", "call_id": "c", "output": "late"});
    let requests = requests_of(&[
        meta("A"),
        user("one"),
        item(&call),
        started("2"),
        user("two"),
        assistant("hm"),
        item(&output),
        assistant("done"),
    ]);
    assert_eq!(causes(&requests), [None, None, Some(vec![BreakCause::LateOutput])]);
    let first = requests[2].kept.as_ref().unwrap().broken.as_ref().unwrap().first.clone().unwrap();
    assert_eq!((first.item, first.before.wire_json().contains("aborted")), (3, true));
    assert!(first.now.unwrap().wire_json().contains("two"));
}

#[test]
fn another_provider_is_named_and_reads_no_sealed_thoughts_of_the_first() {
    let context = |provider: &str| {
        let line = settings("/t", "m");
        line.replace("\"cwd\"", &format!("\"model_provider\":\"{provider}\",\"cwd\""))
    };
    let thought = json!({"type": "reasoning", "summary": [], "encrypted_content": "E"});
    let requests = requests_of(&[
        meta("A"),
        context("p"),
        user("one"),
        item(&thought),
        assistant("a"),
        context("q"),
        user("two"),
        assistant("b"),
        context("q"),
        user("three"),
        assistant("c"),
    ]);
    let cause = BreakCause::OtherProvider { before: "p".to_owned(), now: "q".to_owned() };
    assert_eq!(causes(&requests), [None, Some(vec![cause]), None]);
    assert_eq!(requests.iter().map(|it| it.items).collect::<Vec<_>>(), [1, 3, 5]);
}

#[test]
fn a_summary_that_stands_alone_leads_to_what_a_replay_finds() {
    let lines = [
        meta("A"),
        user("one"),
        assistant("a"),
        user("one more"),
        assistant("a"),
        event(&json!({"type": "token_count"})),
        json!({"timestamp": "t", "type": "compacted", "payload": {"message": "SHORT"}}).to_string(),
        user("two"),
        assistant("b"),
    ];
    let requests = requests_of(&lines);
    let session = replay_bytes(rollout(&lines).as_bytes(), Until::End).unwrap();
    assert_eq!(requests.last().unwrap().items, session.items.len() - 1);
    assert_eq!(causes(&requests), [None, None, Some(vec![BreakCause::Compacted])]);
}

#[test]
fn a_rollback_over_more_turns_than_there_are_and_odd_lines_cost_nothing_else() {
    let requests = requests_of(&[
        meta("A"),
        user("one"),
        assistant("a"),
        rolled_back(9),
        "torn".to_owned(),
        item(&json!({"type": "message"})),
        item(&message("user", "two")),
        assistant("b"),
        rolled_back(0),
    ]);
    assert_eq!(causes(&requests), [None, Some(vec![BreakCause::TakenBack { turns: 9 }])]);
}
