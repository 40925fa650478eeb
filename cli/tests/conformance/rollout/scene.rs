//! Both programs with one home, one project and one provider.

#![expect(clippy::disallowed_methods, reason = "a crossing changes its own tree")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::Arc;

use libtest_mimic::Failed;
use recto_core::rollout::{
    Catalog, NewRollout, RecorderSettings, ReplayedSession, RolloutChain, RolloutRecorder,
    SessionRecorder, SessionStart, Until, replay,
};
use recto_core::session::{Session, SessionState};
use recto_core::testing::{Fixture, FixtureDirectory, Reply, ScriptedSampler};
use recto_protocol::DynamicTools;
use serde_json::Value;

use crate::ours::{self, Noon, audience, settings};
use crate::programs::Programs;
use crate::support::Server;

const TREE: &str = "
    //- user/
    //- own/
    //- home/AGENTS.md
    HOST
    //- repo/.git/HEAD = \"ref: refs/heads/main\"
    //- repo/AGENTS.md
    ROOT
    //- cwd: repo
";

/// When sessions of ours begin.
const START: SessionStart =
    SessionStart { year: 2026, month: 11, day: 30, hour: 12, minute: 0, second: 0 };

/// The name of the session that is recorded here first.
pub(crate) const OURS: &str = "00000000-0000-7000-8000-000000000001";

/// The name of a fork.
pub(crate) const FORK: &str = "00000000-0000-7000-8000-000000000002";

pub(crate) struct Scene {
    pub(crate) tree: FixtureDirectory,
    pub(crate) server: Server,
    reference: PathBuf,
}

/// A session of ours and who plays the model for it.
pub(crate) struct Ours {
    pub(crate) session: Session,
    pub(crate) model: Arc<ScriptedSampler>,
    pub(crate) recorder: Arc<RolloutRecorder>,
}

impl Scene {
    pub(crate) fn new(programs: &Programs) -> Self {
        let tree = Fixture::parse(TREE).lay_out_in(Path::new(crate::programs::PARENT));
        let server = Server::start(|_| {});
        let trust =
            format!("[projects.\"{}\"]\ntrust_level = \"trusted\"\n", tree.path("repo").display());
        for home in ["home", "own"] {
            let config = tree.path(home).join("config.toml");
            std::fs::write(config, server.config() + &trust).expect("the tree is ours");
        }
        Self { tree, server, reference: programs.reference().to_owned() }
    }

    /// Runs a turn of the reference to its end; gives the input items of its requests.
    pub(crate) fn reference(&self, home: &str, words: &[&str]) -> Result<Vec<Vec<Value>>, Failed> {
        let mut child = self.reference_command(home);
        child.arg("exec").args(words).stdin(Stdio::null());
        let output = child.output().expect("the reference can be started");
        if !output.status.success() {
            return Err(String::from_utf8_lossy(&output.stderr).into_owned().into());
        }
        Ok(self.server.take_requests().iter().map(|(_, body)| input(body)).collect())
    }

    /// The reference in a home, without arguments; it ends after a minute.
    pub(crate) fn reference_command(&self, home: &str) -> Command {
        let mut command = Command::new("timeout");
        command.arg("60").arg(&self.reference);
        self.surround(&mut command, home);
        command
    }

    /// Runs this program.
    pub(crate) fn recto(&self, home: &str, words: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_recto"));
        self.surround(&mut command, home);
        command.args(words).stdin(Stdio::null()).output().expect("this program can be started")
    }

    fn surround(&self, command: &mut Command, home: &str) {
        command.current_dir(self.tree.cwd()).env_clear();
        command.env("PATH", "/usr/bin:/bin").env("SHELL", "/bin/bash").env("TZ", "UTC");
        command.env("HOME", self.tree.path("user")).env("CODEX_HOME", self.tree.path(home));
    }

    /// The file of the session that was written last.
    pub(crate) fn rollout(&self, home: &str) -> RolloutChain {
        let catalog = Catalog::of_homes([self.tree.path(home)]);
        let file = catalog.last(None, &mut Vec::new()).expect("a session was recorded");
        catalog.chain(&file.path).expect("its files are there")
    }

    /// A new session of ours in the reference's home.
    pub(crate) async fn begin(&self, script: Vec<Vec<Reply>>) -> Ours {
        let new = self.new_rollout(OURS);
        let recorder = RolloutRecorder::create(
            &self.tree.path("home"),
            &new,
            RecorderSettings::default(),
            Arc::new(Noon),
        );
        self.with(script, None, Arc::new(recorder)).await
    }

    /// Goes on with a session in its own file.
    pub(crate) async fn resume(&self, home: &str, script: Vec<Vec<Reply>>) -> Ours {
        let (chain, home) = (self.rollout(home), self.tree.path(home));
        let settings = RecorderSettings::default();
        let resumed = RolloutRecorder::resume(&chain, Some(&home), settings, Arc::new(Noon)).await;
        let resumed = resumed.expect("the session can be gone on with");
        assert_eq!(resumed.mended, None);
        self.with(script, Some(&resumed.session), Arc::new(resumed.recorder)).await
    }

    /// Goes on with a session of the reference's home as a fork in ours.
    pub(crate) async fn fork(&self, id: &str, script: Vec<Vec<Reply>>) -> Ours {
        let (chain, home) = (self.rollout("home"), self.tree.path("own"));
        let new = NewRollout { base_instructions: None, ..self.new_rollout(id) };
        let settings = RecorderSettings::default();
        let (session, recorder) =
            RolloutRecorder::fork(&chain, &home, &new, settings, Arc::new(Noon))
                .await
                .expect("the session can be forked");
        self.with(script, Some(&session), Arc::new(recorder)).await
    }

    async fn with(
        &self,
        script: Vec<Vec<Reply>>,
        session: Option<&ReplayedSession>,
        recorder: Arc<RolloutRecorder>,
    ) -> Ours {
        let cwd = self.tree.cwd();
        let settings = settings(&cwd);
        let state = session.map(|session| SessionState::resumed(session, &audience(&settings)));
        let model = Arc::new(ScriptedSampler::new(script));
        let home = self.tree.path("home");
        let records: Arc<dyn SessionRecorder> = recorder.clone();
        let session = ours::session(settings, cwd, home, state, records, model.clone()).await;
        Ours { session, model, recorder }
    }

    fn new_rollout(&self, id: &str) -> NewRollout {
        let cwd = self.tree.cwd();
        NewRollout {
            thread_id: id.parse().expect("a UUID"),
            start: START,
            cwd: cwd.display().to_string(),
            cli_version: "0.1.0".to_owned(),
            source: "exec".to_owned(),
            model_provider: "local".to_owned(),
            base_instructions: Some(settings(&cwd).recorded_instructions()),
            dynamic_tools: DynamicTools::default(),
        }
    }
}

impl Ours {
    /// A turn; gives the input items of its last request.
    pub(crate) async fn say(&mut self, text: &str) -> Vec<Value> {
        ours::say(&mut self.session, text).await;
        let request = self.model.requests().pop().expect("a request was made");
        serde_json::from_str(&request.input).expect("an array of items")
    }

    pub(crate) async fn end(self) {
        self.recorder.close().await.expect("the disk takes all");
    }
}

/// What the record says.
pub(crate) fn replayed(chain: &RolloutChain) -> ReplayedSession {
    replay(chain, Until::End).expect("the file is a session")
}

pub(crate) fn input(body: &str) -> Vec<Value> {
    let body: Value = serde_json::from_str(body).expect("a body is JSON");
    body["input"].as_array().expect("a request has an input").clone()
}
