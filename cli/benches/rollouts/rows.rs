//! What is measured, and what must hold.

#![expect(clippy::disallowed_methods, reason = "a bench makes its own files")]

use std::path::Path;
use std::process::ExitCode;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use recto_core::testing::{Fixture, FixtureDirectory};

use crate::files::{self, id};
use crate::measure::{Cost, cost, median};
use crate::programs::{LIST, READ_EACH, RESUME};
use crate::reference;
use crate::support::{Answer, Server, message};

/// Pairs of runs of a long session, and runs of what is quick.
const PAIRS: usize = 3;
const RUNS: usize = 5;

/// Turns of the sessions: 80,000 messages and some 110 MB, and so on down to 3 MB.
const TURNS: [u64; 3] = [40_000, 10_000, 1_100];

const SESSIONS: u64 = 10_000;
const HUGE: u64 = 2 << 30;

/// Parts of the reference's time and memory that may be used.
const TIME_BAR: f64 = 1.0 / 10.0;
const MEMORY_BAR: f64 = 1.0 / 4.0;

/// How many times as long a byte of the longest session may take as one of a session a quarter as long.
const GROWTH_BAR: f64 = 1.3;

/// How many times as long a list may take as plainly reading what it shows.
const LIST_BAR: f64 = 3.0;

/// Mebibytes that the list of a huge session may take.
const HUGE_BAR: f64 = 64.0;

/// A tree, a provider, and when it was asked last.
struct Place {
    tree: FixtureDirectory,
    server: Server,
    asked: Arc<Mutex<Option<Instant>>>,
}

