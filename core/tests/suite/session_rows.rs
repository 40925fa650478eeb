//! Faults that others reported of sessions, each as one scene; the letters and numbers are theirs.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use insta::assert_snapshot;
use pretty_assertions::assert_eq;
use recto_context_fragments::{
    AdditionalContext, AdditionalContextKey, AdditionalContextKind, AdditionalContextValue,
};
use recto_core::agents_md::Freshness;
use recto_core::environment::{FileSystem, FileSystemError};
use recto_core::history::Audience;
use recto_core::hooks::{
    HookEnd, HookEvent, HookMatcher, HookOutput, HookProcess, HookRunner, HookSpec,
};
use recto_core::model::{SampleError, find_model};
use recto_core::session::{
    LocalTime, Session, SessionParts, SessionServices, SessionSettings, SessionState,
    SettingsOverrides, TurnEnd, TurnInput, UserInput,
};
use recto_core::testing::{
    CountedIds, MemoryFileSystem, MemoryRecorder, Reply, ScriptedHookRunner, ScriptedSampler,
    ScriptedTools,
};
use recto_core::tools::{NoTools, ToolCall, ToolDefinition, ToolHandler};
use recto_protocol::{InputModality, Item, ModelInfo, OutputPayload, PermissionProfile};
use serde_json::json;
use serde_json::value::to_raw_value;

use super::scene::{Place, Scene, Setting, is_prefix, settings};
use super::support::Faulty;

const TREE: &str = "
    //- repo/.git/HEAD = \"ref\"
    //- repo/AGENTS.md = \"ROOT\"
    //- repo/sub/
    //- cwd: repo
";

fn turn(text: &str) -> TurnInput {
    TurnInput { input: UserInput::text(text), ..TurnInput::default() }
}

fn completed(text: &str) -> TurnEnd {
    TurnEnd::Completed { last_message: Some(text.to_owned()) }
}

fn to_model(model: ModelInfo, provider: &str) -> SettingsOverrides {
    SettingsOverrides {
        model: Some(model),
        provider: Some(provider.to_owned()),
        ..SettingsOverrides::default()
    }
}

/// The last lines of the last request.
fn end_of_request(scene: &Scene, first: usize) -> String {
    scene.last_request().lines().skip(first).collect::<Vec<_>>().join("\n")
}

#[tokio::test]
async fn b68_turns_without_a_change_and_with_another_directory_only_add() {
    for changes in [[false, false, false], [false, true, false]] {
        let mut scene = Setting::of(TREE).begin().await;
        for is_changed in changes {
            let overrides = scene.to(if is_changed { "repo/sub" } else { "repo" });
            scene.give("on", overrides).await;
        }
        let requests = scene.model.requests();
        assert_eq!(requests.len(), 3);
        assert!(requests.windows(2).all(|pair| is_prefix(&pair[0].input, &pair[1].input)));
    }
}

