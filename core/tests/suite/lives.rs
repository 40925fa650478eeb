//! A session that is recorded in a file, ended and gone on with, in one tree of files.

use std::path::PathBuf;
use std::sync::Arc;

use recto_core::history::Audience;
use recto_core::rollout::{
    Mended, NewRollout, RecorderSettings, RolloutChain, RolloutClock, RolloutRecorder, SessionStart,
};
use recto_core::session::{SessionSettings, SessionState, resumed_cwd};
use recto_core::testing::{Fixture, FixtureDirectory, file_system_under_test};
use recto_protocol::ThreadId;
use uuid::Uuid;

use super::scene::{Past, Scene, Setting};

pub(crate) const START: SessionStart =
    SessionStart { year: 2026, month: 11, day: 30, hour: 12, minute: 0, second: 0 };

/// A clock of records that stands still.
#[derive(Debug)]
pub(crate) struct Noon;

impl RolloutClock for Noon {
    fn timestamp(&self) -> String {
        "2026-11-30T12:00:00.000Z".to_owned()
    }
}

/// A session that is recorded in a file.
pub(crate) struct Life {
    pub(crate) scene: Scene,
    pub(crate) recorder: Arc<RolloutRecorder>,
    pub(crate) mended: Option<Mended>,
}

/// A session that ended: its tree and its file.
pub(crate) struct Ended {
    pub(crate) files: FixtureDirectory,
    pub(crate) path: PathBuf,
}

pub(crate) fn new_rollout(id: u128, cwd: String, settings: &SessionSettings) -> NewRollout {
    NewRollout {
        thread_id: ThreadId::from_uuid(Uuid::from_u128(id)),
        start: START,
        cwd,
        cli_version: "0.1.0".to_owned(),
        source: "exec".to_owned(),
        model_provider: settings.provider.clone(),
        base_instructions: Some(settings.recorded_instructions()),
        dynamic_tools: settings.dynamic_tools.clone(),
    }
}

impl Life {
    pub(crate) async fn begin(setting: Setting<'_>) -> Self {
        let files = Fixture::parse(setting.fixture).lay_out();
        let cwd = files.cwd();
        let new = new_rollout(1, cwd.display().to_string(), &setting.settings);
        let recorder = Arc::new(RolloutRecorder::create(
            &files.codex_home(),
            &new,
            RecorderSettings::default(),
            Arc::new(Noon),
        ));
        let past = Past { cwd, state: None, recorder: recorder.clone() };
        let scene = setting.go_on(files, past).await;
        Self { scene, recorder, mended: None }
    }

    /// Ends it as a program does that is closed.
    pub(crate) async fn end(self) -> Ended {
        self.recorder.close().await.expect("the file takes all");
        Ended { path: self.recorder.path().to_owned(), files: self.scene.files }
    }

    /// Ends it and goes on with it.
    pub(crate) async fn resume(self, setting: Setting<'_>) -> Self {
        Box::pin(self.end().await.resume(setting, None)).await
    }

    pub(crate) async fn say(&mut self, text: &str) -> recto_core::session::TurnEnd {
        self.scene.say(text).await
    }
}

impl Ended {
    /// Goes on in the same file; `cwd` is what the person says about the directory.
    pub(crate) async fn resume(self, setting: Setting<'_>, cwd: Option<PathBuf>) -> Life {
        let (chain, home) = (RolloutChain::single(&self.path), self.files.codex_home());
        let (settings, clock) = (RecorderSettings::default(), Arc::new(Noon));
        let resumed = RolloutRecorder::resume(&chain, Some(&home), settings, clock);
        let resumed = resumed.await.expect("the file can be gone on with");
        let files = file_system_under_test();
        let cwd = resumed_cwd(&resumed.session, cwd.as_deref(), &*files).await;
        let recorder = Arc::new(resumed.recorder);
        let audience = Audience::new(&setting.settings.model, setting.settings.provider.as_str());
        let past = Past {
            cwd: cwd.expect("the directory is there"),
            state: Some(SessionState::resumed(&resumed.session, &audience)),
            recorder: recorder.clone(),
        };
        let scene = setting.go_on(self.files, past).await;
        Life { scene, recorder, mended: resumed.mended }
    }

    #[expect(clippy::disallowed_methods, reason = "a test looks at the file behind the recorder")]
    pub(crate) fn text(&self) -> String {
        std::fs::read_to_string(&self.path).expect("the file is text")
    }

    #[expect(clippy::disallowed_methods, reason = "a test damages the file")]
    pub(crate) fn overwrite(&self, bytes: &[u8]) {
        std::fs::write(&self.path, bytes).expect("the file is ours");
    }
}
