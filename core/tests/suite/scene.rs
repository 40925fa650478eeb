//! A whole session in a test: a tree of files, a scripted model, and what came of it as readable lines.

#![expect(clippy::disallowed_methods, reason = "a test changes the tree behind the session's back")]

use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use recto_core::agents_md::{
    AgentsMdManager, CodexHomeInstructions, Freshness, UserInstructionsProvider,
};
use recto_core::environment::{
    Environment, EnvironmentId, FileSystem, ThreadEnvironments, TurnEnvironment,
    TurnEnvironmentSelection,
};
use recto_core::history::Audience;
use recto_core::model::find_model;
use recto_core::rollout::SessionRecorder;
use recto_core::session::{
    Clock, LocalTime, Session, SessionEvent, SessionParts, SessionServices, SessionSettings,
    SessionState, SettingsOverrides, SkillHome, Surroundings, TurnEnd, TurnInput, UserInput,
};
use recto_core::testing::{
    CountedIds, Fixture, FixtureDirectory, MemoryRecorder, Reply, ScriptedHookRunner,
    ScriptedSampler, ScriptedTools, file_system_under_test,
};
use recto_protocol::{ContentItem, ContentKind, Item, ResponseItem, Role};
use tokio::sync::mpsc::UnboundedReceiver;

use super::replayed::replayed;

/// A clock that a test sets.
#[derive(Debug)]
pub(crate) struct TestClock(Mutex<LocalTime>);

impl TestClock {
    pub(crate) fn set_date(&self, date: &str) {
        date.clone_into(&mut self.0.lock().expect("no test panics with the clock").date);
    }
}

impl Clock for TestClock {
    fn local_time(&self) -> LocalTime {
        self.0.lock().expect("no test panics with the clock").clone()
    }
}

/// The day on which every scene begins.
pub(crate) fn clock() -> LocalTime {
    LocalTime { date: "2026-11-30".to_owned(), timezone: "Etc/UTC".to_owned() }
}

/// Where a session works.
pub(crate) struct Place {
    pub(crate) file_system: Arc<dyn FileSystem>,
    pub(crate) codex_home: PathBuf,
    pub(crate) cwd: PathBuf,
}

impl Place {
    pub(crate) async fn surroundings(
        &self,
        settings: SessionSettings,
        freshness: Freshness,
        clock: Arc<dyn Clock>,
    ) -> Surroundings {
        let file_system = || Arc::clone(&self.file_system);
        let codex_home = || self.codex_home.clone();
        let host = CodexHomeInstructions { file_system: file_system(), codex_home: codex_home() };
        let mut environments = ThreadEnvironments::default();
        environments.push_ready(TurnEnvironment {
            selection: TurnEnvironmentSelection {
                environment_id: EnvironmentId::local(),
                cwd: self.cwd.clone(),
            },
            environment: Arc::new(Environment {
                file_system: file_system(),
                shell: "bash".to_owned(),
            }),
        });
        let skills = Some(SkillHome {
            file_system: file_system(),
            codex_home: codex_home(),
            user_home: None,
        });
        let agents_md = AgentsMdManager::new(host.user_instructions().await, freshness);
        Surroundings::new(settings, environments, agents_md, skills, clock)
    }
}

/// A session in a tree of files.
pub(crate) struct Scene {
    pub(crate) files: FixtureDirectory,
    pub(crate) clock: Arc<TestClock>,
    pub(crate) model: Arc<ScriptedSampler>,
    pub(crate) tools: Arc<ScriptedTools>,
    pub(crate) recorder: Arc<MemoryRecorder>,
    pub(crate) session: Session,
    events: UnboundedReceiver<SessionEvent>,
}

/// What a test says about a session before it begins.
pub(crate) struct Setting<'a> {
    pub(crate) fixture: &'a str,
    pub(crate) script: Vec<Vec<Reply>>,
    pub(crate) settings: SessionSettings,
    pub(crate) freshness: Freshness,
    pub(crate) hooks: ScriptedHookRunner,
    pub(crate) tools: Vec<&'static str>,
    pub(crate) state: Option<SessionState>,
}

impl<'a> Setting<'a> {
    pub(crate) fn of(fixture: &'a str) -> Self {
        Self {
            fixture,
            script: Vec::new(),
            settings: settings(),
            freshness: Freshness::Selection,
            hooks: ScriptedHookRunner::default(),
            tools: Vec::new(),
            state: None,
        }
    }

