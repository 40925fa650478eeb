//! Sessions that are ended and gone on with, from the file that they recorded.

#![expect(clippy::disallowed_methods, reason = "a test changes the tree behind the session's back")]

use std::path::{Path, PathBuf};
use std::sync::Arc;

use insta::assert_snapshot;
use pretty_assertions::assert_eq;
use recto_core::hooks::{HookEvent, HookMatcher, HookSpec};
use recto_core::model::{SampleError, find_model};
use recto_core::rollout::{
    Baseline, RecorderSettings, ReplayedSession, RolloutChain, RolloutRecorder, Until,
    continues_in_place, replay,
};
use recto_core::session::{ResumeCwdError, SettingsOverrides, TurnEnd, resumed_cwd};
use recto_core::testing::{Reply, ScriptedHookRunner, file_system_under_test};
use recto_protocol::PermissionProfile;
use serde_json::{Value, json};

use super::lives::{Ended, Life, Noon, new_rollout};
use super::rollout::notation::{compacted, message, meta_with, rollout, settings as turn_settings};
use super::rollout::notation::{item, user};
use super::scene::{Setting, settings};

const REPO: &str = "
    //- repo/.git/HEAD = \"ref\"
    //- repo/AGENTS.md
    OLD
    //- other/AGENTS.md
    OTHER
    //- cwd: repo
";

fn with_script(script: Vec<Vec<Reply>>) -> Setting<'static> {
    Setting { script, ..Setting::of(REPO) }
}

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("a line is JSON")).collect()
}

fn replayed(path: &Path) -> ReplayedSession {
    replay(&RolloutChain::single(path), Until::End).expect("the file is a session")
}

/// The last lines of a request.
fn tail(life: &Life, skip: usize) -> String {
    life.scene.last_request().lines().skip(skip).collect::<Vec<_>>().join("\n")
}

fn lines_of(request: &str) -> usize {
    request.lines().count()
}

/// Puts a file of someone else's into a tree, at the place of a session of one's own.
async fn foreign(text: impl Fn(&str) -> String) -> Ended {
    let ended = Life::begin(Setting::of(REPO)).await;
    let path = ended.recorder.path().to_owned();
    let files = ended.scene.files;
    std::fs::create_dir_all(path.parent().expect("a file stands in a directory"))
        .expect("the tree can be written");
    std::fs::write(&path, text(&files.path("repo").display().to_string()))
        .expect("the tree can be written");
    Ended { files, path }
}

#[tokio::test]
async fn a_session_in_which_nothing_happened_leaves_no_file() {
    let life = Life::begin(Setting::of(REPO)).await;
    let path = life.recorder.path().to_owned();
    assert!(!life.end().await.path.exists());
    assert!(path.ends_with(
        "sessions/2026/11/30/rollout-2026-11-30T12-00-00-00000000-0000-0000-0000-000000000001.jsonl"
    ));
}

#[tokio::test]
async fn a_file_begins_with_who_the_session_is() {
    let mut life = Life::begin(Setting::of(REPO)).await;
    life.say("one").await;
    let cwd = life.scene.files.path("repo");
    let lines = lines(&life.end().await.text());
    assert_eq!(
        lines[0],
        json!({
            "timestamp": "2026-11-30T12:00:00.000Z", "ordinal": 0, "type": "session_meta", "payload": {
                "session_id": "00000000-0000-0000-0000-000000000001",
                "id": "00000000-0000-0000-0000-000000000001",
                "timestamp": "2026-11-30T12:00:00.000Z", "cwd": cwd, "originator": "recto",
                "cli_version": "0.1.0", "source": "exec", "model_provider": "local",
                "base_instructions": {"text": "BASE", "provenance": {"type": "custom"}},
                "history_mode": "paginated",
            },
        })
    );
    let ordinals: Vec<u64> = lines.iter().filter_map(|line| line["ordinal"].as_u64()).collect();
    assert_eq!(ordinals, (0..lines.len() as u64).collect::<Vec<_>>());
}

