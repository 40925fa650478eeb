//! Environments on their way from starting to ready.

use std::ffi::OsString;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use async_trait::async_trait;
use futures_util::FutureExt;
use pretty_assertions::assert_eq;
use recto_core::agents_md::{AgentsMdManager, Freshness, HostInstructions};
use recto_core::environment::{
    Environment, EnvironmentFailure, EnvironmentId, FileContents, FileSystem, FileSystemError,
    FileSystemResult, LocalFileSystem, Metadata, StartingEnvironment, ThreadEnvironments,
    TurnEnvironmentSelection, TurnEnvironmentSnapshot,
};
use recto_core::session::{
    Session, SessionEvent, SessionParts, SessionServices, Surroundings, TurnInput, UserInput,
};
use recto_core::testing::{
    CountedIds, DistantFileSystem, LATENCY, MemoryFileSystem, MemoryRecorder, ScriptedHookRunner,
    ScriptedSampler, ScriptedTools,
};
use tokio::sync::oneshot;
use tokio::time::Instant;

use super::scene::{clock, settings};
use super::support::environment;

type Start = oneshot::Sender<Result<Arc<Environment>, String>>;

fn selection(id: &str) -> TurnEnvironmentSelection {
    TurnEnvironmentSelection { environment_id: EnvironmentId::new(id), cwd: "/w".into() }
}

fn push_starting(environments: &mut ThreadEnvironments, id: &str) -> Start {
    let (start, started) = oneshot::channel();
    environments.push_starting(StartingEnvironment { selection: selection(id), started });
    start
}

fn running() -> Arc<Environment> {
    environment("any", "/w", Arc::new(LocalFileSystem)).environment
}

/// Names of the ready, the starting and the failed ones.
fn names(snapshot: &TurnEnvironmentSnapshot) -> [Vec<String>; 3] {
    let name = |selection: &TurnEnvironmentSelection| selection.environment_id.to_string();
    [
        snapshot.ready.iter().map(|it| name(&it.selection)).collect(),
        snapshot.starting.iter().map(name).collect(),
        snapshot.failed.iter().map(|it| name(&it.selection)).collect(),
    ]
}

#[track_caller]
fn check(environments: &ThreadEnvironments, expected: [&[&str]; 3]) {
    assert_eq!(names(&environments.snapshot()), expected.map(<[&str]>::to_vec));
}

#[test]
fn only_ready_environments_are_selections() {
    let mut environments = ThreadEnvironments::default();
    environments.push_ready(environment("local", "/w", Arc::new(LocalFileSystem)));
    let _start = push_starting(&mut environments, "box");
    let snapshot = environments.snapshot();
    assert_eq!(snapshot.to_selections(), [selection("local")]);
    assert_eq!(snapshot.starting, [selection("box")]);
    assert_eq!(snapshot.primary().map(|it| &it.selection), Some(&selection("local")));
}

#[test]
fn what_has_started_is_promoted_by_the_next_look_and_keeps_its_place() {
    let mut environments = ThreadEnvironments::default();
    let first = push_starting(&mut environments, "first");
    environments.push_ready(environment("local", "/w", Arc::new(LocalFileSystem)));
    let second = push_starting(&mut environments, "second");
    environments.refresh_readiness();
    check(&environments, [&["local"], &["first", "second"], &[]]);

    second.send(Ok(running())).unwrap();
    check(&environments, [&["local"], &["first", "second"], &[]]);
    environments.refresh_readiness();
    check(&environments, [&["local", "second"], &["first"], &[]]);

    first.send(Ok(running())).unwrap();
    environments.refresh_readiness();
    check(&environments, [&["first", "local", "second"], &[], &[]]);
}

#[test]
fn what_does_not_come_up_is_told_with_its_reason() {
    let mut environments = ThreadEnvironments::default();
    let refused = push_starting(&mut environments, "refused");
    drop(push_starting(&mut environments, "abandoned"));
    refused.send(Err("no such host".to_owned())).unwrap();
    environments.refresh_readiness();
    environments.refresh_readiness();
    let failure = |id, reason: &str| EnvironmentFailure {
        selection: selection(id),
        reason: reason.to_owned(),
    };
    assert_eq!(
        environments.snapshot().failed,
        [failure("refused", "no such host"), failure("abandoned", "what was starting it is gone")]
    );
    check(&environments, [&[], &[], &["refused", "abandoned"]]);
}

