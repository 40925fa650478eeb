//! Nothing that was accepted is lost or said twice, whatever the timing.
//!
//! One thread, and no clock: before everything that waits a seed says how often the others come first.

use std::cell::Cell;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use async_trait::async_trait;
use pretty_assertions::assert_eq;
use recto_core::agents_md::Freshness;
use recto_core::environment::{
    FileContents, FileSystem, FileSystemError, FileSystemResult, Metadata,
};
use recto_core::history::Audience;
use recto_core::model::{SampleEnd, SampleError, SampleEvent, SampleRequest, Sampler};
use recto_core::rollout::{RecordError, RolloutEntry, SessionRecorder};
use recto_core::session::{
    LocalTime, Session, SessionEvent, SessionHandle, SessionParts, SessionServices, SessionState,
    SettingsOverrides, TurnEnd, TurnInput, UserInput,
};
use recto_core::testing::{
    CountedIds, MemoryFileSystem, MemoryRecorder, ScriptedHookRunner, rounds,
};
use recto_core::tools::{ToolCall, ToolDefinition, ToolHandler};
use recto_protocol::{Item, OutputPayload, TokenUsage};
use serde_json::json;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender};
use tokio::task::yield_now;

use super::replayed::replayed;
use super::scene::{Place, settings};
use super::support::block_on;

/// Inputs of one run.
const INPUTS: u64 = 12;

/// Decides everything of one run; the same seed is the same run.
#[derive(Debug)]
struct Fate(AtomicU64);

impl Fate {
    /// A number below `bound` (splitmix64).
    fn below(&self, bound: u64) -> u64 {
        const STEP: u64 = 0x9E37_79B9_7F4A_7C15;
        let mut mixed = self.0.fetch_add(STEP, Ordering::Relaxed).wrapping_add(STEP);
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (mixed ^ (mixed >> 31)) % bound
    }

    fn is_one_of(&self, bound: u64) -> bool {
        self.below(bound) == 0
    }

    /// Lets the others come first, some times.
    async fn wait(&self, most: u64) {
        for _ in 0..self.below(most) {
            yield_now().await;
        }
    }
}

/// A model, tools, a recorder and files that make one wait, and fail now and then.
#[derive(Debug, Clone)]
struct World {
    fate: Arc<Fate>,
    files: Arc<MemoryFileSystem>,
    recorder: Arc<MemoryRecorder>,
    calls: Arc<AtomicU64>,
    /// From here on nothing fails.
    is_calm: Arc<AtomicBool>,
}

impl World {
    fn new(seed: u64) -> Self {
        let files = MemoryFileSystem::default();
        files.write("/w/AGENTS.md", "TEXT");
        files.write("/w/.git/HEAD", "ref");
        Self {
            fate: Arc::new(Fate(AtomicU64::new(seed))),
            files: Arc::new(files),
            recorder: Arc::default(),
            calls: Arc::default(),
            is_calm: Arc::default(),
        }
    }

    fn fails(&self, one_of: u64) -> bool {
        self.fate.is_one_of(one_of) && !self.is_calm.load(Ordering::Relaxed)
    }

    async fn session(&self) -> (Session, UnboundedReceiver<SessionEvent>) {
        let mut settings = settings();
        settings.auto_compact_token_limit = Some(4_000);
        let place = Place {
            file_system: Arc::new(self.clone()),
            codex_home: "/home/.codex".into(),
            cwd: "/w".into(),
        };
        let date = "2026-11-30".to_owned();
        let clock = Arc::new(LocalTime { date, timezone: "Etc/UTC".to_owned() });
        let services = SessionServices {
            sampler: Arc::new(self.clone()),
            tools: Arc::new(self.clone()),
            hooks: Arc::new(ScriptedHookRunner::default()),
            recorder: Arc::new(self.clone()),
            ids: Arc::new(CountedIds::default()),
        };
        loop {
            let parts = SessionParts {
                surroundings: place
                    .surroundings(settings.clone(), Freshness::Stat, clock.clone())
                    .await,
                services: services.clone(),
                state: None,
                cache_key: "thread".to_owned(),
                transcript_path: None,
                thread_names: None,
            };
            // What is forbidden is an error of the start, too; the next try reads again.
            if let Ok(begun) = Session::new(parts).await {
                return begun;
            }
        }
    }

    fn answer(&self) -> Item {
        let value = if self.fate.is_one_of(3) {
            let id = format!("c{}", self.calls.fetch_add(1, Ordering::Relaxed));
            json!({"type": "function_call", "name": "read", "arguments": "{}", "call_id": id})
        } else {
            let part = json!({"type": "output_text", "text": "ok"});
            json!({"type": "message", "role": "assistant", "content": [part]})
        };
        Item::from_json(&value.to_string()).expect("an object")
    }
}

