//! Recorders in processes of their own: killed, two at once, under odd masks and on a full disk.
//!
//! Children are this test program again, with a variable that says what they are to do.

#![expect(clippy::disallowed_methods, reason = "recorded files are looked at as they are on disk")]
#![expect(clippy::unwrap_used, reason = "what goes wrong in a helper of a test fails the test")]

use std::fs;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};

use pretty_assertions::assert_eq;
use recto_core::rollout::{
    AppendError, FileRecorder, OpenError, RecorderSettings, RolloutSink, SyncPolicy,
};
use recto_core::testing::{Fixture, rounds};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use super::recorder::{START, line, lines, thread_id};

const TASK: &str = "RECTO_TEST_TASK";
const FILE: &str = "RECTO_TEST_FILE";
const FIRST: &str = "RECTO_TEST_FIRST";

/// Bytes that the child on a full disk may write.
const FILE_LIMIT: u64 = 64 << 10;

/// This program as a child with a task; `shell` is run before, in the same process.
fn child(shell: &str, task: &str, file: &Path, first: usize) -> (Child, BufReader<ChildStdout>) {
    let mut child = Command::new("sh")
        .args(["-c", &format!("{shell} exec \"$0\" \"$@\"")])
        .arg(std::env::current_exe().unwrap())
        .args(["--exact", "suite::rollout::processes::a_child_does_its_task", "--nocapture"])
        .env(TASK, task)
        .env(FILE, file)
        .env(FIRST, first.to_string())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let output = BufReader::new(child.stdout.take().unwrap());
    (child, output)
}

/// What a child says: its lines that start with `> `.
fn next_word(output: &mut impl BufRead) -> Option<String> {
    let mut text = String::new();
    loop {
        text.clear();
        if output.read_line(&mut text).unwrap() == 0 {
            return None;
        }
        if let Some(word) = text.strip_prefix("> ").and_then(|word| word.strip_suffix('\n')) {
            return Some(word.to_owned());
        }
    }
}

fn say(word: impl std::fmt::Display) {
    let mut output = io::stdout().lock();
    output.write_all(format!("> {word}\n").as_bytes()).unwrap();
    output.flush().unwrap();
}

fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

#[tokio::test]
async fn a_child_does_its_task() {
    let Some(task) = variable(TASK) else { return };
    println!();
    let file = PathBuf::from(variable(FILE).unwrap());
    let first: usize = variable(FIRST).unwrap().parse().unwrap();
    match task.as_str() {
        "record" => record(&file, first).await,
        "hold" => hold(&file).await,
        "create" => create(&file).await,
        "fill" => fill(&file).await,
        other => panic!("no such task: {other}"),
    }
}

async fn open(file: &Path) -> FileRecorder {
    let settings = RecorderSettings { sync: SyncPolicy::None, ..RecorderSettings::default() };
    FileRecorder::open(file, None, settings).await.unwrap().recorder
}

/// Lines of very different lengths, so that a kill can hit the middle of one.
fn long_line(number: usize) -> String {
    line(&format!("{number} {}", "x".repeat(number * 7919 % 60_000)))
}

/// Appends until it is killed, and says the number of each line that was acknowledged.
async fn record(file: &Path, first: usize) {
    let recorder = open(file).await;
    for number in first.. {
        recorder.append(vec![long_line(number)]).await.unwrap();
        say(number);
    }
}

async fn hold(file: &Path) {
    let recorder = open(file).await;
    say("ready");
    io::stdin().read_to_end(&mut Vec::new()).unwrap();
    recorder.close().await.unwrap();
}

async fn create(home: &Path) {
    let settings = RecorderSettings::default();
    let recorder = FileRecorder::create(home, START, thread_id(), settings).await.unwrap();
    recorder.append(vec![line("a")]).await.unwrap();
    say(recorder.path().display());
}

/// Writes under a limit on the size of files until it fails, then without it.
async fn fill(file: &Path) {
    let recorder = open(file).await;
    let old = getrlimit(Resource::Fsize);
    setrlimit(Resource::Fsize, Rlimit { current: Some(FILE_LIMIT), ..old }).unwrap();
    let mut failed = 0;
    for number in 0.. {
        let text = line(&format!("{number} {}", "x".repeat(9_000)));
        match recorder.append(vec![text]).await {
            Ok(()) => say(number),
            Err(AppendError::Failed { kind, pending, .. }) => {
                failed += 1;
                assert_eq!((kind, pending), (io::ErrorKind::FileTooLarge, failed));
            }
            Err(other) => panic!("{other}"),
        }
        if failed == 3 {
            break;
        }
    }
    say("full");
    setrlimit(Resource::Fsize, old).unwrap();
    recorder.append(vec![line("last")]).await.unwrap();
    say("done");
}

/// Numbers that look random and are the same each time.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % limit
    }
}