#[tokio::test]
async fn b113_what_one_provider_sealed_goes_to_no_other_not_even_in_a_compaction() {
    let sealed = json!({"type": "reasoning", "summary": [], "encrypted_content": "E1"});
    let mut setting = Setting::of(TREE);
    setting.settings.auto_compact_token_limit = Some(4_000);
    setting.script = vec![
        vec![Reply::Item(sealed.to_string()), Reply::Message("one")],
        vec![Reply::Message("two")],
        vec![Reply::Message("three")],
        vec![Reply::Message("four"), Reply::Usage(5_000)],
    ];
    let mut scene = setting.begin().await;
    let model = settings().model;
    scene.say("1").await;
    for (text, provider) in [("2", "other"), ("3", "local"), ("4", "other"), ("5", "other")] {
        scene.give(text, to_model(model.clone(), provider)).await;
    }
    let has_it: Vec<(bool, bool)> = scene
        .model
        .requests()
        .iter()
        .map(|it| (it.input.contains("E1"), it.input.contains(r#""text":"one""#)))
        .collect();
    // The last but one asks for the summary, the last one comes after it.
    let expected =
        [(false, false), (false, true), (true, true), (false, true), (false, true), (false, false)];
    assert_eq!(has_it, expected);
}

const PNG: &str = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/// A conversation that was recorded earlier.
fn recorded(items: &[serde_json::Value]) -> SessionState {
    let settings = settings();
    let mut state = SessionState::new(Audience::new(&settings.model, settings.provider.as_str()));
    let items = items.iter().map(|it| Item::from_json(&it.to_string()).expect("an object"));
    state.history.record(items);
    state
}

#[tokio::test]
async fn b119_a_model_that_sees_no_pictures_reads_a_text_and_the_next_one_sees_them_again() {
    let picture = json!({"type": "input_image", "image_url": PNG});
    let text = |text: &str| json!({"type": "input_text", "text": text});
    let items = [
        json!({"type": "message", "role": "user", "content": [text("look"), picture]}),
        json!({"type": "function_call", "name": "view", "arguments": "{}", "call_id": "c1"}),
        json!({"type": "function_call_output", "call_id": "c1", "output": [text("here"), picture]}),
    ];
    let state = Some(recorded(&items));
    let mut scene = Setting { state, ..Setting::of(TREE) }.begin().await;
    let sees = settings().model;
    let blind = ModelInfo { input_modalities: vec![InputModality::Text], ..sees.clone() };
    scene.give("blind", to_model(blind, "local")).await;
    scene.give("seeing", to_model(sees, "local")).await;
    let placeholder = "image content omitted because you do not support image input";
    let counts: Vec<(usize, usize)> = scene
        .model
        .requests()
        .iter()
        .map(|it| (it.input.matches(PNG).count(), it.input.matches(placeholder).count()))
        .collect();
    assert_eq!(counts, [(0, 2), (2, 0)]);
    let stored: Vec<serde_json::Value> = scene
        .session
        .state()
        .history
        .items()
        .take(3)
        .map(|it| serde_json::from_str(it.json()).unwrap())
        .collect();
    assert_eq!(stored, items);
}

/// Tools in the order in which somebody found them.
#[derive(Debug)]
struct Found(Vec<ToolDefinition>);

#[async_trait]
impl ToolHandler for Found {
    fn definitions(&self) -> Vec<ToolDefinition> {
        self.0.clone()
    }

    async fn call(&self, _: &ToolCall) -> OutputPayload {
        OutputPayload::Text(String::new())
    }
}

/// Whom a session in memory is served by, beside a model that says `ok`.
struct Served {
    file_system: Arc<dyn FileSystem>,
    tools: Arc<dyn ToolHandler>,
    hooks: Arc<dyn HookRunner>,
    specs: Vec<HookSpec>,
}

impl Default for Served {
    fn default() -> Self {
        Self {
            file_system: Arc::new(MemoryFileSystem::default()),
            tools: Arc::new(NoTools),
            hooks: Arc::new(ScriptedHookRunner::default()),
            specs: Vec::new(),
        }
    }
}

impl Served {
    async fn begin(self) -> (Session, Arc<ScriptedSampler>) {
        let settings = SessionSettings { hooks: self.specs, ..settings() };
        let place = Place {
            file_system: self.file_system,
            codex_home: "/home/.codex".into(),
            cwd: "/w".into(),
        };
        let (date, timezone) = ("2026-11-30".to_owned(), "Etc/UTC".to_owned());
        let clock = Arc::new(LocalTime { date, timezone });
        let model = Arc::new(ScriptedSampler::default());
        let parts = SessionParts {
            surroundings: place.surroundings(settings, Freshness::Selection, clock).await,
            services: SessionServices {
                sampler: model.clone(),
                tools: self.tools,
                hooks: self.hooks,
                recorder: Arc::new(MemoryRecorder::default()),
                ids: Arc::new(CountedIds::default()),
            },
            state: None,
            cache_key: "thread".to_owned(),
            transcript_path: None,
            thread_names: None,
        };
        let (session, _) = Session::new(parts).await.expect("nothing is forbidden");
        (session, model)
    }
}

#[tokio::test]
async fn b128_tools_in_any_order_are_the_same_bytes() {
    let tool = |name: String, server: usize| ToolDefinition {
        json: to_raw_value(&json!({"type": "function", "name": name, "server": server})).unwrap(),
        name,
    };
    // Ten servers, each with tools that others have, too.
    let mut tools: Vec<ToolDefinition> = (0..20).map(|at| tool(format!("tool_{at}"), 0)).collect();
    tools.extend((1..=10).flat_map(|server| {
        (0..3).map(move |at| tool(format!("mcp_{}", (server + at) % 4), server))
    }));
    let mut expected: Option<Vec<String>> = None;
    for shuffle in 1..=10_usize {
        // Another order each time: steps of a number that shares no factor with 50.
        let step = [1, 3, 7, 9, 11, 13, 17, 19, 21, 23][shuffle - 1];
        let order = (0..tools.len()).map(|at| tools[(at * step + shuffle) % tools.len()].clone());
        let tools = Arc::new(Found(order.collect()));
        let (session, _) = Served { tools, ..Served::default() }.begin().await;
        let sent: Vec<String> =
            session.prompt().tools.iter().map(|it| it.get().to_owned()).collect();
        assert_eq!(sent.len(), 50);
        assert_eq!(&sent, expected.get_or_insert_with(|| sent.clone()));
    }
}

#[tokio::test]
async fn b130_a_call_that_was_killed_is_answered_by_aborted_live_and_resumed() {
    let script = vec![vec![Reply::Call("c1", "read", "{}"), Reply::Call("c2", "hang", "{}")]];
    let mut scene = Setting { script, ..Setting::of(TREE) }.begin().await;
    let tools = Arc::clone(&scene.tools);
    tokio::select! {
        _ = scene.session.run(turn("go")) => panic!("the tool hangs"),
        () = tools.hangs() => {}
    }
    let mut resumed = scene.resumed(settings(), scene.files.cwd(), Freshness::Selection).await;
    scene.say("U2").await;
    resumed.say("U2").await;
    assert_snapshot!(end_of_request(&scene, 2), @r#"
    user: go
    call c1 read
    output c1 Text("aborted")
    call c2 hang
    output c2 Text("aborted")
    user: U2
    "#);
    assert_eq!(resumed.model.requests().last(), scene.model.requests().last());
}

#[tokio::test]
async fn b131_a_replacement_with_half_a_pair_makes_a_whole_request() {
    let call = json!({"type": "function_call", "name": "f", "arguments": "{}", "call_id": "c1"});
    let output = json!({"type": "function_call_output", "call_id": "c1", "output": "x"});
    let thought = json!({"type": "reasoning", "summary": [], "encrypted_content": "E"});
    for (items, expected) in [
        (vec![call], "call c1 f\noutput c1 Text(\"aborted\")"),
        (vec![output], ""),
        (vec![thought], ""),
    ] {
        let mut state = recorded(&[]);
        let items = items.iter().map(|it| Item::from_json(&it.to_string()).expect("an object"));
        state.history.replace(items);
        let mut scene = Setting { state: Some(state), ..Setting::of(TREE) }.begin().await;
        assert_eq!(scene.say("on").await, completed("ok"));
        let request = scene.last_request();
        let before: Vec<&str> =
            request.lines().take_while(|it| !it.starts_with("developer")).collect();
        assert_eq!(before.join("\n"), expected);
    }
}

#[tokio::test]
async fn b133_a_message_that_says_nothing_is_in_no_request() {
    let message = |content: serde_json::Value| {
        let item = json!({"type": "message", "role": "assistant", "content": content});
        Reply::Item(item.to_string())
    };
    let part = |text: &str| json!([{"type": "output_text", "text": text}]);
    let script = vec![
        vec![message(part("")), message(part("  \n")), message(json!([])), Reply::Message("one")],
        vec![message(part(""))],
    ];
    let mut scene = Setting { script, ..Setting::of(TREE) }.begin().await;
    scene.say("1").await;
    scene.say("").await;
    let mut resumed = scene.resumed(settings(), scene.files.cwd(), Freshness::Selection).await;
    scene.say("3").await;
    resumed.say("3").await;
    assert_snapshot!(end_of_request(&scene, 2), @r"
    user: 1
    assistant: one
    user: 3
    ");
    assert_eq!(resumed.model.requests().last(), scene.model.requests().last());
}

#[tokio::test]
async fn b135_a_long_session_that_was_compacted_goes_on_with_the_compacted_view() {
    let mut setting = Setting::of(TREE);
    setting.settings.auto_compact_token_limit = Some(4_000);
    for turn in 1..=40 {
        let cost = if turn == 29 { 5_000 } else { 100 };
        setting.script.push(vec![Reply::Message("answer"), Reply::Usage(cost)]);
        if turn == 29 {
            setting.script.push(vec![Reply::Message("SUMMARY")]);
        }
    }
    let of_session = setting.settings.clone();
    let mut scene = setting.begin().await;
    for turn in 1..=40 {
        scene.say(&format!("turn {turn}.")).await;
    }
    let mut resumed = scene.resumed(of_session, scene.files.cwd(), Freshness::Selection).await;
    scene.say("on").await;
    resumed.say("on").await;
    let request = scene.last_request();
    assert_eq!(resumed.model.requests().last(), scene.model.requests().last());
    assert_eq!(request.matches("SUMMARY").count(), 1);
    // Before turn 30 only what the person said is left.
    assert_eq!(request.matches("answer").count(), 11);
}

#[tokio::test]
async fn b140_after_a_rollback_another_model_is_told_as_if_it_were_the_first_time() {
    for (slug, is_told) in [("gpt-6-sol", true), ("gpt-5.5", false)] {
        let mut scene = Setting::of(TREE).begin().await;
        let switch = |slug: &str| to_model(find_model(slug).info, "local");
        scene.say("1").await;
        scene.give("2", switch("gpt-6-sol")).await;
        assert!(scene.last_request().contains("<model_switch>"));
        scene.session.roll_back(1).await.unwrap();
        let of_session = SessionSettings { model: find_model(slug).info, ..settings() };
        let mut resumed = scene.resumed(of_session, scene.files.cwd(), Freshness::Selection).await;
        scene.give("3", switch(slug)).await;
        resumed.say("3").await;
        assert_eq!(scene.last_request().contains("<model_switch>"), is_told, "{slug}");
        assert_eq!(resumed.model.requests().last(), scene.model.requests().last(), "{slug}");
    }
}

/// Blocks, fails or hangs at the first prompt and lets the others through.
#[derive(Debug)]
struct FirstPrompt(HookOutput);

#[async_trait]
impl HookRunner for FirstPrompt {
    async fn run(&self, process: HookProcess) -> HookOutput {
        if process.input.contains(r#""prompt":"first""#) {
            self.0.clone()
        } else {
            HookEnd::Exited(0).without_output()
        }
    }
}

#[tokio::test]
async fn b125_a_hook_that_blocks_or_fails_or_hangs_does_not_hold_up_the_next_prompt() {
    let blocked =
        HookOutput { end: HookEnd::Exited(2), stdout: Vec::new(), stderr: b"NO".to_vec() };
    let failed = HookEnd::Exited(1).without_output();
    let timed_out = HookEnd::TimedOut.without_output();
    for (output, said) in
        [(blocked, "second"), (failed, "first second"), (timed_out, "first second")]
    {
        let spec = HookSpec {
            event: HookEvent::UserPromptSubmit,
            matcher: HookMatcher::default(),
            command: "check".to_owned(),
            timeout: Duration::from_secs(1),
            source: "/home/.codex/config.toml".into(),
        };
        let hooks = Arc::new(FirstPrompt(output));
        let served = Served { hooks, specs: vec![spec], ..Served::default() };
        let (mut session, model) = served.begin().await;
        let handle = session.handle();
        handle.submit(turn("first"));
        handle.submit(turn("second"));
        session.run_until_idle().await;
        let last = model.requests().pop().expect("the second is asked").input;
        let found: Vec<&str> =
            ["first", "second"].into_iter().filter(|it| last.contains(it)).collect();
        assert_eq!(found.join(" "), said);
    }
}

#[tokio::test]
async fn b123_a_failure_that_lasts_hands_back_what_came_meanwhile_and_ends() {
    let failed = || Reply::Fail(SampleError::Failed { message: "gone".to_owned(), hint: None });
    let mut setting = Setting::of(TREE);
    setting.settings.auto_compact_token_limit = Some(4_000);
    setting.script = vec![
        vec![Reply::Usage(5_000), Reply::Call("c1", "hang", "{}")],
        vec![failed()],
        vec![failed()],
    ];
    let mut scene = setting.begin().await;
    let (handle, tools) = (scene.session.handle(), Arc::clone(&scene.tools));
    let steer = async {
        tools.hangs().await;
        handle.submit(turn("meanwhile"));
        tools.release();
    };
    let (ends, ()) = tokio::join!(scene.session.run(turn("go")), steer);
    let failed = |rejected| TurnEnd::Failed { message: "gone".to_owned(), hint: None, rejected };
    assert_eq!(ends, [failed(Vec::new()), failed(vec![UserInput::text("meanwhile")])]);
    assert_eq!(handle.take_back(), []);
}

#[tokio::test]
async fn b123_what_a_policy_forbids_for_good_hands_back_what_came_meanwhile_and_ends() {
    let path = || PathBuf::from("/w/sub/AGENTS.md");
    let denied = || FileSystemError::Denied { path: path(), policy: "of the test".to_owned() };
    let inner = MemoryFileSystem::default();
    inner.write(path(), "SUB");
    let tools = Arc::new(ScriptedTools::default());
    let served = Served {
        file_system: Arc::new(Faulty::over(Arc::new(inner), path(), denied())),
        tools: tools.clone(),
        ..Served::default()
    };
    let (mut session, model) = served.begin().await;
    model.then(vec![Reply::Call("c1", "hang", "{}")]);
    let handle = session.handle();
    let overrides =
        SettingsOverrides { cwd: Some("/w/sub".into()), ..SettingsOverrides::default() };
    let steer = async {
        tools.hangs().await;
        handle.submit(TurnInput {
            input: UserInput::text("meanwhile"),
            overrides,
            ..TurnInput::default()
        });
        tools.release();
    };
    let (ends, ()) = tokio::join!(session.run(turn("go")), steer);
    let message = format!("project instructions could not be read: {}", denied());
    let failed = |rejected| TurnEnd::Failed { message: message.clone(), hint: None, rejected };
    assert_eq!(ends, [failed(Vec::new()), failed(vec![UserInput::text("meanwhile")])]);
}

#[tokio::test]
async fn settings_that_come_with_a_steering_input_are_told_before_it() {
    let script = vec![vec![Reply::Call("c1", "hang", "{}")]];
    let mut scene = Setting { script, ..Setting::of(TREE) }.begin().await;
    let (handle, tools) = (scene.session.handle(), Arc::clone(&scene.tools));
    let overrides = SettingsOverrides {
        permission_profile: Some(PermissionProfile::Disabled),
        ..SettingsOverrides::default()
    };
    let steer = async {
        tools.hangs().await;
        handle.submit(TurnInput {
            input: UserInput::text("and this"),
            overrides,
            ..TurnInput::default()
        });
        tools.release();
    };
    let (_, ()) = tokio::join!(scene.say("go"), steer);
    assert_snapshot!(end_of_request(&scene, 3), @r#"
    call c1 hang
    output c1 Text("hang({})")
    developer: <permissions>
    user: <environment_context>⏎  <current_date>2026-11-30</current_date>⏎  <timezone>Etc/UTC</timezone>
    user: and this
    "#);
}

#[tokio::test]
async fn a_value_beside_a_turn_that_was_taken_back_is_told_again() {
    let mut values = AdditionalContext::default();
    let value =
        AdditionalContextValue { kind: AdditionalContextKind::Application, text: "42".to_owned() };
    values.insert(AdditionalContextKey::new("answer").unwrap(), value);
    let input = || TurnInput {
        input: UserInput { additional_context: values.clone(), ..UserInput::text("on") },
        ..TurnInput::default()
    };
    let mut scene = Setting::of(TREE).begin().await;
    scene.say("1").await;
    scene.session.run(input()).await;
    scene.session.run(input()).await;
    assert_eq!(scene.last_request().matches("<answer>42").count(), 1);
    scene.session.roll_back(2).await.unwrap();
    scene.session.run(input()).await;
    assert_eq!(scene.last_request().matches("<answer>42").count(), 1);
}
