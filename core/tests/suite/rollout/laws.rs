//! What holds for every session: gone on with from its file, it says what it would have said without a stop.

#![expect(clippy::disallowed_methods, reason = "a test reads the file that a session recorded")]

use std::fmt::Write as _;
use std::sync::Arc;

use proptest::prelude::*;
use recto_core::agents_md::Freshness;
use recto_core::context::collaboration_mode::CollaborationMode;
use recto_core::history::Audience;
use recto_core::model::{SampleError, find_model};
use recto_core::rollout::{RecordError, RolloutEntry, SessionRecorder, Until, replay_bytes};
use recto_core::session::{SessionState, SettingsOverrides};
use recto_core::testing::{Reply, rounds};
use recto_protocol::{ApprovalPolicy, PermissionProfile};
use serde_json::value::RawValue;

use super::super::lives::Life;
use super::super::scene::{Past, Scene, Setting};
use super::super::support::block_on;

const TREE: &str = "
    //- repo/.git/HEAD = \"ref\"
    //- repo/AGENTS.md
    ROOT
    //- repo/sub/AGENTS.md
    SUB
    //- repo/.agents/skills/greet/SKILL.md
    ---
    name: greet
    description: Says hello
    ---
    Say hello.
    //- cwd: repo
";

const DIRECTORIES: [&str; 2] = ["repo", "repo/sub"];
const MODELS: [&str; 3] = ["gpt-5.5", "gpt-6.2-sol", "other"];

/// One thing that happens to a session.
#[derive(Debug, Clone)]
enum Event {
    Say(Answer, Change),
    RollBack(usize),
    Edit(usize),
    Remove(usize),
    NewDay(u8),
}

