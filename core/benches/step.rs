//! What a step and a turn cost in a short and in a long conversation: the ratio must stay near 1.
//!
//! The two lengths are measured in turn on one thread. Time is the thread's own CPU time, so that other programs count
//! little; allocations are counted by the allocator. The bytes that a request sends are not part of it: nothing here
//! serializes a prompt.

#![expect(clippy::print_stdout, reason = "a measurement is printed")]

use std::alloc::System;
use std::hint::black_box;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use recto_core::agents_md::{
    AgentsMdManager, CodexHomeInstructions, Freshness, UserInstructionsProvider,
};
use recto_core::environment::{
    Environment, EnvironmentId, ThreadEnvironments, TurnEnvironment, TurnEnvironmentSelection,
};
use recto_core::history::{Audience, History, merge_contextual_fragments};
use recto_core::model::{
    SampleEnd, SampleError, SampleEvent, SampleRequest, Sampler, base_instructions, find_model,
};
use recto_core::rollout::{RecordError, RolloutEntry, SessionRecorder};
use recto_core::session::{
    Clock, LocalTime, Session, SessionParts, SessionServices, SessionSettings, SessionState,
    Surroundings, TurnInput, UserInput,
};
use recto_core::testing::{CountedIds, MemoryFileSystem, ScriptedHookRunner};
use recto_core::tools::NoTools;
use recto_core::world_state::{WorldState, WorldStateSnapshot};
use recto_protocol::Item;
use rustix::time::{ClockId, clock_gettime};
use serde_json::json;
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};
use tokio::sync::mpsc::UnboundedSender;

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// Items of the two conversations.
const SHORT: usize = 200;
const LONG: usize = 20_000;

/// How many times as much the long one may cost.
const BAR: f64 = 1.5;

/// Pairs that are measured, after [`WARM_UP`] pairs that are not.
const PAIRS: usize = 41;
const WARM_UP: usize = 5;

/// Steps or turns in one measurement; each adds a few items, so they cross the ends of the history's chunks.
const BATCH: u32 = 64;

/// What one step or turn took, on average of a batch.
#[derive(Clone, Copy)]
struct Cost {
    cpu: Duration,
    allocations: f64,
    kilobytes: f64,
}