#[test]
fn soak_b96_a_killed_recorder_loses_no_acknowledged_line() {
    let directory = Fixture::parse("//- rollout.jsonl = \"\"\n//- cwd: .").lay_out();
    let path = directory.path("rollout.jsonl");
    let mut dice = Dice(0x9E37_79B9_7F4A_7C15);
    let mut torn = 0;
    for round in 0..rounds(50, 1000) {
        if round % 20 == 0 {
            fs::write(&path, "").unwrap();
        }
        let before = fs::read(&path).unwrap();
        let first = String::from_utf8_lossy(&before).matches('\n').count();
        let (mut child, mut output) = child("", "record", &path, first);
        let mut acknowledged = first;
        for _ in 0..dice.below(12) {
            assert_eq!(next_word(&mut output), Some(acknowledged.to_string()));
            acknowledged += 1;
        }
        for _ in 0..dice.below(200_000) {
            std::hint::spin_loop();
        }
        child.kill().unwrap();
        while let Some(word) = next_word(&mut output) {
            assert_eq!(word, acknowledged.to_string());
            acknowledged += 1;
        }
        child.wait().unwrap();

        let after = fs::read(&path).unwrap();
        let end = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        assert!(after.starts_with(&before[..end]), "earlier bytes changed in round {round}");
        let text = String::from_utf8(after).unwrap();
        let whole: Vec<&str> = text.split_inclusive('\n').filter(|it| it.ends_with('\n')).collect();
        assert!(whole.len() >= acknowledged, "round {round}: {} {acknowledged}", whole.len());
        for (number, text) in whole.iter().enumerate().skip(first) {
            assert!(text.trim_end() == long_line(number), "line {number} in round {round}");
        }
        torn += usize::from(!text.is_empty() && !text.ends_with('\n'));
        remove_torn_files(&path);
    }
    println!("{torn} files ended in the middle of a line");
}

fn remove_torn_files(path: &Path) {
    for entry in fs::read_dir(path.parent().unwrap()).unwrap() {
        let path = entry.unwrap().path();
        if path.to_string_lossy().contains(".torn-") {
            fs::remove_file(path).unwrap();
        }
    }
}

#[tokio::test]
async fn b89_a_second_process_is_refused_until_the_first_ends_or_is_killed() {
    let directory = Fixture::parse("//- rollout.jsonl = \"\"\n//- cwd: .").lay_out();
    let path = directory.path("rollout.jsonl");
    for killed in [false, true] {
        let (mut child, mut output) = child("", "hold", &path, 0);
        assert_eq!(next_word(&mut output).as_deref(), Some("ready"));
        let settings = RecorderSettings::default();
        let error = FileRecorder::open(&path, None, settings).await.unwrap_err();
        let OpenError::Locked { holder, .. } = error else { panic!("{error}") };
        let expected = cfg!(target_os = "linux").then_some(child.id());
        assert_eq!(holder.map(|holder| holder.pid), expected);
        assert_eq!(fs::read_to_string(&path).unwrap(), "", "it can be read meanwhile");

        if killed {
            child.kill().unwrap();
        }
        drop(child.stdin.take());
        child.wait().unwrap();
        open(&path).await.close().await.unwrap();
    }
}

#[test]
fn b90_no_umask_opens_a_session_to_others_or_closes_it_to_its_owner() {
    for umask in ["000", "022", "377"] {
        let directory = Fixture::parse("//- cwd: .").lay_out();
        let home = directory.path("new-home");
        let (mut child, mut output) = child(&format!("umask {umask};"), "create", &home, 0);
        let path = PathBuf::from(next_word(&mut output).expect("the child made a session"));
        assert!(child.wait().unwrap().success());
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o7777;
        let modes: Vec<u32> = path.ancestors().take(6).map(mode).collect();
        assert_eq!(modes, [0o600, 0o700, 0o700, 0o700, 0o700, 0o700], "umask {umask}");
        let locks = home.join("thread-writer-locks");
        assert_eq!((mode(&locks), mode(&locks.join(".coordination.lock"))), (0o700, 0o600));
        assert_eq!(lines(&path), [line("a")]);
    }
}

#[test]
fn b86_a_file_that_may_not_grow_is_told_and_goes_on_in_order() {
    let directory = Fixture::parse("//- rollout.jsonl = \"\"\n//- cwd: .").lay_out();
    let path = directory.path("rollout.jsonl");
    let (mut child, mut output) = child("trap '' XFSZ;", "fill", &path, 0);
    let words: Vec<String> = std::iter::from_fn(|| next_word(&mut output)).collect();
    assert!(child.wait().unwrap().success());
    assert_eq!(words, ["0", "1", "2", "3", "4", "5", "6", "full", "done"]);
    let mut expected: Vec<String> =
        (0..10).map(|number| line(&format!("{number} {}", "x".repeat(9_000)))).collect();
    expected.push(line("last"));
    assert_eq!(lines(&path), expected);
}