/// What a turn changes before it begins.
#[derive(Debug, Clone)]
enum Change {
    Nothing,
    Directory(usize),
    Model(usize),
    Provider(&'static str),
    Permissions(bool),
    Approval(bool),
    Plan(bool),
}

/// How the model answers a turn.
#[derive(Debug, Clone)]
enum Answer {
    Text,
    Calls(u8),
    Sealed,
    /// So many tokens that the next request begins with a compaction.
    Full,
    Fails,
    FailsAfterAnItem,
}

fn change() -> impl Strategy<Value = Change> {
    prop_oneof![
        6 => Just(Change::Nothing),
        2 => (0..DIRECTORIES.len()).prop_map(Change::Directory),
        1 => (0..MODELS.len()).prop_map(Change::Model),
        1 => prop_oneof![Just("local"), Just("elsewhere")].prop_map(Change::Provider),
        1 => any::<bool>().prop_map(Change::Permissions),
        1 => any::<bool>().prop_map(Change::Approval),
        1 => any::<bool>().prop_map(Change::Plan),
    ]
}

fn answer() -> impl Strategy<Value = Answer> {
    prop_oneof![
        4 => Just(Answer::Text),
        2 => (1..3_u8).prop_map(Answer::Calls),
        1 => Just(Answer::Sealed),
        1 => Just(Answer::Full),
        1 => Just(Answer::Fails),
        1 => Just(Answer::FailsAfterAnItem),
    ]
}

fn event() -> impl Strategy<Value = Event> {
    prop_oneof![
        6 => (answer(), change()).prop_map(|(answer, change)| Event::Say(answer, change)),
        1 => (1..4_usize).prop_map(Event::RollBack),
        1 => (0..DIRECTORIES.len()).prop_map(Event::Edit),
        1 => (0..DIRECTORIES.len()).prop_map(Event::Remove),
        1 => (1..28_u8).prop_map(Event::NewDay),
    ]
}

impl Change {
    fn overrides(&self, scene: &Scene) -> SettingsOverrides {
        let mut overrides = SettingsOverrides::default();
        match self {
            Self::Nothing => {}
            Self::Directory(at) => overrides.cwd = Some(scene.files.path(DIRECTORIES[*at])),
            Self::Model(at) => overrides.model = Some(find_model(MODELS[*at]).info),
            Self::Provider(name) => overrides.provider = Some((*name).to_owned()),
            Self::Permissions(open) => {
                overrides.permission_profile = Some(if *open {
                    PermissionProfile::Disabled
                } else {
                    super::super::scene::settings().permission_profile
                });
            }
            Self::Approval(asks) => {
                overrides.approval_policy =
                    Some(if *asks { ApprovalPolicy::OnRequest } else { ApprovalPolicy::Never });
            }
            Self::Plan(plans) => {
                overrides.collaboration_mode =
                    Some(if *plans { CollaborationMode::Plan } else { CollaborationMode::Default });
            }
        }
        overrides
    }
}

impl Answer {
    /// The responses of the turn; `turn` makes names that come once.
    fn script(&self, turn: usize) -> Vec<Vec<Reply>> {
        let said = || {
            Reply::Item(format!(
                r#"{{"type":"message","id":"msg_{turn:08}","role":"assistant","content":[{{"type":"output_text","text":"a {turn}"}}]}}"#
            ))
        };
        let call = |n: u8| {
            Reply::Item(format!(
                r#"{{"type":"function_call","name":"tool","arguments":"{{}}","call_id":"c{turn}_{n}"}}"#
            ))
        };
        let broken = || Reply::Fail(SampleError::Failed { message: "cut".to_owned(), hint: None });
        match self {
            Self::Text => vec![vec![said(), Reply::Usage(300)]],
            Self::Calls(calls) => {
                vec![(0..*calls).map(call).chain([Reply::Usage(400)]).collect(), vec![said()]]
            }
            Self::Sealed => vec![vec![
                Reply::Item(
                    r#"{"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":"E"}"#
                        .to_owned(),
                ),
                said(),
            ]],
            Self::Full => vec![vec![said(), Reply::Usage(90_000)]],
            Self::Fails => vec![vec![broken()]],
            Self::FailsAfterAnItem => vec![vec![said(), broken()]],
        }
    }
}

/// Lets things happen to a session.
async fn happen(life: &mut Life, events: &[Event]) -> SettingsOverrides {
    let mut settings = SettingsOverrides::default();
    for (turn, event) in events.iter().enumerate() {
        let scene = &mut life.scene;
        match event {
            Event::Say(answer, change) => {
                // A compaction asks first, and takes what answers it for its summary.
                let full = scene.session.state().history.context_tokens() >= 80_000;
                if full {
                    scene.model.then(vec![Reply::Message("SUMMARY")]);
                }
                answer.script(turn).into_iter().for_each(|replies| scene.model.then(replies));
                let overrides = change.overrides(scene);
                merge(&mut settings, &overrides);
                scene.give(&format!("say {turn}"), overrides).await;
            }
            Event::RollBack(turns) => {
                let _ = scene.session.roll_back(*turns).await;
            }
            Event::Edit(at) => {
                let text = format!("edit {}\n", "x".repeat(turn));
                scene.write(&format!("{}/AGENTS.md", DIRECTORIES[*at]), &text);
            }
            Event::Remove(at) => {
                let path = scene.files.path(format!("{}/AGENTS.md", DIRECTORIES[*at]));
                let _ = std::fs::remove_file(path);
            }
            Event::NewDay(day) => scene.clock.set_date(&format!("2026-12-{day:02}")),
        }
    }
    settings
}

fn merge(into: &mut SettingsOverrides, from: &SettingsOverrides) {
    let from = from.clone();
    into.cwd = from.cwd.or(into.cwd.take());
    into.model = from.model.or(into.model.take());
    into.provider = from.provider.or(into.provider.take());
    into.permission_profile = from.permission_profile.or(into.permission_profile.take());
    into.approval_policy = from.approval_policy.or(into.approval_policy.take());
    into.collaboration_mode = from.collaboration_mode.or(into.collaboration_mode.take());
}

fn setting() -> Setting<'static> {
    let mut setting = Setting { freshness: Freshness::Stat, ..Setting::of(TREE) };
    setting.settings.auto_compact_token_limit = Some(80_000);
    setting
}

