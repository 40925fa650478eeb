//! Times `recto prompt --format input` and the reference's `debug prompt-input` in turn, and compares their memory.
//!
//! Every child is started by a process of its own, this same program with `--measure`: the operating system tells the
//! peak memory of ended children only as the largest of all of them.

#![expect(clippy::print_stdout, reason = "a measurement is printed")]

mod measure;
#[path = "../tests/conformance/reference.rs"]
mod reference;

use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use measure::{Cost, MEASURE, measure_child, median};
use recto_core::testing::{Fixture, FixtureDirectory};

/// Pairs that are measured, after [`WARM_UP`] pairs that are not.
const PAIRS: usize = 21;
const WARM_UP: usize = 3;

/// How many times as much the reference must take.
const TIME_BAR: f64 = 15.0;
const MEMORY_BAR: f64 = 6.0;

fn main() -> ExitCode {
    let mut arguments = std::env::args_os().skip(1);
    if arguments.next().is_some_and(|first| first == MEASURE) {
        return measure_child(&arguments.collect::<Vec<_>>());
    }
    let Some(reference) = reference::binary() else {
        println!("nothing to compare with: the reference is not installed (just conformance)");
        return ExitCode::FAILURE;
    };
    let tree = project();
    let recto = [env!("CARGO_BIN_EXE_recto").as_ref(), "prompt", "--format", "input", "hi"];
    let reference = [reference.to_str().unwrap_or_default(), "debug", "prompt-input", "hi"];
    let (mut of_recto, mut of_reference) = (Vec::new(), Vec::new());
    for pair in 0..WARM_UP + PAIRS {
        let costs = (cost(&tree, &recto), cost(&tree, &reference));
        if pair >= WARM_UP {
            of_recto.push(costs.0);
            of_reference.push(costs.1);
        }
    }
    let holds = print_table(&of_recto, &of_reference);
    if holds { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// A project of three levels with instructions on each, and a home that both programs share.
fn project() -> FixtureDirectory {
    let fixture = Fixture::parse(
        r#"
        //- home/AGENTS.md = "Answer briefly.\n"
        //- user/
        //- repo/.git/HEAD = "ref: refs/heads/main\n"
        //- repo/AGENTS.md = "Run the tests before you commit.\n"*60
        //- repo/core/AGENTS.md = "Modules stand in layers.\n"*40
        //- repo/core/src/AGENTS.md = "Comments say why.\n"*20
        //- cwd: repo/core/src
        "#,
    );
    // The reference behaves differently with a home in the temporary folder.
    fixture.lay_out_in(Path::new("/var/tmp"))
}

/// Runs a program in the project and measures it.
fn cost(tree: &FixtureDirectory, program: &[&str]) -> Cost {
    measure::cost(program, &tree.cwd(), &tree.path("user"), &tree.codex_home())
}

/// Prints what was measured and tells whether both bars hold.
fn print_table(of_recto: &[Cost], of_reference: &[Cost]) -> bool {
    let time = |costs: &[Cost]| median(costs, |cost| cost.time.as_secs_f64() * 1e3);
    let processor = |costs: &[Cost]| median(costs, |cost| cost.processor.as_secs_f64() * 1e3);
    let memory = |costs: &[Cost]| {
        let mebibytes = |cost: &Cost| Duration::from_millis(cost.kibibytes).as_secs_f64() / 1.024;
        median(costs, mebibytes)
    };
    println!("medians of {PAIRS} runs each, in turn\n");
    println!("{:<12} {:>12} {:>12} {:>8} {:>8}", "", "recto", "reference", "ratio", "bar");
    let time_holds = print_row("time", "ms", time(of_recto), time(of_reference), TIME_BAR);
    let processor_holds =
        print_row("processors", "ms", processor(of_recto), processor(of_reference), TIME_BAR);
    let memory_holds =
        print_row("peak memory", "MiB", memory(of_recto), memory(of_reference), MEMORY_BAR);
    time_holds && processor_holds && memory_holds
}

fn print_row(name: &str, unit: &str, recto: f64, reference: f64, bar: f64) -> bool {
    let ratio = reference / recto;
    let holds = ratio >= bar;
    let (recto, reference) = (format!("{recto:.1} {unit}"), format!("{reference:.1} {unit}"));
    let (ratio, bar) = (format!("1/{ratio:.1}"), format!("1/{bar}"));
    let verdict = if holds { "holds" } else { "MISSED" };
    println!("{name:<12} {recto:>12} {reference:>12} {ratio:>8} {bar:>8}  {verdict}");
    holds
}