    pub(crate) async fn begin(self) -> Scene {
        Scene::begin(self, file_system_under_test()).await
    }

    /// Goes on in a tree that is there already.
    pub(crate) async fn go_on(self, files: FixtureDirectory, past: Past) -> Scene {
        Scene::begin_in(self, file_system_under_test(), files, past).await
    }
}

/// What a session brings along that is not quite new.
pub(crate) struct Past {
    pub(crate) cwd: PathBuf,
    pub(crate) state: Option<SessionState>,
    /// Takes what is recorded instead of the recorder in memory.
    pub(crate) recorder: Arc<dyn SessionRecorder>,
}

pub(crate) fn settings() -> SessionSettings {
    SessionSettings {
        base_instructions: Some("BASE".to_owned()),
        workspace_roots: vec!["/w".to_owned()],
        ..SessionSettings::undecided(find_model("gpt-5.5").info, "local")
    }
}

impl Scene {
    pub(crate) async fn begin(setting: Setting<'_>, file_system: Arc<dyn FileSystem>) -> Self {
        let files = Fixture::parse(setting.fixture).lay_out();
        let recorder = Arc::new(MemoryRecorder::default());
        let past =
            Past { cwd: files.cwd(), state: setting.state.clone(), recorder: recorder.clone() };
        Self { recorder, ..Self::begin_in(setting, file_system, files, past).await }
    }

    async fn begin_in(
        setting: Setting<'_>,
        file_system: Arc<dyn FileSystem>,
        files: FixtureDirectory,
        past: Past,
    ) -> Self {
        let place = Place { file_system, codex_home: files.codex_home(), cwd: past.cwd };
        let clock = Arc::new(TestClock(Mutex::new(clock())));
        let surroundings =
            place.surroundings(setting.settings, setting.freshness, clock.clone()).await;
        let model = Arc::new(ScriptedSampler::new(setting.script));
        let tools = Arc::new(ScriptedTools::named(&setting.tools));
        let recorder = Arc::default();
        let services = SessionServices {
            sampler: model.clone(),
            tools: tools.clone(),
            hooks: Arc::new(setting.hooks),
            recorder: past.recorder,
            ids: Arc::new(CountedIds::default()),
        };
        let parts = SessionParts {
            surroundings,
            services,
            state: past.state,
            cache_key: "thread".into(),
            transcript_path: None,
            thread_names: None,
        };
        let (session, events) = Session::new(parts).await.expect("nothing is forbidden");
        Self { files, clock, model, tools, recorder, session, events }
    }

    /// Another session that goes on from what this one recorded, with settings and files as they are now.
    pub(crate) async fn resumed(
        &self,
        settings: SessionSettings,
        cwd: PathBuf,
        freshness: Freshness,
    ) -> Resumed {
        let audience = Audience::new(&settings.model, settings.provider.as_str());
        let place = Place {
            file_system: file_system_under_test(),
            codex_home: self.files.codex_home(),
            cwd,
        };
        let model = Arc::new(ScriptedSampler::default());
        let recorder = Arc::new(MemoryRecorder::default());
        let parts = SessionParts {
            surroundings: place.surroundings(settings, freshness, self.clock.clone()).await,
            services: SessionServices {
                sampler: model.clone(),
                tools: self.tools.clone(),
                hooks: Arc::new(ScriptedHookRunner::default()),
                recorder: recorder.clone(),
                ids: Arc::new(CountedIds::default()),
            },
            state: Some(replayed(&self.recorder.entries(), audience)),
            cache_key: "thread".into(),
            transcript_path: None,
            thread_names: None,
        };
        let (session, _) = Session::new(parts).await.expect("nothing is forbidden");
        Resumed { model, recorder, session }
    }

    /// Says something and runs to the end; gives how the last turn ended.
    pub(crate) async fn say(&mut self, text: &str) -> TurnEnd {
        self.give(text, SettingsOverrides::default()).await
    }

    pub(crate) async fn give(&mut self, text: &str, overrides: SettingsOverrides) -> TurnEnd {
        let ends = self
            .session
            .run(TurnInput { input: UserInput::text(text), overrides, ..TurnInput::default() })
            .await;
        ends.into_iter().next_back().expect("a turn ran")
    }