#[derive(Debug)]
struct Forgets;

#[async_trait::async_trait]
impl SessionRecorder for Forgets {
    async fn record(&self, _: Vec<RolloutEntry>) -> Result<(), RecordError> {
        Ok(())
    }
}

/// The next requests of a session that went on, and of one that was read back where the first stood.
async fn both(events: &[Event]) -> (Vec<String>, Vec<String>) {
    let mut life = Life::begin(setting()).await;
    let mut settings = happen(&mut life, events).await;
    let record = std::fs::read(life.recorder.path()).unwrap_or_default();
    let day = life.scene.day();
    let next = |scene: &mut Scene| {
        if scene.session.state().history.context_tokens() >= 80_000 {
            scene.model.then(vec![Reply::Message("SUMMARY")]);
        }
    };
    let before = life.scene.model.requests().len();
    next(&mut life.scene);
    life.scene.say("next").await;
    let went_on = requests(&life.scene, before);

    let mut again = setting();
    let session = replay_bytes(&record, Until::End).ok();
    let model = settings.model.clone().unwrap_or_else(|| again.settings.model.clone());
    let provider = settings.provider.clone().unwrap_or_else(|| again.settings.provider.clone());
    let audience = Audience::new(&model, provider.as_str());
    let cwd = settings.cwd.take().unwrap_or_else(|| life.scene.files.cwd());
    if let Some(session) = &session {
        assert_eq!(session.faults.total(), 0, "{:?}", session.faults);
        // Where turns were taken back, the last directory that is recorded is an older one.
        assert!(session.cwd().is_some());
    }
    again.settings.model = model;
    again.settings.provider = provider;
    let past = Past {
        cwd,
        state: session.as_ref().map(|session| SessionState::resumed(session, &audience)),
        recorder: Arc::new(Forgets),
    };
    settings.model = None;
    settings.provider = None;
    let mut scene = again.go_on(life.end().await.files, past).await;
    scene.clock.set_date(&day);
    next(&mut scene);
    scene.give("next", settings).await;
    let resumed = requests(&scene, 0);
    (went_on, resumed)
}

fn requests(scene: &Scene, from: usize) -> Vec<String> {
    let requests = scene.model.requests();
    requests[from..].iter().map(|it| format!("{}\n{}", it.instructions, it.input)).collect()
}

/// The first item in which two requests differ.
fn first_difference(live: &[String], resumed: &[String]) -> Option<String> {
    if live.len() != resumed.len() {
        return Some(format!("{} requests live, {} resumed", live.len(), resumed.len()));
    }
    let (live, resumed) = live.iter().zip(resumed).find(|(live, resumed)| live != resumed)?;
    let items = |request: &str| -> Vec<String> {
        let input = request.split_once('\n').expect("instructions stand first").1;
        let items: Vec<Box<RawValue>> = serde_json::from_str(input).expect("an array");
        items.iter().map(|item| item.get().to_owned()).collect()
    };
    let (live, resumed) = (items(live), items(resumed));
    let mut out = String::from("first difference\n");
    for at in 0..live.len().max(resumed.len()) {
        if live.get(at) != resumed.get(at) {
            let _ = writeln!(
                out,
                "[{at}] live    {:?}\n[{at}] resumed {:?}",
                live.get(at),
                resumed.get(at)
            );
            return Some(out);
        }
    }
    Some("the instructions differ".to_owned())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: rounds(64, 2_000), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn soak_a_resumed_session_asks_what_the_live_one_asks(events in prop::collection::vec(event(), 0..12)) {
        let (live, resumed) = block_on(both(&events));
        prop_assert_eq!(first_difference(&live, &resumed), None);
    }
}