#[tokio::test]
async fn whoever_waits_gets_all_that_come_up_and_keeps_what_came_when_he_gives_up() {
    let mut environments = ThreadEnvironments::default();
    let first = push_starting(&mut environments, "first");
    let never = push_starting(&mut environments, "never");
    let last = push_starting(&mut environments, "last");
    first.send(Ok(running())).unwrap();
    last.send(Ok(running())).unwrap();
    assert!(environments.settle().now_or_never().is_none());
    check(&environments, [&["first"], &["never", "last"], &[]]);
    environments.refresh_readiness();
    check(&environments, [&["first", "last"], &["never"], &[]]);
    never.send(Err("too late".to_owned())).unwrap();
    environments.settle().await;
    check(&environments, [&["first", "last"], &[], &["never"]]);
}

/// Serves until a test says that it is gone.
#[derive(Debug, Default)]
struct Mortal {
    files: MemoryFileSystem,
    is_gone: AtomicBool,
    /// Goes away with this many more reads.
    last_reads: AtomicUsize,
}

impl Mortal {
    fn check(&self) -> FileSystemResult<()> {
        match self.lost() {
            Some(message) => Err(FileSystemError::Io { kind: ErrorKind::BrokenPipe, message }),
            None => Ok(()),
        }
    }
}

#[async_trait]
impl FileSystem for Mortal {
    async fn get_metadata(&self, path: &Path) -> FileSystemResult<Metadata> {
        self.check()?;
        self.files.get_metadata(path).await
    }

    async fn read_file(&self, path: &Path, limit: u64) -> FileSystemResult<FileContents> {
        if self.last_reads.fetch_sub(1, Ordering::Relaxed) == 0 {
            self.is_gone.store(true, Ordering::Relaxed);
        }
        self.check()?;
        self.files.read_file(path, limit).await
    }

    async fn read_directory(&self, path: &Path) -> FileSystemResult<Vec<OsString>> {
        self.check()?;
        self.files.read_directory(path).await
    }

    async fn canonicalize(&self, path: &Path) -> FileSystemResult<PathBuf> {
        self.check()?;
        self.files.canonicalize(path).await
    }

    fn lost(&self) -> Option<String> {
        self.is_gone.load(Ordering::Relaxed).then(|| "the cable was cut".to_owned())
    }
}

fn surroundings(environments: ThreadEnvironments) -> Surroundings {
    let manager = AgentsMdManager::new(HostInstructions::default(), Freshness::default());
    Surroundings::new(settings(), environments, manager, None, Arc::new(clock()))
}

#[tokio::test]
async fn one_that_goes_away_while_it_is_read_contributes_nothing_and_the_step_goes_on() {
    let mortal = Arc::new(Mortal { last_reads: AtomicUsize::new(1), ..Mortal::default() });
    mortal.files.write("/far/.git/HEAD", "");
    mortal.files.write("/far/AGENTS.md", "FAR");
    mortal.files.write("/far/sub/AGENTS.md", "FAR SUB");
    let near = MemoryFileSystem::default();
    near.write("/w/AGENTS.md", "NEAR");
    let mut environments = ThreadEnvironments::default();
    environments.push_ready(environment("local", "/w", Arc::new(near)));
    environments.push_ready(environment("far", "/far/sub", mortal));
    let step = surroundings(environments).capture_step_context().await.unwrap();
    assert_eq!(step.facts.agents_md.text.as_deref(), Some("NEAR"));
    check_failed(&step.environments, "far", "the cable was cut");
}

fn check_failed(snapshot: &TurnEnvironmentSnapshot, id: &str, reason: &str) {
    let failed: Vec<(&str, &str)> = snapshot
        .failed
        .iter()
        .map(|it| (it.selection.environment_id.as_str(), it.reason.as_str()))
        .collect();
    assert_eq!(failed, [(id, reason)]);
}

