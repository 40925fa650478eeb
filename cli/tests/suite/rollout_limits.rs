//! Long work that is interrupted, and disks that take no more.

#![expect(clippy::disallowed_methods, reason = "looks at what is left on disk")]

use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};

use pretty_assertions::assert_eq;
use rustix::process::{Pid, Signal, kill_process};

use super::command::Recto;
use super::rollouts::{FIRST, message, meta, record};

/// A session of so many turns.
fn session(turns: usize) -> String {
    let turn = message(1, "user", "hello") + &message(2, "assistant", &"x".repeat(4_000));
    meta(FIRST, "/t/repo") + &turn.repeat(turns)
}

fn in_tree(turns: usize) -> Recto {
    let recto = Recto::in_tree("//- repo/.git/HEAD\n//- cwd: repo\n");
    record(&recto, FIRST, session(turns));
    recto
}

/// What stands in a directory.
fn names(directory: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory).expect("it is there");
    let mut names: Vec<PathBuf> = entries.map(|it| it.expect("it is listed").path()).collect();
    names.sort();
    names
}

#[test]
fn a_limit_on_the_size_of_files_is_an_error_and_ends_no_program() {
    let recto = in_tree(100);
    let before = names(&recto.tree().cwd());
    let script = format!(
        "export CODEX_HOME=../home; ulimit -f 16; exec \"$0\" rollout repair {FIRST} --to copy.jsonl"
    );
    let run = recto.run_in_shell(&script);
    assert_eq!(run.status, Some(2), "{run}");
    assert!(run.stderr.contains("File too large"), "{run}");
    assert_eq!(names(&recto.tree().cwd()), before);
}

#[test]
fn an_interrupted_copy_leaves_nothing_and_says_nothing() {
    let recto = in_tree(4_000);
    let before = names(&recto.tree().cwd());
    for signal in [Signal::INT, Signal::TERM] {
        let output = interrupted_copy(&recto, &before, signal);
        assert_eq!(output.status.signal(), Some(signal.as_raw()), "{}", recto.show(&output));
        assert_eq!((output.stdout.len(), output.stderr.len()), (0, 0));
        assert_eq!(names(&recto.tree().cwd()), before);
    }
}

/// A copy that is interrupted once it began; one that was ready before the signal came is made again.
fn interrupted_copy(recto: &Recto, before: &[PathBuf], signal: Signal) -> Output {
    loop {
        let mut command = recto.command(&["rollout", "repair", FIRST, "--to", "copy.jsonl"]);
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
        let child = child.expect("the program starts");
        while names(&recto.tree().cwd()) == before {
            std::thread::yield_now();
        }
        kill_process(Pid::from_child(&child), signal).expect("nobody waited for it yet");
        let output = child.wait_with_output().expect("it ends");
        let copy = recto.tree().cwd().join("copy.jsonl");
        if !copy.exists() {
            return output;
        }
        fs::remove_file(copy).expect("it is the test's own");
    }
}