#[async_trait]
impl Sampler for World {
    async fn sample(
        &self,
        _: SampleRequest<'_>,
        events: UnboundedSender<SampleEvent>,
    ) -> Result<SampleEnd, SampleError> {
        self.fate.wait(4).await;
        for _ in 0..self.fate.below(3) {
            let _ = events.send(SampleEvent::ItemDone(self.answer()));
            self.fate.wait(3).await;
        }
        if self.fails(12) {
            return Err(SampleError::ContextTooLong { message: "too many".to_owned() });
        }
        if self.fails(8) {
            return Err(SampleError::Failed { message: "gone".to_owned(), hint: None });
        }
        let total_tokens = if self.fate.is_one_of(4) { 5_000 } else { 100 };
        Ok(SampleEnd { usage: Some(TokenUsage { total_tokens, ..TokenUsage::default() }) })
    }
}

#[async_trait]
impl ToolHandler for World {
    fn definitions(&self) -> Vec<ToolDefinition> {
        Vec::new()
    }

    async fn call(&self, call: &ToolCall) -> OutputPayload {
        self.fate.wait(4).await;
        OutputPayload::Text(call.call_id.clone())
    }
}

#[async_trait]
impl SessionRecorder for World {
    async fn record(&self, entries: Vec<RolloutEntry>) -> Result<(), RecordError> {
        let recorded = self.recorder.record(entries).await;
        self.fate.wait(3).await;
        recorded
    }
}

#[async_trait]
impl FileSystem for World {
    async fn get_metadata(&self, path: &Path) -> FileSystemResult<Metadata> {
        self.files.get_metadata(path).await
    }

    async fn read_file(&self, path: &Path, limit: u64) -> FileSystemResult<FileContents> {
        self.files.read_file(path, limit).await
    }

    async fn read_directory(&self, path: &Path) -> FileSystemResult<Vec<OsString>> {
        self.files.read_directory(path).await
    }

    async fn canonicalize(&self, path: &Path) -> FileSystemResult<PathBuf> {
        self.files.canonicalize(path).await
    }

    /// A policy forbids to look, now and then: the step fails.
    async fn get_metadata_all(&self, paths: &[PathBuf]) -> Vec<FileSystemResult<Metadata>> {
        self.fate.wait(3).await;
        if self.fails(4) {
            let denied = |path: &PathBuf| FileSystemError::Denied {
                path: path.clone(),
                policy: "of the test".to_owned(),
            };
            return paths.iter().map(|path| Err(denied(path))).collect();
        }
        self.files.get_metadata_all(paths).await
    }
}

/// Says things and interrupts.
async fn person(fate: &Fate, handle: &SessionHandle, is_done: &Cell<bool>) {
    for number in 0..INPUTS {
        fate.wait(16).await;
        let overrides = if fate.is_one_of(4) {
            SettingsOverrides {
                workspace_roots: Some(vec![format!("/w/{number}")]),
                ..SettingsOverrides::default()
            }
        } else {
            SettingsOverrides::default()
        };
        let text = json!({"type": "input_text", "text": beside(number)});
        let item = json!({"type": "message", "role": "developer", "content": [text]});
        let injected = vec![Item::from_json(&item.to_string()).expect("an object")];
        let input = UserInput { injected, ..UserInput::text(words(number)) };
        handle.submit(TurnInput { input, overrides, ..TurnInput::default() });
        if fate.is_one_of(4) {
            fate.wait(4).await;
            handle.interrupt();
        }
    }
    is_done.set(true);
}

fn words(number: u64) -> String {
    format!("input {number}.")
}

/// What the host injects with an input.
fn beside(number: u64) -> String {
    format!("beside {number}.")
}

/// Runs the session as long as somebody speaks to it; now and then the task goes away and another one takes over.
async fn host(fate: &Fate, session: &mut Session, is_done: &Cell<bool>) {
    loop {
        let patience = if fate.is_one_of(3) { u64::MAX } else { fate.below(24) };
        let went_away = async {
            for _ in 0..patience {
                yield_now().await;
            }
        };
        tokio::select! {
            biased;
            _ = session.run_until_idle() => {}
            () = went_away => {}
        }
        if is_done.get() {
            return;
        }
        yield_now().await;
    }
}

/// How often each input is in a text.
fn counts(text: &str) -> Vec<usize> {
    (0..INPUTS).map(|number| text.matches(&words(number)).count()).collect()
}

