//! A session of our own on the files of this machine.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use recto_core::agents_md::{
    AgentsMdManager, CodexHomeInstructions, Freshness, UserInstructionsProvider,
};
use recto_core::environment::{
    Environment, EnvironmentId, FileSystem, LocalFileSystem, ThreadEnvironments, TurnEnvironment,
    TurnEnvironmentSelection,
};
use recto_core::history::Audience;
use recto_core::model::{Sampler, find_model};
use recto_core::rollout::{RolloutClock, SessionRecorder};
use recto_core::session::{
    LocalTime, Session, SessionParts, SessionServices, SessionSettings, SessionState, Surroundings,
    TurnEnd, TurnInput, UserInput,
};
use recto_core::testing::{CountedIds, ScriptedHookRunner, ScriptedTools};

/// The clock of their records.
#[derive(Debug)]
pub(crate) struct Noon;

impl RolloutClock for Noon {
    fn timestamp(&self) -> String {
        "2026-11-30T12:00:00.000Z".to_owned()
    }
}

pub(crate) fn settings(cwd: &Path) -> SessionSettings {
    SessionSettings {
        workspace_roots: vec![cwd.display().to_string()],
        ..SessionSettings::undecided(find_model("gpt-5.5").info, "local")
    }
}

/// Who reads what a session with these settings sends.
pub(crate) fn audience(settings: &SessionSettings) -> Audience {
    Audience::new(&settings.model, settings.provider.as_str())
}

pub(crate) async fn session(
    settings: SessionSettings,
    cwd: PathBuf,
    codex_home: PathBuf,
    state: Option<SessionState>,
    recorder: Arc<dyn SessionRecorder>,
    sampler: Arc<dyn Sampler>,
) -> Session {
    let file_system: Arc<dyn FileSystem> = Arc::new(LocalFileSystem);
    let host = CodexHomeInstructions { file_system: Arc::clone(&file_system), codex_home };
    let mut environments = ThreadEnvironments::default();
    environments.push_ready(TurnEnvironment {
        selection: TurnEnvironmentSelection { environment_id: EnvironmentId::local(), cwd },
        environment: Arc::new(Environment { file_system, shell: "bash".to_owned() }),
    });
    let agents_md = AgentsMdManager::new(host.user_instructions().await, Freshness::Selection);
    let clock = LocalTime { date: "2026-11-30".to_owned(), timezone: "Etc/UTC".to_owned() };
    let parts = SessionParts {
        surroundings: Surroundings::new(settings, environments, agents_md, None, Arc::new(clock)),
        services: SessionServices {
            sampler,
            tools: Arc::new(ScriptedTools::default()),
            hooks: Arc::new(ScriptedHookRunner::default()),
            recorder,
            ids: Arc::new(CountedIds::default()),
        },
        state,
        cache_key: "thread".to_owned(),
        transcript_path: None,
        thread_names: None,
    };
    Session::new(parts).await.expect("no policy forbids a read").0
}

pub(crate) async fn say(session: &mut Session, text: &str) {
    let input = TurnInput { input: UserInput::text(text), ..TurnInput::default() };
    let ends = session.run(input).await;
    assert!(matches!(ends[..], [TurnEnd::Completed { .. }]), "{ends:?}");
}