#[tokio::test]
async fn b95_the_same_file_goes_on_under_the_same_name() {
    let mut life = Life::begin(Setting::of(REPO)).await;
    life.say("one").await;
    let first = life.end().await;
    let (path, before) = (first.path.clone(), first.text());
    let mut life = first.resume(Setting::of(REPO), None).await;
    life.say("two").await;
    let mut life = life.resume(Setting::of(REPO)).await;
    life.say("three").await;
    assert_eq!(tail(&life, 2), "user: one\nassistant: ok\nuser: two\nassistant: ok\nuser: three");
    let ended = life.end().await;
    assert_eq!(ended.path, path);
    let text = ended.text();
    assert!(text.starts_with(&before));
    let of_kind = |kind: &str| lines(&text).iter().filter(|line| line["type"] == kind).count();
    assert_eq!((of_kind("session_meta"), of_kind("world_state")), (1, 1));
    assert_eq!(replayed(&path).faults.total(), 0);
}

#[tokio::test]
async fn b95_only_a_fork_has_a_new_name_and_it_needs_no_other_file() {
    let mut life =
        Life::begin(with_script(vec![vec![Reply::Message("a"), Reply::Usage(70)]])).await;
    life.say("one").await;
    life.scene.write("repo/AGENTS.md", "NEWER\n");
    let mut life = life.resume(Setting::of(REPO)).await;
    life.say("two").await;
    life.say("three").await;
    life.scene.session.roll_back(1).await.unwrap();
    let cwd = life.scene.files.path("repo").display().to_string();
    let ended = life.end().await;
    let (before, past) = (ended.text(), replayed(&ended.path));
    let home = ended.files.path("own");
    std::fs::create_dir(&home).unwrap();
    assert!(!continues_in_place(&ended.path, &home, false));
    let mut new = new_rollout(2, cwd, &settings());
    new.base_instructions = None;
    let chain = RolloutChain::single(&ended.path);
    let (session, recorder) =
        RolloutRecorder::fork(&chain, &home, &new, RecorderSettings::default(), Arc::new(Noon))
            .await
            .unwrap();
    recorder.close().await.unwrap();
    assert_eq!(ended.text(), before);
    std::fs::remove_file(&ended.path).unwrap();
    let fork = replayed(recorder.path());
    assert!(continues_in_place(recorder.path(), &home, false));
    assert_eq!(fork.meta.id.as_deref(), Some("00000000-0000-0000-0000-000000000002"));
    assert_eq!(fork.meta.forked_from_id, past.meta.id);
    assert_eq!(fork.faults.total(), 0);
    for it in [&session, &fork] {
        assert_eq!(it.items, past.items);
        assert_eq!(it.baseline, past.baseline);
        assert_eq!(it.turn_starts, past.turn_starts);
        assert_eq!(it.usage_reports, past.usage_reports);
        assert_eq!(it.previous_turn, past.previous_turn);
        assert_eq!(it.base_instructions, past.base_instructions);
    }
}

#[tokio::test]
async fn a_fork_says_what_the_damage_in_its_past_cost() {
    let ended = foreign(|cwd| {
        let world = r#"{"timestamp":"T","type":"world_state","payload":{"full":true,"sta"#;
        rollout(&[
            meta_with("x", &json!({})),
            turn_settings(cwd, "m"),
            user("one"),
            world.to_owned(),
            item(&message("assistant", "a")),
        ])
    })
    .await;
    let home = ended.files.path("own");
    std::fs::create_dir(&home).unwrap();
    let new = new_rollout(2, "/t".to_owned(), &settings());
    let chain = RolloutChain::single(&ended.path);
    let (_, recorder) =
        RolloutRecorder::fork(&chain, &home, &new, RecorderSettings::default(), Arc::new(Noon))
            .await
            .unwrap();
    recorder.close().await.unwrap();
    let fork = replayed(recorder.path());
    assert_eq!((fork.items.len(), fork.baseline), (2, Baseline::Unknown));
}

