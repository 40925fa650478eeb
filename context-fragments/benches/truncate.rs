//! Cutting a value costs what its budget costs, not what the value does: 1 GB against 1 MB, at most twice the time.
//!
//! `cargo bench -p recto-context-fragments` prints the ratio and fails where it is over the bar.

use std::hint::black_box;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use recto_context_fragments::{VALUE_TOKENS, truncate_middle};

/// How many times the small cut's time the big one may take.
const BAR: f64 = 2.0;

const CUTS_PER_ROUND: u32 = 20_000;
const ROUNDS: u32 = 15;

#[expect(clippy::print_stdout, reason = "a bench prints what it measured")]
fn main() -> ExitCode {
    let small = "a€".repeat(250_000);
    let big = "a€".repeat(250_000_000);
    let (mut fastest_small, mut fastest_big) = (Duration::MAX, Duration::MAX);
    for _ in 0..ROUNDS {
        fastest_small = fastest_small.min(time(&small));
        fastest_big = fastest_big.min(time(&big));
    }
    let ratio = fastest_big.as_secs_f64() / fastest_small.as_secs_f64();
    println!("cut of 1 MB: {:?}", fastest_small / CUTS_PER_ROUND);
    println!("cut of 1 GB: {:?}", fastest_big / CUTS_PER_ROUND);
    println!("ratio: {ratio:.2} (bar: {BAR:.0})");
    if ratio <= BAR { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn time(text: &str) -> Duration {
    let start = Instant::now();
    for _ in 0..CUTS_PER_ROUND {
        black_box(truncate_middle(black_box(text), VALUE_TOKENS));
    }
    start.elapsed()
}
