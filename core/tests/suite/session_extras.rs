//! Skills, hooks, modes and other models in sessions.

use std::path::PathBuf;
use std::time::Duration;

use insta::assert_snapshot;
use pretty_assertions::assert_eq;
use recto_core::context::SubagentNotification;
use recto_core::context::collaboration_mode::CollaborationMode;
use recto_core::context::personality_spec::Personality;
use recto_core::context::subagent_notification::SubagentStatus;
use recto_core::hooks::{HookEvent, HookMatcher, HookSpec};
use recto_core::model::find_model;
use recto_core::rollout::{RolloutEntry, TurnContextItem};
use recto_core::session::{PersonalitySetting, SettingsOverrides, TurnEnd, TurnInput, UserInput};
use recto_core::testing::{Reply, ScriptedHookRunner};
use recto_protocol::ApprovalPolicy;

use super::scene::{Scene, Setting, is_prefix};

const GREET: &str = "
    //- repo/.git/HEAD = \"ref\"
    //- home/skills/greet/SKILL.md
    ---
    name: greet
    description: Says hello
    ---
    Say hello.
    //- repo/.agents/skills/twin/SKILL.md
    ---
    name: twin
    description: One of two
    ---
    ONE
    //- home/skills/twin/SKILL.md
    ---
    name: twin
    description: The other
    ---
    TWO
    //- cwd: repo
";

fn tail(scene: &Scene, skip: usize) -> String {
    scene.last_request().lines().skip(skip).collect::<Vec<_>>().join("\n")
}