#[tokio::test]
async fn b33_what_changed_meanwhile_is_told_once_as_a_replacement() {
    let mut life = Life::begin(Setting::of(REPO)).await;
    life.say("one").await;
    life.scene.write("repo/AGENTS.md", "NEW\n");
    let mut life = life.resume(Setting::of(REPO)).await;
    life.say("two").await;
    life.say("three").await;
    assert_snapshot!(tail(&life, 3), @"
    assistant: ok
    user: # AGENTS.md instructions for $ROOT/repo⏎⏎<INSTRUCTIONS>⏎These AGENTS.md instructions replace all previously provided AGENTS.md instructions.⏎⏎NEW⏎⏎</INSTRUCTIONS>
    user: two
    assistant: ok
    user: three
    ");
}

#[tokio::test]
async fn b24_b91_a_session_works_where_it_worked_last_and_a_directory_that_is_gone_is_said() {
    let mut life = Life::begin(Setting::of(REPO)).await;
    life.say("one").await;
    let there = life.scene.to("other");
    life.scene.give("two", there).await;
    let mut life = life.resume(Setting::of(REPO)).await;
    life.say("three").await;
    assert_snapshot!(tail(&life, 5), @"
    user: two
    assistant: ok
    user: three
    ");
    let (other, repo) = (life.scene.files.path("other"), life.scene.files.path("repo"));
    std::fs::remove_dir_all(&other).unwrap();
    let ended = life.end().await;
    let session = replayed(&ended.path);
    let files = file_system_under_test();
    let gone = resumed_cwd(&session, None, &*files).await.unwrap_err();
    assert!(matches!(gone, ResumeCwdError::Gone(_)));
    assert_eq!(
        gone.to_string(),
        format!("the session works in {}, which is no directory any more", other.display())
    );
    assert_eq!(gone.hint(), "name another working directory for it");
    let mut life = ended.resume(Setting::of(REPO), Some(repo)).await;
    life.say("four").await;
    assert_snapshot!(tail(&life, 9), @"
    user: # AGENTS.md instructions for $ROOT/repo⏎⏎<INSTRUCTIONS>⏎These AGENTS.md instructions replace all previously provided AGENTS.md instructions.⏎⏎OLD⏎⏎</INSTRUCTIONS> | <environment_context>⏎  <cwd>$ROOT/repo</cwd>⏎  <shell>bash</shell>⏎  <current_date>2026-11-30</current_date>⏎  <timezone>Etc/UTC</timezone>
    user: four
    ");
}

#[tokio::test]
async fn b103_other_settings_are_told_once_and_the_same_not_at_all() {
    let mut life = Life::begin(Setting::of(REPO)).await;
    life.say("one").await;
    let mut life = life.resume(Setting::of(REPO)).await;
    life.say("two").await;
    assert_eq!(tail(&life, 3), "assistant: ok\nuser: two");
    let mut other = Setting::of(REPO);
    other.settings.permission_profile = PermissionProfile::Disabled;
    let mut life = life.resume(other).await;
    life.say("three").await;
    assert_snapshot!(tail(&life, 5), @"
    assistant: ok
    developer: <permissions>
    user: <environment_context>⏎  <current_date>2026-11-30</current_date>⏎  <timezone>Etc/UTC</timezone>
    user: three
    ");
}

#[tokio::test]
async fn b71_a_torn_tail_is_mended_before_the_first_new_line() {
    let mut life = Life::begin(with_script(vec![vec![Reply::Message("grün")]])).await;
    life.say("one").await;
    let ended = life.end().await;
    let text = ended.text();
    let inside_a_character = text.rfind('ü').unwrap() + 1;
    let mut zeros = text.clone().into_bytes();
    zeros.extend([0; 4096]);
    let damaged: [(&str, &[u8]); 4] = [
        ("the last 25 bytes are gone", &text.as_bytes()[..text.len() - 25]),
        ("the newline is gone", &text.as_bytes()[..text.len() - 1]),
        ("a character is cut", &text.as_bytes()[..inside_a_character]),
        ("zeros follow", &zeros),
    ];
    let (mut ended, whole) = (ended, text.clone());
    for (what, bytes) in damaged {
        ended.overwrite(bytes);
        let complete = bytes.split(|byte| *byte == b'\n').count() - 1;
        let mut life = ended.resume(Setting::of(REPO), None).await;
        assert!(life.mended.is_some(), "{what}");
        life.say("two").await;
        let mut life = life.resume(Setting::of(REPO)).await;
        assert_eq!(life.mended, None, "{what}");
        life.say("three").await;
        let request = life.scene.last_request();
        assert!(request.ends_with("user: two\nassistant: ok\nuser: three\n"), "{what}: {request}");
        ended = life.end().await;
        let text = ended.text();
        assert!(text.lines().zip(whole.lines()).take(complete).all(|(new, old)| new == old));
        assert!(lines(&text).len() > complete, "{what}");
    }
}

#[tokio::test]
async fn b106_b130_a_call_without_output_is_answered_directly_after_it() {
    let script = vec![vec![Reply::Call("c1", "shell", "{}")]];
    let mut life = Life::begin(with_script(script)).await;
    life.say("one").await;
    let ended = life.end().await;
    // As a kill leaves it that comes while the tool runs.
    let text = ended.text();
    let end = text.find(r#""type":"function_call_output""#).unwrap();
    ended.overwrite(&text.as_bytes()[..=text[..end].rfind('\n').unwrap()]);
    let mut life = ended.resume(Setting::of(REPO), None).await;
    life.say("two").await;
    let first = life.scene.last_request();
    assert_snapshot!(tail(&life, 2), @r#"
    user: one
    call c1 shell
    output c1 Text("aborted")
    user: two
    "#);
    life.say("three").await;
    assert!(life.scene.last_request().starts_with(&first));
    let mut life = life.resume(Setting::of(REPO)).await;
    life.say("four").await;
    assert!(life.scene.last_request().starts_with(&first));
}

#[tokio::test]
async fn b135_a_compacted_session_is_resumed_compacted() {
    let mut setting = with_script(Vec::new());
    setting.settings.auto_compact_token_limit = Some(4_000);
    for turn in 1..=40 {
        if turn == 30 {
            setting.script.push(vec![Reply::Message("SUMMARY")]);
        }
        let tokens = if turn == 29 { 5_000 } else { 100 };
        setting.script.push(vec![Reply::Message("a"), Reply::Usage(tokens)]);
    }
    let mut life = Life::begin(setting).await;
    for turn in 1..=40 {
        life.say(&format!("turn {turn}")).await;
    }
    let before = life.scene.session.prompt().input;
    let tokens = life.scene.session.state().history.context_tokens();
    let life = life.resume(Setting::of(REPO)).await;
    let state = life.scene.session.state();
    assert_eq!(life.scene.session.prompt().input, before);
    assert_eq!(state.history.context_tokens(), tokens);
    assert!(before.len() < 60, "{}", before.len());
}

#[tokio::test]
async fn b54_the_context_is_told_again_where_a_compaction_left_only_a_summary() {
    let ended = foreign(|cwd| {
        rollout(&[
            meta_with("00000000-0000-0000-0000-000000000001", &json!({"cwd": cwd})),
            turn_settings(cwd, "gpt-5.5"),
            user("one"),
            item(&message("assistant", "a")),
            compacted(&[message("user", "SUMMARY")]),
        ])
    })
    .await;
    let mut life = ended.resume(Setting::of(REPO), None).await;
    life.say("two").await;
    let request = life.scene.last_request();
    assert_eq!(request.matches("OLD").count(), 1, "{request}");
    assert_eq!(request.matches("<environment_context>").count(), 1, "{request}");
    life.say("three").await;
    assert!(life.scene.last_request().starts_with(&request));
    assert_eq!(lines_of(&life.scene.last_request()), lines_of(&request) + 2);
}

#[tokio::test]
async fn b82_b100_b140_a_rollback_before_the_end_counts_as_it_did_live() {
    let mut setting = with_script(vec![
        vec![Reply::Message("A1")],
        vec![Reply::Message("A2"), Reply::Usage(5_000)],
        vec![Reply::Message("S")],
        vec![Reply::Message("A3")],
    ]);
    setting.settings.auto_compact_token_limit = Some(4_000);
    let mut life = Life::begin(setting).await;
    life.say("one").await;
    let there = life.scene.to("other");
    life.scene.give("two", there.clone()).await;
    let before = life.scene.request(1);
    let model = SettingsOverrides {
        cwd: Some(life.scene.files.path("repo")),
        model: Some(find_model("other").info),
        ..SettingsOverrides::default()
    };
    life.scene.give("three", model).await;
    assert_eq!(life.scene.model.requests().len(), 4);
    life.scene.session.roll_back(2).await.unwrap();
    let mut life = life.resume(Setting::of(REPO)).await;
    life.scene.give("two", there).await;
    assert_eq!(life.scene.last_request(), before);
    assert!(!before.contains("<model_switch>"));
}

#[tokio::test]
async fn turns_of_the_last_window_can_be_taken_back_after_a_resume() {
    let mut life = Life::begin(Setting::of(REPO)).await;
    life.say("one").await;
    let there = life.scene.to("other");
    life.scene.give("two", there.clone()).await;
    let before = life.scene.request(1);
    let mut life = life.resume(Setting::of(REPO)).await;
    life.say("three").await;
    life.scene.session.roll_back(2).await.unwrap();
    life.scene.give("two", there).await;
    assert_eq!(life.scene.last_request(), before);
}

#[tokio::test]
async fn b126_a_blocked_prompt_is_in_no_file_and_is_no_turn() {
    let answer = r#"{"decision":"block","reason":"no secrets","hookSpecificOutput":{"hookEventName":"UserPromptSubmit","additionalContext":"CTX"}}"#;
    let hook = HookSpec {
        event: HookEvent::UserPromptSubmit,
        matcher: HookMatcher::default(),
        command: "submit".to_owned(),
        timeout: std::time::Duration::from_secs(5),
        source: PathBuf::from("/h/hooks.json"),
    };
    let mut life = Life::begin(Setting::of(REPO)).await;
    life.say("one").await;
    let mut setting = Setting::of(REPO);
    setting.settings.hooks = vec![hook];
    setting.hooks = ScriptedHookRunner::default().exits("submit", 0, answer, "");
    let mut life = life.resume(setting).await;
    assert_eq!(life.say("SECRET-1").await, TurnEnd::Blocked { reason: "no secrets".to_owned() });
    life.scene.session.roll_back(1).await.unwrap();
    assert_eq!(life.scene.session.state().history.items().len(), 0);
    let ended = life.end().await;
    let text = ended.text();
    assert!(text.contains("CTX") && !text.contains("SECRET-1"));
    assert_eq!(replayed(&ended.path).items.len(), 0);
}

#[tokio::test]
async fn an_output_that_no_line_could_carry_is_cut_for_the_model_and_the_record_alike() {
    let arguments: &'static str = Box::leak("x".repeat(2 << 20).into_boxed_str());
    let script = vec![vec![Reply::Call("c1", "big", arguments)]];
    let mut life = Life::begin(with_script(script)).await;
    life.say("one").await;
    let notices = life.scene.notices();
    assert_eq!(notices, ["the output of big is over 1048576 bytes; its middle was left out"]);
    let before = life.scene.session.prompt().input;
    let life = life.resume(Setting::of(REPO)).await;
    assert_eq!(life.scene.session.prompt().input, before);
}

#[tokio::test]
async fn b139_a_resumed_session_knows_that_its_conversation_is_too_long() {
    let too_long = SampleError::ContextTooLong { message: "too many".to_owned() };
    let script = vec![vec![Reply::Message("a")], vec![Reply::Fail(too_long)]];
    let mut life = Life::begin(Setting { script, ..Setting::of(REPO) }).await;
    life.say("one").await;
    life.say("two").await;
    let script = vec![vec![Reply::Message("SUMMARY")]];
    let mut life = life.resume(Setting { script, ..Setting::of(REPO) }).await;
    life.say("three").await;
    let requests = life.scene.model.requests();
    assert_eq!(requests.len(), 2);
    assert!(requests[0].input.contains("is about to be cut down"));
    assert!(requests[1].input.contains("SUMMARY"));
    let mut life = life.resume(Setting::of(REPO)).await;
    life.say("four").await;
    assert_eq!(life.scene.model.requests().len(), 1);
}
