//! Sessions from turn to turn, with a scripted model.

use insta::assert_snapshot;
use pretty_assertions::assert_eq;
use recto_core::agents_md::Freshness;
use recto_core::model::{SampleError, find_model};
use recto_core::rollout::RolloutEntry;
use recto_core::session::{
    Accepted, SessionSource, SettingsOverrides, TurnEnd, TurnInput, UserInput, first_prompt,
};
use recto_core::testing::Reply;
use recto_protocol::responses::input_json;
use recto_protocol::{PermissionProfile, TrustLevel};
use serde_json::json;

use super::scene::{Scene, Setting, is_prefix, settings};

const REPO: &str = "
    //- repo/.git/HEAD = \"ref\"
    //- repo/AGENTS.md
    ROOT
    //- repo/sub/AGENTS.md
    SUB
    //- cwd: repo
";

fn completed(text: &str) -> TurnEnd {
    TurnEnd::Completed { last_message: Some(text.to_owned()) }
}

#[tokio::test]
async fn the_first_request_is_the_first_prompt() {
    let mut scene = Setting::of(REPO).begin().await;
    assert_eq!(scene.say("hi").await, completed("ok"));
    let facts = scene.session.capture().await.unwrap().facts;
    let expected = first_prompt(&facts, &UserInput::text("hi"), scene.session.base_instructions());
    assert_eq!(scene.model.requests()[0].input, input_json(&expected.input));
    assert_snapshot!(scene.layout(), @r"
    00 developer [permissions.instructions]
    01 user [agents_md.instructions, environments.environment_context]
    02 user [user.text]
    03 assistant
    ");
}

#[tokio::test]
async fn an_edited_file_is_not_seen_while_the_selection_stands() {
    let mut scene = Setting::of(REPO).begin().await;
    scene.say("one").await;
    scene.write("repo/AGENTS.md", "NEW\n");
    scene.say("two").await;
    assert!(!scene.last_request().contains("NEW"), "{}", scene.last_request());
    scene.say("three").await;
    assert!(!scene.last_request().contains("NEW"), "{}", scene.last_request());
}

#[tokio::test]
async fn an_edited_file_is_a_replacement_where_freshness_looks() {
    let mut scene = Setting { freshness: Freshness::Stat, ..Setting::of(REPO) }.begin().await;
    scene.say("one").await;
    scene.write("repo/AGENTS.md", "NEWER\n");
    scene.say("two").await;
    scene.remove("repo/AGENTS.md");
    scene.say("three").await;
    scene.write("repo/AGENTS.md", "AGAIN\n");
    scene.say("four").await;
    assert_snapshot!(scene.last_request(), @"
    developer: <permissions>
    user: # AGENTS.md instructions for $ROOT/repo⏎⏎<INSTRUCTIONS>⏎ROOT⏎⏎</INSTRUCTIONS> | <environment_context>⏎  <cwd>$ROOT/repo</cwd>⏎  <shell>bash</shell>⏎  <current_date>2026-11-30</current_date>⏎  <timezone>Etc/UTC</timezone>
    user: one
    assistant: ok
    user: # AGENTS.md instructions for $ROOT/repo⏎⏎<INSTRUCTIONS>⏎These AGENTS.md instructions replace all previously provided AGENTS.md instructions.⏎⏎NEWER⏎⏎</INSTRUCTIONS>
    user: two
    assistant: ok
    user: # AGENTS.md instructions⏎⏎<INSTRUCTIONS>⏎The previously provided AGENTS.md instructions no longer apply.⏎</INSTRUCTIONS>
    user: three
    assistant: ok
    user: # AGENTS.md instructions for $ROOT/repo⏎⏎<INSTRUCTIONS>⏎AGAIN⏎⏎</INSTRUCTIONS>
    user: four
    ");
    let patches: Vec<serde_json::Value> = scene
        .recorder
        .entries()
        .into_iter()
        .filter_map(|entry| match entry {
            RolloutEntry::WorldState { full: false, state } => Some(state),
            _ => None,
        })
        .collect();
    assert_eq!(
        patches,
        [
            json!({"agents_md": {"text": "NEWER\n"}}),
            json!({"agents_md": {"directory": null, "text": null}}),
            json!({"agents_md": {"directory": scene.files.path("repo"), "text": "AGAIN\n"}}),
        ]
    );
}

#[tokio::test]
async fn b32_another_directory_adds_a_replacement_and_changes_no_byte_before_it() {
    let mut scene = Setting::of(REPO).begin().await;
    scene.say("one").await;
    let there = scene.to("repo/sub");
    scene.give("two", there).await;
    let requests = scene.model.requests();
    assert!(is_prefix(&requests[0].input, &requests[1].input));
    assert_snapshot!(scene.last_request(), @"
    developer: <permissions>
    user: # AGENTS.md instructions for $ROOT/repo⏎⏎<INSTRUCTIONS>⏎ROOT⏎⏎</INSTRUCTIONS> | <environment_context>⏎  <cwd>$ROOT/repo</cwd>⏎  <shell>bash</shell>⏎  <current_date>2026-11-30</current_date>⏎  <timezone>Etc/UTC</timezone>
    user: one
    assistant: ok
    user: # AGENTS.md instructions for $ROOT/repo/sub⏎⏎<INSTRUCTIONS>⏎These AGENTS.md instructions replace all previously provided AGENTS.md instructions.⏎⏎ROOT⏎⏎⏎SUB⏎⏎</INSTRUCTIONS> | <environment_context>⏎  <cwd>$ROOT/repo/sub</cwd>⏎  <shell>bash</shell>⏎  <current_date>2026-11-30</current_date>⏎  <timezone>Etc/UTC</timezone>
    user: two
    ");
}

#[tokio::test]
async fn b24_a_directory_that_is_gone_costs_its_instructions_and_not_the_session() {
    let mut scene = Setting::of(
        "
        //- w/AGENTS.md = \"W\"
        //- w2/AGENTS.md = \"W2\"
        //- cwd: w
    ",
    )
    .begin()
    .await;
    scene.say("one").await;
    std::fs::remove_dir_all(scene.files.path("w")).unwrap();
    let same = scene.to("w");
    assert_eq!(scene.give("two", same).await, completed("ok"));
    let there = scene.to("w2");
    assert_eq!(scene.give("three", there).await, completed("ok"));
    assert!(scene.last_request().contains("W2"));
}

#[tokio::test]
async fn a_change_of_trust_takes_project_text_back() {
    let mut scene = Setting::of(REPO).begin().await;
    scene.say("one").await;
    let overrides =
        SettingsOverrides { trust: Some(Some(TrustLevel::Untrusted)), ..Default::default() };
    scene.give("two", overrides).await;
    assert_snapshot!(scene.last_request().lines().nth(4).unwrap_or_default(), @"user: # AGENTS.md instructions⏎⏎<INSTRUCTIONS>⏎The previously provided AGENTS.md instructions no longer apply.⏎</INSTRUCTIONS>");
}

#[tokio::test]
async fn b21_untrusted_text_is_in_no_request_no_history_and_no_record() {
    for cwd in ["repo", "repo/sub"] {
        let fixture = format!(
            "
            //- home/AGENTS.md = \"G\"
            //- repo/.git/HEAD = \"ref\"
            //- repo/AGENTS.md = \"SENTINEL-7\"
            //- repo/sub/AGENTS.override.md = \"SENTINEL-8\"
            //- cwd: {cwd}
        "
        );
        let mut setting = Setting::of(&fixture);
        setting.settings.trust = Some(TrustLevel::Untrusted);
        let mut scene = setting.begin().await;
        scene.say("hi").await;
        let everything = format!(
            "{:?}{:?}{:?}",
            scene.model.requests(),
            scene.session.state(),
            scene.recorder.entries()
        );
        assert!(!everything.contains("SENTINEL"), "{everything}");
        assert!(scene.last_request().contains("⏎G⏎"), "{}", scene.last_request());
    }
}

#[tokio::test]
async fn b52_a_new_day_is_told_once_and_so_is_a_clock_set_back() {
    let mut scene = Setting::of(REPO).begin().await;
    for date in ["2026-11-30", "2026-12-01", "2026-12-01", "2026-11-30"] {
        scene.clock.set_date(date);
        scene.say("on").await;
    }
    let requests = scene.model.requests();
    assert!(requests.windows(2).all(|pair| is_prefix(&pair[0].input, &pair[1].input)));
    let told: Vec<usize> =
        requests.iter().map(|it| it.input.matches("<current_date>").count()).collect();
    assert_eq!(told, [1, 2, 2, 3]);
}

#[tokio::test]
async fn calls_are_answered_in_their_order_and_the_model_goes_on() {
    let script = vec![vec![Reply::Call("c1", "read", "{}"), Reply::Call("c2", "list", "[]")]];
    let mut scene = Setting { script, ..Setting::of(REPO) }.begin().await;
    assert_eq!(scene.say("go").await, completed("ok"));
    assert_snapshot!(scene.last_request().lines().skip(3).collect::<Vec<_>>().join("\n"), @r#"
    call c1 read
    call c2 list
    output c1 Text("read({})")
    output c2 Text("list([])")
    "#);
    let requests = scene.model.requests();
    assert!(is_prefix(&requests[0].input, &requests[1].input));
}

#[tokio::test]
async fn b44_an_interrupt_in_a_call_is_told_once_and_the_call_is_aborted() {
    let script = vec![vec![Reply::Call("c1", "hang", "{}")]];
    let mut scene = Setting { script, ..Setting::of(REPO) }.begin().await;
    let (handle, tools) = (scene.session.handle(), scene.tools.clone());
    let stop = async {
        tools.hangs().await;
        handle.interrupt();
    };
    let (end, ()) = tokio::join!(scene.say("go"), stop);
    assert_eq!(end, TurnEnd::Interrupted);
    scene.say("continue").await;
    assert_snapshot!(scene.last_request().lines().skip(3).collect::<Vec<_>>().join("\n"), @r#"
    call c1 hang
    output c1 Text("aborted")
    user: <turn_aborted>
    user: continue
    "#);
}

#[tokio::test]
async fn an_interrupt_while_the_model_answers_keeps_what_was_said() {
    let script = vec![vec![Reply::Message("half"), Reply::Hang]];
    let mut scene = Setting { script, ..Setting::of(REPO) }.begin().await;
    let (handle, model) = (scene.session.handle(), scene.model.clone());
    let stop = async {
        model.hangs().await;
        assert_eq!(handle.submit(turn("steer")), Accepted::JoinsTurn);
        handle.interrupt();
    };
    let (end, ()) = tokio::join!(scene.say("go"), stop);
    assert_eq!(end, TurnEnd::Interrupted);
    assert_snapshot!(scene.layout().lines().skip(2).collect::<Vec<_>>().join("\n"), @"
    02 user [user.text]
    03 assistant
    04 user [generic.turn_aborted]
    05 user [user.text]
    ");
}

fn turn(text: &str) -> TurnInput {
    TurnInput { input: UserInput::text(text), ..TurnInput::default() }
}

#[tokio::test]
async fn what_is_said_while_the_model_works_joins_the_turn() {
    let script = vec![vec![Reply::Call("c1", "hang", "{}")]];
    let mut scene = Setting { script, ..Setting::of(REPO) }.begin().await;
    let (handle, tools) = (scene.session.handle(), scene.tools.clone());
    let steer = async {
        tools.hangs().await;
        assert_eq!(handle.submit(turn("and this")), Accepted::JoinsTurn);
        tools.release();
    };
    let (end, ()) = tokio::join!(scene.say("go"), steer);
    assert_eq!(end, completed("ok"));
    assert_snapshot!(scene.last_request().lines().skip(3).collect::<Vec<_>>().join("\n"), @r#"
    call c1 hang
    output c1 Text("hang({})")
    user: and this
    "#);
}

#[tokio::test]
async fn a_step_records_items_then_the_state_then_the_settings() {
    let mut scene = Setting::of(REPO).begin().await;
    scene.say("hi").await;
    let names: Vec<&str> = scene
        .recorder
        .entries()
        .iter()
        .map(|entry| match entry {
            RolloutEntry::Item(_) => "item",
            RolloutEntry::WorldState { full: true, .. } => "full state",
            RolloutEntry::WorldState { .. } => "patch",
            RolloutEntry::SettingsApplied(_) => "settings",
            RolloutEntry::TurnContext(_) => "turn context",
            RolloutEntry::Compacted { .. } => "compacted",
            RolloutEntry::RolledBack { .. } => "rolled back",
            RolloutEntry::Usage(_) => "usage",
            RolloutEntry::ContextFull { .. } => "full",
            RolloutEntry::TurnStarted(_) => "started",
            RolloutEntry::TurnEnded { .. } => "ended",
        })
        .collect();
    assert_eq!(
        names,
        [
            "settings",
            "started",
            "item",
            "item",
            "full state",
            "turn context",
            "item",
            "item",
            "ended"
        ]
    );
}

#[tokio::test]
async fn b53_b54_after_any_number_of_compactions_the_context_is_there_once() {
    let reply = |text| vec![Reply::Message(text), Reply::Usage(5_000)];
    let script = vec![reply("a"), reply("S1"), reply("b"), reply("S2"), reply("c")];
    let mut setting = Setting { script, ..Setting::of(REPO) };
    setting.settings.auto_compact_token_limit = Some(4_000);
    let mut scene = setting.begin().await;
    for text in ["one", "two", "three"] {
        scene.say(text).await;
    }
    assert_snapshot!(scene.last_request(), @"
    user: one
    developer: <permissions>
    user: # AGENTS.md instructions for $ROOT/repo⏎⏎<INSTRUCTIONS>⏎ROOT⏎⏎</INSTRUCTIONS> | <environment_context>⏎  <cwd>$ROOT/repo</cwd>⏎  <shell>bash</shell>⏎  <current_date>2026-11-30</current_date>⏎  <timezone>Etc/UTC</timezone>
    user: two
    user: Another language model started to solve this problem and produced a summary of its thinking process. You also have access to the state of the tools that were used by that language model. Use this to build on the work that has already been done and avoid duplicating work. Here is the summary produced by the other language model, use the information in this summary to assist with your own analysis:⏎S2
    user: three
    ");
    let last = scene.model.requests().pop().unwrap().input;
    assert_eq!(last.matches("# AGENTS.md instructions").count(), 1);
    assert_eq!(last.matches("<environment_context>").count(), 1);
}

#[tokio::test]
async fn b139_a_conversation_that_is_too_long_is_cut_down_before_the_next_turn() {
    let too_long = SampleError::ContextTooLong { message: "too many tokens".to_owned() };
    let script = vec![
        vec![Reply::Message("a")],
        vec![Reply::Fail(too_long)],
        vec![Reply::Message("SUMMARY")],
        vec![Reply::Message("c")],
    ];
    let mut scene = Setting { script, ..Setting::of(REPO) }.begin().await;
    scene.say("one").await;
    assert_eq!(
        scene.say("two").await,
        TurnEnd::Failed {
            message: "the conversation is longer than the model's context window: too many tokens"
                .to_owned(),
            hint: Some("the next turn begins with a summary of the conversation".to_owned()),
            rejected: Vec::new(),
        }
    );
    assert_eq!(scene.say("three").await, completed("c"));
    assert_eq!(scene.model.requests().len(), 4);
    assert_snapshot!(scene.last_request(), @"
    user: one
    developer: <permissions>
    user: # AGENTS.md instructions for $ROOT/repo⏎⏎<INSTRUCTIONS>⏎ROOT⏎⏎</INSTRUCTIONS> | <environment_context>⏎  <cwd>$ROOT/repo</cwd>⏎  <shell>bash</shell>⏎  <current_date>2026-11-30</current_date>⏎  <timezone>Etc/UTC</timezone>
    user: two
    user: Another language model started to solve this problem and produced a summary of its thinking process. You also have access to the state of the tools that were used by that language model. Use this to build on the work that has already been done and avoid duplicating work. Here is the summary produced by the other language model, use the information in this summary to assist with your own analysis:⏎SUMMARY
    user: three
    ");
}

#[tokio::test]
async fn b100_a_rollback_brings_the_baseline_back_too_even_past_a_compaction() {
    let mut setting = Setting::of(
        "
        //- a/
        //- b/
        //- c/
        //- cwd: a
    ",
    );
    setting.script = vec![
        vec![Reply::Message("1")],
        vec![Reply::Message("2"), Reply::Usage(5_000)],
        vec![Reply::Message("S")],
        vec![Reply::Message("3")],
    ];
    setting.settings.auto_compact_token_limit = Some(4_000);
    let mut scene = setting.begin().await;
    scene.say("one").await;
    let (b, c) = (scene.to("b"), scene.to("c"));
    scene.give("two", b.clone()).await;
    let before = scene.request(1);
    scene.give("three", c).await;
    scene.session.roll_back(2).await.unwrap();
    scene.give("two", b).await;
    assert_eq!(scene.last_request(), before);
}

#[tokio::test]
async fn settings_change_before_the_context_of_their_turn_is_built() {
    let mut scene = Setting::of(REPO).begin().await;
    scene.say("one").await;
    let overrides = SettingsOverrides {
        permission_profile: Some(PermissionProfile::Disabled),
        model: Some(find_model("other").info),
        ..SettingsOverrides::default()
    };
    scene.give("two", overrides).await;
    assert_eq!(scene.model.requests()[1].model, "other");
    assert!(scene.last_request().contains("user: <environment_context>⏎  <current_date>"));
}

#[tokio::test]
async fn a_full_disk_is_told_and_the_turn_goes_on() {
    let mut scene = Setting::of(REPO).begin().await;
    scene.recorder.set_full(true);
    assert_eq!(scene.say("hi").await, completed("ok"));
    let told = "the session could not be recorded: no space left on device";
    assert!(scene.notices().iter().all(|notice| notice == told));
    scene.recorder.set_full(false);
    scene.say("again").await;
    assert_eq!(scene.notices(), Vec::<String>::new());
}

#[tokio::test]
async fn a_guardian_gets_its_developer_instructions_apart() {
    let mut setting = Setting::of(REPO);
    setting.settings.developer_instructions = Some("WATCH".to_owned());
    setting.settings.source = SessionSource::Guardian;
    let mut scene = setting.begin().await;
    scene.say("hi").await;
    assert_snapshot!(scene.layout(), @"
    00 developer [generic.developer_instructions]
    01 developer [permissions.instructions]
    02 user [agents_md.instructions, environments.environment_context]
    03 user [user.text]
    04 assistant
    ");
    let mut plain = Setting { settings: settings(), ..Setting::of(REPO) };
    plain.settings.developer_instructions = Some("BE NICE".to_owned());
    let mut scene: Scene = plain.begin().await;
    scene.say("hi").await;
    assert_snapshot!(scene.layout(), @"
    00 developer [generic.developer_instructions, permissions.instructions]
    01 user [agents_md.instructions, environments.environment_context]
    02 user [user.text]
    03 assistant
    ");
}

#[tokio::test]
async fn a_conversation_is_as_long_as_it_was_when_turns_are_taken_back() {
    let too_long =
        || vec![Reply::Fail(SampleError::ContextTooLong { message: "too many".to_owned() })];
    let script = vec![vec![Reply::Message("a")], too_long()];
    let mut scene = Setting { script, ..Setting::of(REPO) }.begin().await;
    scene.say("one").await;
    scene.say("two").await;
    scene.session.roll_back(1).await.unwrap();
    scene.say("shorter").await;
    assert_eq!(scene.model.requests().len(), 3);
    scene.model.then(too_long().into_iter().collect());
    scene.say("too much").await;
    scene.say("cut down").await;
    assert_eq!(scene.model.requests().len(), 6);
    scene.session.roll_back(1).await.unwrap();
    scene.say("cut down again").await;
    assert_eq!(scene.model.requests().len(), 8);
}
