//! Measures what long and many sessions cost: resumed, side by side with the reference, and listed.
//!
//! The files are generated in the build's own directory and removed at the end.

#![expect(clippy::print_stdout, reason = "a measurement is printed")]

mod files;
#[path = "../measure/mod.rs"]
mod measure;
#[path = "../../tests/conformance/ours.rs"]
mod ours;
mod place;
mod programs;
#[path = "../../tests/conformance/reference.rs"]
mod reference;
mod rows;
#[path = "../../tests/support/mod.rs"]
mod support;

use std::process::ExitCode;

use measure::{MEASURE, measure_child};

fn main() -> ExitCode {
    let mut arguments = std::env::args_os().skip(1);
    let first = arguments.next().unwrap_or_default();
    let rest: Vec<_> = arguments.collect();
    match first.to_str() {
        Some(MEASURE) => measure_child(&rest),
        Some(programs::RESUME) => programs::resume(&rest),
        Some(programs::LIST) => programs::list(&rest),
        Some(programs::READ_EACH) => programs::read_each(&rest),
        _ => rows::measure_all(),
    }
}