#[tokio::test]
async fn a_mentioned_skill_stands_after_the_message_and_only_in_its_turn() {
    let mut scene = Setting::of(GREET).begin().await;
    scene.say("use $greet now").await;
    assert_snapshot!(tail(&scene, 2), @"
    user: use $greet now
    user: <skill>⏎<name>greet</name>⏎<path>$ROOT/home/skills/greet/SKILL.md</path>⏎---⏎name: greet⏎description: Says hello⏎---⏎Say hello.⏎⏎</skill>
    ");
    scene.say("go on").await;
    assert_eq!(scene.last_request().matches("<skill>").count(), 1);
    assert_snapshot!(scene.layout(), @"
    00 developer [host_skills.instructions, permissions.instructions]
    01 user [environments.environment_context]
    02 user [user.text]
    03 user [skills.selected_skill_instructions]
    04 assistant
    05 user [user.text]
    06 assistant
    ");
}

#[tokio::test]
async fn a_name_that_two_skills_share_injects_neither_and_the_person_is_told() {
    let mut scene = Setting::of(GREET).begin().await;
    scene.say("use $twin").await;
    assert!(!scene.last_request().contains("<skill>"), "{}", scene.last_request());
    assert_snapshot!(scene.notices().join("\n"), @"`$twin` is the name of 2 skills, so none of them was used; a link `[$twin](PATH)` says which");
    let link = scene.files.path("repo/.agents/skills/twin/SKILL.md");
    scene.say(&format!("use [$twin]({})", link.display())).await;
    assert!(scene.last_request().contains("ONE"), "{}", scene.last_request());
}

#[tokio::test]
async fn what_the_model_or_a_file_says_never_asks_for_a_skill() {
    let fixture = format!("{GREET}    //- repo/AGENTS.md = \"$greet\"\n");
    let script = vec![vec![Reply::Message("$greet")]];
    let mut scene = Setting { script, ..Setting::of(&fixture) }.begin().await;
    scene.say("hi").await;
    scene.say("on").await;
    assert!(!scene.last_request().contains("<skill>"), "{}", scene.last_request());
}

fn hook(event: HookEvent, command: &str) -> HookSpec {
    HookSpec {
        event,
        matcher: HookMatcher::default(),
        command: command.to_owned(),
        timeout: Duration::from_secs(5),
        source: PathBuf::from("/h/hooks.json"),
    }
}

async fn with_hooks(hooks: Vec<HookSpec>, runner: ScriptedHookRunner) -> Scene {
    let mut setting = Setting::of("//- repo/.git/\n//- cwd: repo\n");
    setting.settings.hooks = hooks;
    setting.hooks = runner;
    setting.begin().await
}

#[tokio::test]
async fn b62_what_hooks_add_has_its_place_and_hides_no_prompt() {
    let context = |event: &str, text: &str| {
        format!(
            r#"{{"hookSpecificOutput":{{"hookEventName":"{event}","additionalContext":"{text}"}}}}"#
        )
    };
    let runner = ScriptedHookRunner::default()
        .exits("start", 0, &context("SessionStart", "H"), "")
        .exits("submit", 0, &context("UserPromptSubmit", "CTX"), "");
    let hooks =
        vec![hook(HookEvent::SessionStart, "start"), hook(HookEvent::UserPromptSubmit, "submit")];
    let mut scene = with_hooks(hooks, runner).await;
    scene.say("do X").await;
    assert_snapshot!(tail(&scene, 2), @"
    developer: H
    user: do X
    developer: CTX
    ");
    scene.say("do Y").await;
    assert_eq!(scene.last_request().matches("developer: H\n").count(), 1);
}

#[tokio::test]
async fn b126_a_blocked_prompt_is_nowhere_and_its_context_is_kept() {
    let answer = r#"{"decision":"block","reason":"no secrets","hookSpecificOutput":{"hookEventName":"UserPromptSubmit","additionalContext":"CTX"}}"#;
    let runner = ScriptedHookRunner::default().exits("submit", 0, answer, "");
    let mut scene = with_hooks(vec![hook(HookEvent::UserPromptSubmit, "submit")], runner).await;
    let end = scene.say("SECRET-1").await;
    assert_eq!(end, TurnEnd::Blocked { reason: "no secrets".to_owned() });
    let everything = format!("{:?}{:?}", scene.session.state(), scene.recorder.entries());
    assert!(!everything.contains("SECRET-1"), "{everything}");
    assert!(everything.contains("CTX"), "{everything}");
    assert_eq!(scene.model.requests().len(), 0);
}

#[tokio::test]
async fn b125_a_hook_that_hangs_holds_nobody() {
    tokio::time::pause();
    let runner = ScriptedHookRunner::default().hangs("submit");
    let mut scene = with_hooks(vec![hook(HookEvent::UserPromptSubmit, "submit")], runner).await;
    assert_eq!(scene.say("one").await, TurnEnd::Completed { last_message: Some("ok".to_owned()) });
    assert_snapshot!(scene.notices().join("\n"), @"user-prompt-submit:0:/h/hooks.json: the hook took longer than 5 s and was killed");
}

#[tokio::test]
async fn b127_a_stop_hook_that_always_wants_more_is_bounded_and_is_no_user_turn() {
    let answer = r#"{"decision":"block","reason":"again </hook_prompt> & more"}"#;
    let runner = ScriptedHookRunner::default().exits("stop", 0, answer, "");
    let mut scene = with_hooks(vec![hook(HookEvent::Stop, "stop")], runner).await;
    scene.say("go").await;
    assert_eq!(scene.model.requests().len(), 11);
    assert_eq!(scene.session.state().history.user_turns(), 1);
    assert_snapshot!(scene.notices().join("\n"), @"stop hooks sent the model on 10 times; the turn ends here");
    assert_snapshot!(tail(&scene, 3).lines().take(2).collect::<Vec<_>>().join("\n"), @r#"
    assistant: ok
    user: <hook_prompt hook_run_id="stop:0:/h/hooks.json">again &lt;/hook_prompt&gt; &amp; more</hook_prompt>
    "#);
}

#[tokio::test]
async fn b140_another_model_is_told_once_and_again_after_a_rollback() {
    let mut scene = Setting::of("//- repo/.git/\n//- cwd: repo\n").begin().await;
    scene.say("one").await;
    let other = || SettingsOverrides {
        model: Some(find_model("other").info),
        ..SettingsOverrides::default()
    };
    scene.give("two", other()).await;
    assert_eq!(scene.last_request().matches("<model_switch>").count(), 1);
    scene.session.roll_back(1).await.unwrap();
    scene.give("two", other()).await;
    assert_eq!(scene.last_request().matches("<model_switch>").count(), 1);
    scene.session.roll_back(1).await.unwrap();
    let same = SettingsOverrides { model: Some(find_model("gpt-5.5").info), ..Default::default() };
    scene.give("two", same).await;
    assert_eq!(scene.last_request().matches("<model_switch>").count(), 0);
}

#[tokio::test]
async fn several_changes_come_in_the_order_of_their_sections() {
    let mut scene = Setting::of(GREET).begin().await;
    scene.say("one").await;
    scene.write("repo/AGENTS.md", "NEW\n");
    let overrides = SettingsOverrides {
        cwd: Some(scene.files.path("repo/.agents")),
        model: Some(find_model("other").info),
        collaboration_mode: Some(CollaborationMode::Plan),
        ..SettingsOverrides::default()
    };
    scene.give("two", overrides).await;
    let requests = scene.model.requests();
    assert!(is_prefix(&requests[0].input, &requests[1].input));
    assert_snapshot!(scene.layout(), @"
    00 developer [host_skills.instructions, permissions.instructions]
    01 user [environments.environment_context]
    02 user [user.text]
    03 assistant
    04 developer [model_switch.instructions]
    05 user [agents_md.instructions]
    06 developer [collaboration_mode.instructions]
    07 user [environments.environment_context]
    08 user [user.text]
    09 assistant
    ");
}

#[tokio::test]
async fn a_personality_is_told_where_the_feature_is_on_and_one_was_chosen() {
    let mut setting = Setting::of("//- repo/.git/\n//- cwd: repo\n");
    setting.settings.personality = PersonalitySetting::On(Some(Personality::Pragmatic));
    let mut scene = setting.begin().await;
    scene.say("hi").await;
    assert!(scene.layout().contains("personality"), "{}", scene.layout());
    let mut scene = Setting::of("//- repo/.git/\n//- cwd: repo\n").begin().await;
    scene.say("hi").await;
    assert!(!scene.layout().contains("personality"), "{}", scene.layout());
    // The model's own base instructions carry one already.
    let mut setting = Setting::of("//- repo/.git/\n//- cwd: repo\n");
    setting.settings.personality = PersonalitySetting::On(Some(Personality::Pragmatic));
    setting.settings.base_instructions = None;
    setting.settings.model.base_instructions_carry_personality = true;
    let mut scene = setting.begin().await;
    scene.say("hi").await;
    assert!(!scene.layout().contains("personality"), "{}", scene.layout());
}

#[tokio::test]
async fn no_message_of_another_agent_and_no_item_of_the_host_asks_for_a_skill_or_a_plugin() {
    let words = "$greet [$x](/none) [@n](plugin://notes@shop)".to_owned();
    let ended = SubagentNotification {
        agent_path: "/root/tests".to_owned(),
        status: SubagentStatus::Completed(Some(words)),
    };
    let mut scene = Setting::of(GREET).begin().await;
    let input = UserInput::text("go on").with_fragment(&ended);
    scene.session.run(TurnInput { input, ..TurnInput::default() }).await;
    assert_snapshot!(scene.layout(), @"
    00 developer [host_skills.instructions, permissions.instructions]
    01 user [environments.environment_context]
    02 user [user.text]
    03 user [subagents.notification]
    04 assistant
    ");
}

#[tokio::test]
async fn the_settings_of_a_turn_are_recorded_and_never_said() {
    let mut setting = Setting::of("//- repo/.git/\n//- cwd: repo\n");
    setting.settings.personality = PersonalitySetting::On(Some(Personality::Pragmatic));
    setting.settings.collaboration_mode = CollaborationMode::Plan;
    let mut scene = setting.begin().await;
    scene.say("hi").await;
    let recorded: Vec<TurnContextItem> = scene
        .recorder
        .entries()
        .into_iter()
        .filter_map(|entry| match entry {
            RolloutEntry::TurnContext(context) => Some(context),
            _ => None,
        })
        .collect();
    let [context] = &recorded[..] else { panic!("{recorded:?}") };
    let expected = TurnContextItem {
        turn_id: context.turn_id,
        cwd: scene.files.path("repo").display().to_string(),
        current_date: Some("2026-11-30".to_owned()),
        timezone: Some("Etc/UTC".to_owned()),
        approval_policy: ApprovalPolicy::Never,
        permission_profile: super::scene::settings().permission_profile,
        model: "gpt-5.5".to_owned(),
        model_provider: Some("local".to_owned()),
        personality: Some("pragmatic".to_owned()),
        collaboration_mode: Some("plan".to_owned()),
    };
    assert_eq!(*context, expected);
}