fn main() -> ExitCode {
    let runtime = tokio::runtime::Builder::new_current_thread().build();
    let runtime = runtime.expect("a runtime needs nothing special");
    println!("medians of {PAIRS} times {BATCH} each, in turn\n");
    println!("{:<22} {SHORT:>12} {LONG:>12} {:>8} {:>8}", "items in history", "ratio", "bar");
    let (short, long) = (conversation(SHORT), conversation(LONG));
    let step = |state: &SessionState| runtime.block_on(cost_of_steps(state.clone()));
    let holds_in_steps = print_rows("step", &in_turn(&short, &long, step));
    let turn = |state: &SessionState| runtime.block_on(cost_of_turns(state.clone()));
    let holds_in_turns = print_rows("turn", &in_turn(&short, &long, turn));
    if holds_in_steps && holds_in_turns { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Measures the short and the long conversation in turn.
fn in_turn(
    short: &SessionState,
    long: &SessionState,
    cost: impl Fn(&SessionState) -> Cost,
) -> Vec<(Cost, Cost)> {
    let pairs = (0..WARM_UP + PAIRS).map(|pair| {
        if pair % 2 == 0 {
            (cost(short), cost(long))
        } else {
            let long = cost(long);
            (cost(short), long)
        }
    });
    pairs.skip(WARM_UP).collect()
}

/// Capture, diff, a clone of the history and the prompt, without a session around them.
async fn cost_of_steps(state: SessionState) -> Cost {
    let clock = Arc::new(Days::default());
    let mut surroundings = surroundings(clock.clone()).await;
    let mut history = state.history;
    let step = surroundings.capture_step_context().await.expect("nothing is forbidden");
    let mut told = WorldState::from_facts(&step.facts).snapshot(&WorldStateSnapshot::default());
    let meter = Meter::start();
    for _ in 0..BATCH {
        clock.next_day();
        let step = surroundings.capture_step_context().await.expect("nothing is forbidden");
        let world = WorldState::from_facts(&step.facts);
        history.record(merge_contextual_fragments(world.render_diff(Some(&told))));
        let now = world.snapshot(&told);
        black_box(now.merge_patch_from(&told));
        told = now;
        let kept = history.clone();
        black_box(kept.for_prompt(base_instructions(None, None), Vec::new(), kept.audience()));
    }
    meter.stop()
}

/// Whole turns of a session: a change is told, the model calls a tool, reads its output and answers.
async fn cost_of_turns(state: SessionState) -> Cost {
    let clock = Arc::new(Days::default());
    let parts = SessionParts {
        surroundings: surroundings(clock.clone()).await,
        services: SessionServices {
            sampler: Arc::new(Answers::default()),
            tools: Arc::new(NoTools),
            hooks: Arc::new(ScriptedHookRunner::default()),
            recorder: Arc::new(Forgets),
            ids: Arc::new(CountedIds::default()),
        },
        state: Some(state),
        cache_key: "thread".to_owned(),
        transcript_path: None,
        thread_names: None,
    };
    let (mut session, _) = Session::new(parts).await.expect("nothing is forbidden");
    let meter = Meter::start();
    for _ in 0..BATCH {
        clock.next_day();
        let input = UserInput::text("Now the next file, please.");
        black_box(session.run(TurnInput { input, ..TurnInput::default() }).await);
    }
    meter.stop()
}

/// Where the thread and its allocations stood.
struct Meter {
    cpu: Duration,
    allocations: Region<'static, System>,
}

impl Meter {
    fn start() -> Self {
        Self { allocations: Region::new(ALLOCATOR), cpu: cpu_time() }
    }

    fn stop(self) -> Cost {
        let cpu = cpu_time().saturating_sub(self.cpu) / BATCH;
        let change = self.allocations.change();
        let each =
            |number: usize| f64::from(u32::try_from(number).unwrap_or(u32::MAX)) / f64::from(BATCH);
        Cost {
            cpu,
            allocations: each(change.allocations + change.reallocations),
            kilobytes: each(change.bytes_allocated) / 1e3,
        }
    }
}

/// What this thread has used of a processor, to the nanosecond; what the system tells of a process has only its ticks.
fn cpu_time() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::try_from(time).unwrap_or_default()
}

/// A conversation of so many items, half of them calls and their outputs.
fn conversation(items: usize) -> SessionState {
    let settings = settings();
    let audience = Audience::new(&settings.model, settings.provider.as_str());
    let message = |role: &str, part: &str, at: usize| {
        let text =
            format!("Item {at}: the parser reads a line, and another one after it. ").repeat(3);
        json!({"type": "message", "role": role, "content": [{"type": part, "text": text}]})
    };
    let mut history = History::new(audience.clone());
    history.record((0..items).map(|at| {
        let id = format!("call_{}", at / 4);
        let value = match at % 4 {
            0 => message("user", "input_text", at),
            1 => json!({
                "type": "function_call", "name": "shell", "call_id": id,
                "arguments": "{\"command\":[\"cat\",\"src/parser.rs\"]}",
            }),
            2 => json!({
                "type": "function_call_output", "call_id": id, "output": "fn parse() {}\n".repeat(20),
            }),
            _ => message("assistant", "output_text", at),
        };
        Item::from_json(&value.to_string()).expect("an object")
    }));
    let mut state = SessionState::new(audience);
    state.history = history;
    state
}

fn settings() -> SessionSettings {
    SessionSettings {
        workspace_roots: vec!["/repo/src".to_owned()],
        ..SessionSettings::undecided(find_model("gpt-5.5").info, "local")
    }
}

/// A project of two levels in memory.
async fn surroundings(clock: Arc<dyn Clock>) -> Surroundings {
    let files = MemoryFileSystem::default();
    files.write("/repo/.git/HEAD", "ref: refs/heads/main\n");
    files.write("/repo/AGENTS.md", "Run the tests before you commit.\n".repeat(30));
    files.write("/repo/src/AGENTS.md", "Comments say why.\n".repeat(20));
    let files = Arc::new(files);
    let home = CodexHomeInstructions { file_system: files.clone(), codex_home: "/home".into() };
    let mut environments = ThreadEnvironments::default();
    environments.push_ready(TurnEnvironment {
        selection: TurnEnvironmentSelection {
            environment_id: EnvironmentId::local(),
            cwd: "/repo/src".into(),
        },
        environment: Arc::new(Environment { file_system: files, shell: "bash".to_owned() }),
    });
    let agents_md = AgentsMdManager::new(home.user_instructions().await, Freshness::Stat);
    Surroundings::new(settings(), environments, agents_md, None, clock)
}

/// A clock on which every step is another day, so that every step has a change to tell.
#[derive(Debug, Default)]
struct Days(AtomicU64);

impl Days {
    fn next_day(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

impl Clock for Days {
    fn local_time(&self) -> LocalTime {
        let day = self.0.load(Ordering::Relaxed);
        let date = format!("2026-{:02}-{:02}", day / 28 % 12 + 1, day % 28 + 1);
        LocalTime { date, timezone: "Etc/UTC".to_owned() }
    }
}

/// A model that calls a tool and then answers.
#[derive(Debug, Default)]
struct Answers(AtomicU64);

#[async_trait]
impl Sampler for Answers {
    async fn sample(
        &self,
        _: SampleRequest<'_>,
        events: UnboundedSender<SampleEvent>,
    ) -> Result<SampleEnd, SampleError> {
        let count = self.0.fetch_add(1, Ordering::Relaxed);
        let value = if count.is_multiple_of(2) {
            json!({"type": "function_call", "name": "shell", "arguments": "{}", "call_id": format!("new_{count}")})
        } else {
            json!({"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Done."}]})
        };
        let item = Item::from_json(&value.to_string()).expect("an object");
        let _ = events.send(SampleEvent::ItemDone(item));
        Ok(SampleEnd::default())
    }
}

/// Keeps nothing: what a file costs is not what a conversation costs.
#[derive(Debug)]
struct Forgets;

#[async_trait]
impl SessionRecorder for Forgets {
    async fn record(&self, _: Vec<RolloutEntry>) -> Result<(), RecordError> {
        Ok(())
    }
}

/// Prints what was measured and tells whether the bar holds.
fn print_rows(name: &str, pairs: &[(Cost, Cost)]) -> bool {
    let row = |what: &str, number: fn(&Cost) -> f64| {
        let short = median(pairs.iter().map(|pair| number(&pair.0)));
        let long = median(pairs.iter().map(|pair| number(&pair.1)));
        let ratio = long / short;
        let holds = ratio <= BAR;
        let verdict = if holds { "holds" } else { "MISSED" };
        let name = format!("{name}: {what}");
        println!("{name:<22} {short:>12.1} {long:>12.1} {ratio:>8.2} {BAR:>8}  {verdict}");
        holds
    };
    let cpu = row("CPU, us", |cost| cost.cpu.as_secs_f64() * 1e6);
    let allocations = row("allocations", |cost| cost.allocations);
    let bytes = row("allocated, kB", |cost| cost.kilobytes);
    cpu && allocations && bytes
}

fn median(numbers: impl Iterator<Item = f64>) -> f64 {
    let mut numbers: Vec<f64> = numbers.collect();
    numbers.sort_by(f64::total_cmp);
    numbers[numbers.len() / 2]
}
