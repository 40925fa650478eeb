//! What is measured, and what must hold.
//!
//! Runs that are compared take turns, and the middle one of each counts.

use std::process::ExitCode;

use crate::files;
use crate::measure::{Cost, median};
use crate::place::{Place, Resumed, this};
use crate::programs::{LIST, READ_EACH};
use crate::reference;
use crate::support::{Answer, message};

/// Pairs of runs of a long session, and runs of what is quick.
const PAIRS: usize = 5;
const RUNS: usize = 9;

/// Turns of the sessions: 80,000 messages and some 110 MB, and so on down to 3 MB.
const TURNS: [u64; 3] = [40_000, 10_000, 1_100];

const SESSIONS: u64 = 10_000;
const HUGE: u64 = 2 << 30;

/// Parts of the reference's time and memory that may be used.
const TIME_BAR: f64 = 1.0 / 10.0;
const MEMORY_BAR: f64 = 1.0 / 4.0;

/// How much longer the reference's request may be: both hold the same messages, and it sends ids that no server issued.
const REQUEST_BAR: f64 = 1.03;

/// How many times as long a byte of a longer session may take as one of a shorter.
const GROWTH_BAR: f64 = 1.3;

/// How many times as long a list may take as plainly reading what it shows.
const LIST_BAR: f64 = 3.0;

/// Mebibytes that the list of a huge session may take.
const HUGE_BAR: f64 = 64.0;

pub(crate) fn measure_all() -> ExitCode {
    let place = Place::new();
    println!("{:<44} {:>11} {:>11} {:>7} {:>7}", "", "recto", "against", "ratio", "bar");
    let mut holds = resumed(&place);
    holds &= growth(&place);
    holds &= lists(&place);
    if holds { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// A long session to the bytes of its next request, and the reference's `exec resume` of the same file.
fn resumed(place: &Place) -> bool {
    let Some(reference) = reference::binary() else {
        println!("nothing to compare with: the reference is not installed (just conformance)");
        return false;
    };
    let reference = reference.display().to_string();
    // The first run of the reference in a home sets it up.
    place.server.then(Answer::of([message("msg_warm", "ok")]));
    place.resume_with(&reference, 10);
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for pair in 0..PAIRS {
        // Each goes first in half of the pairs.
        if pair % 2 == 0 {
            ours.push(place.resume(TURNS[0]));
        }
        theirs.push(place.resume_with(&reference, TURNS[0]));
        if pair % 2 == 1 {
            ours.push(place.resume(TURNS[0]));
        }
    }
    let longest = |runs: &[Resumed]| runs.iter().map(|it| it.request_bytes).max();
    let request = |runs| to_float(longest(runs).unwrap_or_default()) / 1e6;
    let costs = |runs: Vec<Resumed>| runs.into_iter().map(|it| it.cost).collect::<Vec<_>>();
    let holds = row("the reference's request", "MB", request(&theirs), request(&ours), REQUEST_BAR)
        && request(&ours) <= request(&theirs);
    let (ours, theirs) = (costs(ours), costs(theirs));
    let compare = |what: &str, unit: &str, number: fn(&Cost) -> f64, bar| {
        row(what, unit, median(&ours, number), median(&theirs, number), bar)
    };
    let what = format!("{} messages to the next request", TURNS[0] * 2);
    let time = compare(&what, "ms", milliseconds, TIME_BAR);
    let processor = compare("processor time to the end", "ms", processor, TIME_BAR);
    let memory = compare("peak memory", "MiB", mebibytes, MEMORY_BAR);
    holds && time && processor && memory
}

/// What a turn costs in longer sessions, against a shorter one, without what a session of one turn costs.
fn growth(place: &Place) -> bool {
    let sizes = [1, TURNS[2], TURNS[1], TURNS[0]];
    let mut runs = sizes.map(|_| Vec::new());
    for _ in 0..PAIRS {
        for (runs, turns) in runs.iter_mut().zip(sizes) {
            runs.push(place.resume(turns).cost);
        }
    }
    let [start, short, middle, long] = runs.map(|runs| median(&runs, processor));
    println!(
        "{:<44} {start:.1}, {short:.1}, {middle:.1} and {long:.1} ms of processors",
        "one turn, 3, 28 and 110 MB"
    );
    let per_turn = |time: f64, turns: u64| (time - start) / to_float(turns - 1) * 1e3;
    let [short, middle, long] =
        [(short, TURNS[2]), (middle, TURNS[1]), (long, TURNS[0])].map(|(t, n)| per_turn(t, n));
    let holds = row("a turn of 110 MB, of 3 MB", "µs", long, short, GROWTH_BAR);
    row("a turn of 110 MB, of 28 MB", "µs", long, middle, GROWTH_BAR) && holds
}

fn lists(place: &Place) -> bool {
    let (many, huge) = (place.tree.path("many"), place.tree.path("huge"));
    let cwd = place.tree.cwd();
    files::many_sessions(&many, &cwd, SESSIONS).expect("the disk takes it");
    let directory = files::path(&many, 0);
    let directory = directory.parent().unwrap_or(&directory).display().to_string();
    let (mut plain, mut listed) = (Vec::new(), Vec::new());
    for _ in 0..RUNS {
        plain.push(place.run(&[&this(), READ_EACH, &directory]));
        listed.push(place.run(&[&this(), LIST, &many.display().to_string()]));
    }
    let what = format!("list of {SESSIONS} sessions, plain reading");
    let holds =
        row(&what, "ms", median(&listed, milliseconds), median(&plain, milliseconds), LIST_BAR);
    let (listed, plain) = (median(&listed, processor), median(&plain, processor));
    let holds = row("its processor time", "ms", listed, plain, LIST_BAR) && holds;
    let session = files::long_session(&huge, &cwd, 2, 10).expect("the disk takes it");
    files::stretch(&session, HUGE).expect("the file can have holes");
    let huge = [place.run(&[&this(), LIST, &huge.display().to_string()])];
    row("list of a file of 2 GiB, memory", "MiB", median(&huge, mebibytes), HUGE_BAR, 1.0) && holds
}

fn milliseconds(cost: &Cost) -> f64 {
    cost.time.as_secs_f64() * 1e3
}

fn processor(cost: &Cost) -> f64 {
    cost.processor.as_secs_f64() * 1e3
}

fn mebibytes(cost: &Cost) -> f64 {
    to_float(cost.kibibytes) / 1024.0
}

/// A number that a float holds exactly: far below 2^53.
fn to_float(number: impl TryInto<u32>) -> f64 {
    f64::from(number.try_into().unwrap_or(u32::MAX))
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