    /// Goes to another directory of the tree with the next turn.
    pub(crate) fn to(&self, path: &str) -> SettingsOverrides {
        SettingsOverrides { cwd: Some(self.files.path(path)), ..SettingsOverrides::default() }
    }

    pub(crate) fn write(&self, path: &str, text: &str) {
        std::fs::write(self.files.path(path), text).expect("the tree can be written");
    }

    pub(crate) fn remove(&self, path: &str) {
        std::fs::remove_file(self.files.path(path)).expect("the file is there");
    }

    pub(crate) fn remove_if_there(&self, path: &str) {
        let _ = std::fs::remove_file(self.files.path(path));
    }

    pub(crate) fn day(&self) -> String {
        self.clock.local_time().date
    }

    /// The input of the last request, one line an item.
    pub(crate) fn last_request(&self) -> String {
        self.readable(&self.model.requests().last().expect("a request was made").input)
    }

    pub(crate) fn request(&self, at: usize) -> String {
        self.readable(&self.model.requests()[at].input)
    }

    /// The conversation with the kinds of its parts.
    pub(crate) fn layout(&self) -> String {
        let mut out = String::new();
        for (at, item) in self.session.state().history.items().enumerate() {
            let _ = writeln!(out, "{at:02} {}", label(item));
        }
        out
    }

    /// Notices since the last question.
    pub(crate) fn notices(&mut self) -> Vec<String> {
        std::iter::from_fn(|| self.events.try_recv().ok())
            .filter_map(|event| match event {
                SessionEvent::Notice(text) => Some(text),
                SessionEvent::NotRecorded(error) => Some(error.to_string()),
                _ => None,
            })
            .collect()
    }

    fn readable(&self, input: &str) -> String {
        let items: Vec<Box<serde_json::value::RawValue>> =
            serde_json::from_str(input).expect("a request is an array");
        let mut out = String::new();
        for item in items {
            let item = Item::from_json(item.get()).expect("an element is an item");
            let line = match &*item.decoded() {
                ResponseItem::Message(message) => {
                    let texts = message.content.iter().filter_map(ContentItem::text);
                    let texts: Vec<String> = texts.map(|text| self.short(text)).collect();
                    format!("{}: {}", message.role, texts.join(" | "))
                }
                ResponseItem::FunctionCall(call) => format!("call {} {}", call.call_id, call.name),
                ResponseItem::FunctionCallOutput(output) => {
                    format!("output {} {:?}", output.call_id, output.output)
                }
                _ => item.json().to_owned(),
            };
            let _ = writeln!(out, "{line}");
        }
        out
    }

    fn short(&self, text: &str) -> String {
        let text = text.replace(&self.files.root().display().to_string(), "$ROOT");
        for (start, name) in [
            ("<permissions instructions>", "<permissions>"),
            ("<skills_instructions>", "<skills>"),
            ("<turn_aborted>", "<turn_aborted>"),
        ] {
            if text.starts_with(start) {
                return name.to_owned();
            }
        }
        text.replace("\n  <filesystem>", "<fs>")
            .split("<fs>")
            .next()
            .unwrap_or_default()
            .replace('\n', "⏎")
    }
}

/// A session that goes on from the record of another.
pub(crate) struct Resumed {
    pub(crate) model: Arc<ScriptedSampler>,
    pub(crate) recorder: Arc<MemoryRecorder>,
    session: Session,
}

impl Resumed {
    pub(crate) async fn say(&mut self, text: &str) {
        let input = UserInput::text(text);
        self.session.run(TurnInput { input, ..TurnInput::default() }).await;
    }
}

fn label(item: &Item) -> String {
    let kinds: Vec<&str> = item.kinds().iter().map(ContentKind::as_str).collect();
    match &*item.decoded() {
        ResponseItem::Message(message) if message.role == Role::Assistant => "assistant".to_owned(),
        ResponseItem::Message(message) => format!("{} [{}]", message.role, kinds.join(", ")),
        ResponseItem::FunctionCall(call) => format!("call {}", call.call_id),
        ResponseItem::FunctionCallOutput(output) => format!("output {}", output.call_id),
        other => format!("{other:?}"),
    }
}

/// Whether one request's input is the start of another's, without the closing bracket.
pub(crate) fn is_prefix(earlier: &str, later: &str) -> bool {
    later.starts_with(earlier.strip_suffix(']').expect("an array ends so"))
}
