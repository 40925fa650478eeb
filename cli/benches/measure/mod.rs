//! What a program takes: its time, on the clock and of processors, and its peak memory.
//!
//! Every child is started by a process of its own, this same program with [`MEASURE`]: the operating system tells the
//! peak memory of ended children only as the largest of all of them.

use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use nix::sys::resource::{UsageWho, getrusage};

/// Makes this program measure one child: the rest of the arguments.
pub(crate) const MEASURE: &str = "--measure";

/// What one run of a program took.
#[derive(Clone, Copy)]
pub(crate) struct Cost {
    pub(crate) time: Duration,
    /// Of all its threads, in the system too; that other programs run beside it hardly changes it.
    pub(crate) processor: Duration,
    pub(crate) kibibytes: u64,
}

/// Runs a program and measures it from a process of its own.
pub(crate) fn cost(program: &[&str], cwd: &Path, user: &Path, codex_home: &Path) -> Cost {
    let this = std::env::current_exe().expect("this program has a path");
    let output = Command::new(this)
        .arg(MEASURE)
        .args(program)
        .current_dir(cwd)
        .env_clear()
        .env("PATH", "/usr/bin:/bin")
        .env("SHELL", "/bin/bash")
        .env("HOME", user)
        .env("CODEX_HOME", codex_home)
        .stdin(Stdio::null())
        .output()
        .expect("this program can be started");
    assert!(output.status.success(), "{} failed", program.join(" "));
    let printed = String::from_utf8_lossy(&output.stdout);
    let mut numbers = printed.split_whitespace().map(|it| it.parse::<u64>().expect("a number"));
    let mut next = || numbers.next().expect("three numbers");
    let (time, processor) = (Duration::from_nanos(next()), Duration::from_micros(next()));
    Cost { time, processor, kibibytes: next() }
}

/// Runs one program to its end and prints its nanoseconds, the microseconds of processors and the kibibytes of its
/// peak.
pub(crate) fn measure_child(words: &[OsString]) -> ExitCode {
    let [program, arguments @ ..] = words else { return ExitCode::FAILURE };
    let start = Instant::now();
    let ended = command(program, arguments).status();
    let time = start.elapsed();
    let (Ok(status), Ok(usage)) = (ended, getrusage(UsageWho::RUSAGE_CHILDREN)) else {
        return ExitCode::FAILURE;
    };
    let processor = usage.user_time() + usage.system_time();
    let microseconds = processor.tv_sec() * 1_000_000 + processor.tv_usec();
    println!("{} {microseconds} {}", time.as_nanos(), usage.max_rss());
    if status.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn command(program: &OsStr, arguments: &[OsString]) -> Command {
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// The middle one of what runs took.
pub(crate) fn median(costs: &[Cost], number: impl Fn(&Cost) -> f64) -> f64 {
    let mut numbers: Vec<f64> = costs.iter().map(number).collect();
    numbers.sort_by(f64::total_cmp);
    numbers[numbers.len() / 2]
}