/// How often what was injected with each is in a record.
fn injected(entries: &[RolloutEntry]) -> Vec<usize> {
    let text = recorded_text(entries);
    (0..INPUTS).map(|number| text.matches(&beside(number)).count()).collect()
}

/// How often each was handed back.
fn rejected(events: &mut UnboundedReceiver<SessionEvent>) -> Vec<usize> {
    let mut text = String::new();
    while let Ok(event) = events.try_recv() {
        if let SessionEvent::TurnEnded(_, TurnEnd::Failed { rejected, .. }) = event {
            text.extend(rejected.into_iter().filter_map(|input| input.text));
        }
    }
    counts(&text)
}

fn texts<'a>(items: impl Iterator<Item = &'a Item>) -> String {
    items.map(Item::json).collect()
}

fn recorded(entries: &[RolloutEntry]) -> Vec<usize> {
    counts(&recorded_text(entries))
}

fn recorded_text(entries: &[RolloutEntry]) -> String {
    texts(entries.iter().filter_map(|entry| match entry {
        RolloutEntry::Item(item) => Some(item),
        _ => None,
    }))
}

fn sum(one: &[usize], other: &[usize]) -> Vec<usize> {
    one.iter().zip(other).map(|(one, other)| one + other).collect()
}

fn history(state: &SessionState) -> Vec<String> {
    state.history.items().map(|item| item.json().to_owned()).collect()
}

/// Every input is in the conversation and in the record, or was handed back; once.
async fn a_session_that_goes_on_loses_nothing(seed: u64) {
    let world = World::new(seed);
    let (mut session, mut events) = world.session().await;
    let (handle, is_done) = (session.handle(), Cell::new(false));
    tokio::join!(person(&world.fate, &handle, &is_done), host(&world.fate, &mut session, &is_done));
    world.is_calm.store(true, Ordering::Relaxed);
    session.run_until_idle().await;

    assert_eq!(handle.take_back(), [], "seed {seed}: the queue is empty");
    let once = vec![1; usize::try_from(INPUTS).expect("a small number")];
    let (said, rejected) = (counts(&texts(session.state().history.items())), rejected(&mut events));
    assert_eq!(sum(&said, &rejected), once, "seed {seed}: {said:?} {rejected:?}");
    let told = texts(session.state().history.items()).matches("<permissions instructions>").count();
    assert_eq!(told, 1, "seed {seed}: the context is told once");
    let entries = world.recorder.entries();
    assert_eq!(recorded(&entries), said, "seed {seed}: the record");
    assert_eq!(injected(&entries), said, "seed {seed}: what was injected");
    let replayed = replayed(&entries, session.state().history.audience().clone());
    assert_eq!(history(&replayed), history(session.state()), "seed {seed}: the replay");
    assert_eq!(replayed.baseline, session.state().baseline, "seed {seed}: the replay");
}

/// Where the session itself goes away: every input is in the record, or was handed back, or can be taken back; once.
async fn a_session_that_goes_away_leaves_the_rest_to_be_taken_back(seed: u64) {
    let world = World::new(seed);
    let (mut session, mut events) = world.session().await;
    let (handle, is_done) = (session.handle(), Cell::new(false));
    let until = world.fate.below(120);
    let dies = async {
        tokio::select! {
            biased;
            () = host(&world.fate, &mut session, &is_done) => {}
            () = async { for _ in 0..until { yield_now().await; } } => {}
        }
        drop(session);
    };
    tokio::join!(person(&world.fate, &handle, &is_done), dies);

    let back: Vec<TurnInput> = handle.take_back();
    let back: String = back.into_iter().filter_map(|it| it.input.text).collect();
    let entries = world.recorder.entries();
    let (said, rejected, back) = (recorded(&entries), rejected(&mut events), counts(&back));
    let once = vec![1; usize::try_from(INPUTS).expect("a small number")];
    let all = sum(&sum(&said, &rejected), &back);
    assert_eq!(all, once, "seed {seed}: {said:?} {rejected:?} {back:?}");
    assert_eq!(injected(&entries), said, "seed {seed}: what was injected");
    // What is left can be read.
    let state = replayed(&entries, Audience::default());
    assert_eq!(counts(&texts(state.history.items())), said, "seed {seed}: the replay");
}

#[test]
fn b123_no_input_is_lost_or_said_twice_whatever_the_timing_soak() {
    for seed in 0..u64::from(rounds(50, 1_000)) {
        block_on(a_session_that_goes_on_loses_nothing(seed));
        block_on(a_session_that_goes_away_leaves_the_rest_to_be_taken_back(seed));
    }
}