#[tokio::test]
async fn each_has_the_whole_budget_for_itself_and_another_order_is_another_selection() {
    let files = Arc::new(MemoryFileSystem::default());
    files.write("/a/AGENTS.md", "12345678");
    files.write("/b/AGENTS.md", "abcdefgh");
    let mut settings = settings();
    settings.agents_md.project_doc_max_bytes = 8;
    let text_of = async |order: [&str; 2]| {
        let mut environments = ThreadEnvironments::default();
        for id in order {
            environments.push_ready(environment(id, format!("/{id}"), files.clone()));
        }
        let manager = AgentsMdManager::new(HostInstructions::default(), Freshness::default());
        let clock = Arc::new(clock());
        let mut there = Surroundings::new(settings.clone(), environments, manager, None, clock);
        let step = there.capture_step_context().await.unwrap();
        (step.environments.to_selections().len(), step.facts.agents_md.text.unwrap_or_default())
    };
    let [a, b] = ["for `a` with root /a\n\n12345678", "for `b` with root /b\n\nabcdefgh"];
    assert_eq!(text_of(["a", "b"]).await, (2, format!("{a}\n\n{b}")));
    assert_eq!(text_of(["b", "a"]).await, (2, format!("{b}\n\n{a}")));
}

#[tokio::test(start_paused = true)]
async fn of_ten_environments_two_that_never_start_cost_a_step_nothing() {
    let time_of = async |starting: &[&str]| {
        let mut environments = ThreadEnvironments::default();
        let _starts: Vec<Start> =
            starting.iter().map(|id| push_starting(&mut environments, id)).collect();
        for at in 0..8 {
            let files = MemoryFileSystem::default();
            files.write("/w/AGENTS.md", format!("doc {at}"));
            let far = Arc::new(DistantFileSystem::new(Arc::new(files)));
            environments.push_ready(environment(&format!("box{at}"), "/w", far));
        }
        let begun = Instant::now();
        let step = surroundings(environments).capture_step_context().await.unwrap();
        let text = step.facts.agents_md.text.unwrap_or_default();
        assert_eq!(text.matches("doc ").count(), 8);
        assert_eq!(step.environments.starting.len(), starting.len());
        begun.elapsed()
    };
    let without = time_of(&[]).await;
    assert_eq!(time_of(&["never", "nor_this"]).await, without);
    assert_eq!(without, LATENCY * 3, "the ready ones are read side by side");
}

#[tokio::test]
async fn one_that_is_not_there_is_told_once_and_the_thread_goes_on() {
    let files = MemoryFileSystem::default();
    files.write("/w/AGENTS.md", "NEAR");
    let mut environments = ThreadEnvironments::default();
    environments.push_ready(environment("local", "/w", Arc::new(files)));
    let start = push_starting(&mut environments, "box");
    start.send(Err("no such host".to_owned())).unwrap();
    let parts = SessionParts {
        surroundings: surroundings(environments),
        services: SessionServices {
            sampler: Arc::new(ScriptedSampler::default()),
            tools: Arc::new(ScriptedTools::default()),
            hooks: Arc::new(ScriptedHookRunner::default()),
            recorder: Arc::new(MemoryRecorder::default()),
            ids: Arc::new(CountedIds::default()),
        },
        state: None,
        cache_key: "thread".into(),
        transcript_path: None,
        thread_names: None,
    };
    let (mut session, mut events) = Session::new(parts).await.unwrap();
    for text in ["one", "two"] {
        session.run(TurnInput { input: UserInput::text(text), ..TurnInput::default() }).await;
    }
    let mut notices = Vec::new();
    while let Ok(event) = events.try_recv() {
        if let SessionEvent::Notice(notice) = event {
            notices.push(notice);
        }
    }
    assert_eq!(notices, ["the environment `box` is not used: no such host"]);
}

#[test]
fn a_picture_that_was_taken_never_changes() {
    let mut environments = ThreadEnvironments::default();
    let start = push_starting(&mut environments, "box");
    let before = environments.snapshot();
    start.send(Ok(running())).unwrap();
    environments.refresh_readiness();
    assert_eq!(names(&before), [vec![], vec!["box".to_owned()], vec![]]);
}