pub(crate) fn measure_all() -> ExitCode {
    let place = Place::new();
    println!("{:<44} {:>11} {:>11} {:>7} {:>7}", "", "recto", "against", "ratio", "bar");
    let mut holds = resumed(&place);
    holds &= growth(&place);
    holds &= lists(&place);
    if holds { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

impl Place {
    fn new() -> Self {
        let fixture = Fixture::parse(
            "
            //- user/
            //- home/
            //- many/
            //- huge/
            //- repo/.git/HEAD = \"ref: refs/heads/main\"
            //- repo/AGENTS.md = \"Run the tests.\"
            //- cwd: repo
            ",
        );
        let tree = fixture.lay_out_in(Path::new(env!("CARGO_TARGET_TMPDIR")));
        let asked = Arc::new(Mutex::new(None));
        let hears = Arc::clone(&asked);
        let server = Server::start(move |_| {
            hears.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert_with(Instant::now);
        });
        let trust =
            format!("[projects.\"{}\"]\ntrust_level = \"trusted\"\n", tree.path("repo").display());
        let config = tree.path("home/config.toml");
        std::fs::write(config, server.config() + &trust).expect("the tree is ours");
        Self { tree, server, asked }
    }

    /// Runs a program; the time is that until the provider has the whole request, where one is made.
    fn run(&self, program: &[&str]) -> Cost {
        *self.asked.lock().unwrap_or_else(PoisonError::into_inner) = None;
        let (user, home) = (self.tree.path("user"), self.tree.path("home"));
        let start = Instant::now();
        let cost = cost(program, &self.tree.cwd(), &user, &home);
        drop(self.server.take_requests());
        let asked = *self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        Cost { time: asked.map_or(cost.time, |asked| asked - start), ..cost }
    }

    /// Goes on with a session, which has to be made before each run, for a run adds to it.
    fn resume(&self, turns: u64) -> Cost {
        let home = self.tree.path("home");
        let file = self.session(turns);
        let (cwd, port) = (self.tree.cwd(), self.server.port.to_string());
        let words = [file.to_str(), home.to_str(), cwd.to_str()].map(Option::unwrap_or_default);
        self.run(&[&this(), RESUME, words[0], words[1], words[2], &port])
    }

    fn session(&self, turns: u64) -> std::path::PathBuf {
        let made = files::long_session(&self.tree.path("home"), &self.tree.cwd(), 1, turns);
        made.expect("the disk takes it")
    }
}

fn this() -> String {
    std::env::current_exe().expect("this program has a path").display().to_string()
}

/// A long session to the bytes of its next request, and the reference's `exec resume` of the same file.
fn resumed(place: &Place) -> bool {
    let Some(reference) = reference::binary() else {
        println!("nothing to compare with: the reference is not installed (just conformance)");
        return false;
    };
    let reference = reference.display().to_string();
    // The first run of the reference in a home sets it up.
    place.session(10);
    place.server.then(Answer::of([message("msg_warm", "ok")]));
    place.run(&[&reference, "exec", "resume", &id(1), "warm up"]);
    let (mut of_recto, mut of_reference) = (Vec::new(), Vec::new());
    for _ in 0..PAIRS {
        of_recto.push(place.resume(TURNS[0]));
        place.session(TURNS[0]);
        of_reference.push(place.run(&[&reference, "exec", "resume", &id(1), "next question"]));
    }
    let what = format!("{} messages to the next request", TURNS[0] * 2);
    let holds = row(
        &what,
        "ms",
        median(&of_recto, milliseconds),
        median(&of_reference, milliseconds),
        TIME_BAR,
    );
    row(
        "its peak memory",
        "MiB",
        median(&of_recto, mebibytes),
        median(&of_reference, mebibytes),
        MEMORY_BAR,
    ) && holds
}

/// What a byte costs in a longer session, against a shorter one.
fn growth(place: &Place) -> bool {
    let time = |turns| {
        let costs: Vec<Cost> = (0..PAIRS).map(|_| place.resume(turns)).collect();
        median(&costs, milliseconds)
    };
    let [long, middle, short] = TURNS.map(time);
    println!("{:<44} {short:>8.0} ms {middle:>8.0} ms {long:>8.0} ms", "3, 28 and 110 MB");
    let per_turn = |time: f64, turns: u64| time / Duration::from_secs(turns).as_secs_f64() * 1e3;
    row(
        "a turn of 110 MB, of 28 MB",
        "µs",
        per_turn(long, TURNS[0]),
        per_turn(middle, TURNS[1]),
        GROWTH_BAR,
    )
}

fn lists(place: &Place) -> bool {
    let (many, huge) = (place.tree.path("many"), place.tree.path("huge"));
    let cwd = place.tree.cwd();
    files::many_sessions(&many, &cwd, SESSIONS).expect("the disk takes it");
    let directory = files::path(&many, 0);
    let directory = directory.parent().unwrap_or(&directory);
    let runs = |words: [&str; 2]| -> Vec<Cost> {
        (0..RUNS).map(|_| place.run(&[&this(), words[0], words[1]])).collect()
    };
    let plain = runs([READ_EACH, &directory.display().to_string()]);
    let listed = runs([LIST, &many.display().to_string()]);
    let what = format!("list of {SESSIONS} sessions, plain reading");
    let holds =
        row(&what, "ms", median(&listed, milliseconds), median(&plain, milliseconds), LIST_BAR);
    let session = files::long_session(&huge, &cwd, 2, 10).expect("the disk takes it");
    files::stretch(&session, HUGE).expect("the file can have holes");
    let huge = runs([LIST, &huge.display().to_string()]);
    row("list of a file of 2 GiB, memory", "MiB", median(&huge, mebibytes), HUGE_BAR, 1.0) && holds
}

fn milliseconds(cost: &Cost) -> f64 {
    cost.time.as_secs_f64() * 1e3
}

fn mebibytes(cost: &Cost) -> f64 {
    Duration::from_millis(cost.kibibytes).as_secs_f64() / 1.024
}

/// Prints what was measured and tells whether it is at most `bar` times the other.
fn row(name: &str, unit: &str, ours: f64, other: f64, bar: f64) -> bool {
    let ratio = ours / other;
    let holds = ratio <= bar;
    let (ours, other) = (format!("{ours:.1} {unit}"), format!("{other:.1} {unit}"));
    let verdict = if holds { "holds" } else { "MISSED" };
    println!("{name:<44} {ours:>11} {other:>11} {ratio:>7.3} {bar:>7.3}  {verdict}");
    holds
}
