//! A fork is a session from the moment at which its past is whole, and not before.

#![expect(clippy::disallowed_methods, reason = "homes are looked at as they are on disk")]
#![expect(clippy::unwrap_used, reason = "what goes wrong in a helper of a test fails the test")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;

use pretty_assertions::assert_eq;
use recto_core::rollout::{
    Catalog, ContinueError, RecorderSettings, ReplayedSession, RolloutChain, RolloutRecorder,
    SkipReason, Until, replay,
};
use recto_core::testing::{Fixture, rounds};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use super::super::lives::{Noon, new_rollout};
use super::super::scene::settings;
use super::notation::{assistant, meta, rollout, user};

const TASK: &str = "RECTO_TEST_FORK";
const PARENT: &str = "00000000-0000-7000-8000-00000000000a";

/// A session whose copying takes a while.
fn parent(turns: usize) -> String {
    let mut lines = vec![meta(PARENT)];
    for number in 0..turns {
        lines.push(user(&format!("{number}")));
        lines.push(assistant(&"x".repeat(5_000)));
    }
    rollout(&lines)
}

async fn fork(parent: &Path, home: &Path) -> Result<(), ContinueError> {
    let new = new_rollout(2, "/t".to_owned(), &settings());
    let chain = RolloutChain::single(parent);
    let settings = RecorderSettings::default();
    let (_, recorder) = RolloutRecorder::fork(&chain, home, &new, settings, Arc::new(Noon)).await?;
    recorder.close().await.unwrap();
    Ok(())
}

/// What a child does: `fork`, or `fill` where no file may grow beyond a limit.
#[tokio::test]
async fn a_child_does_its_task() {
    let Ok(task) = std::env::var(TASK) else { return };
    let root = std::env::current_dir().unwrap();
    let (parent, home) = (root.join("parent.jsonl"), root.join("own"));
    match task.as_str() {
        "fork" => fork(&parent, &home).await.unwrap(),
        "fill" => {
            let old = getrlimit(Resource::Fsize);
            setrlimit(Resource::Fsize, Rlimit { current: Some(64 << 10), ..old }).unwrap();
            let error = fork(&parent, &home).await.unwrap_err();
            assert!(matches!(error, ContinueError::Copy(_)), "{error}");
        }
        other => panic!("no such task: {other}"),
    }
}

fn child(task: &str, root: &Path) -> Child {
    Command::new("sh")
        .args(["-c", "trap '' XFSZ; exec \"$0\" \"$@\""])
        .arg(std::env::current_exe().unwrap())
        .args(["--exact", "suite::rollout::forks::a_child_does_its_task"])
        .env(TASK, task)
        .current_dir(root)
        .stdout(Stdio::null())
        .spawn()
        .unwrap()
}

fn replayed(path: &Path) -> ReplayedSession {
    replay(&RolloutChain::single(path), Until::End).unwrap()
}

/// The files where sessions are, whatever they are called.
fn files(home: &Path) -> Vec<PathBuf> {
    let day = home.join("sessions/2026/11/30");
    let entries = fs::read_dir(day).into_iter().flatten();
    entries.map(|entry| entry.unwrap().path()).collect()
}

#[test]
fn soak_a_killed_fork_leaves_no_session_in_part() {
    let tree = Fixture::parse("//- own/\n//- cwd: .").lay_out();
    let (parent_path, home) = (tree.path("parent.jsonl"), tree.path("own"));
    fs::write(&parent_path, parent(2_000)).unwrap();
    let whole = replayed(&parent_path).items;
    let mut killed_in_the_middle = 0;
    for round in 0..rounds(4, 100) {
        let mut child = child("fork", tree.root());
        while files(&home).is_empty() {
            std::thread::yield_now();
        }
        for _ in 0..u64::from(round) * 20_000 {
            std::hint::spin_loop();
        }
        child.kill().unwrap();
        child.wait().unwrap();

        let catalog = Catalog::of_homes([&home]);
        for file in &catalog.sessions {
            assert!(replayed(&file.path).items == whole, "a session in part in round {round}");
        }
        for skipped in &catalog.skipped {
            assert_eq!(skipped.reason, SkipReason::Unfinished);
            killed_in_the_middle += 1;
        }
        for file in files(&home) {
            fs::remove_file(file).unwrap();
        }
    }
    assert!(killed_in_the_middle > 0, "no kill came in time");
}

#[test]
fn a_fork_that_the_disk_does_not_take_is_an_error_and_leaves_nothing() {
    let tree = Fixture::parse("//- own/\n//- cwd: .").lay_out();
    fs::write(tree.path("parent.jsonl"), parent(100)).unwrap();
    assert!(child("fill", tree.root()).wait().unwrap().success());
    assert_eq!(files(&tree.path("own")), Vec::<PathBuf>::new());
}

#[tokio::test]
async fn a_fork_takes_no_name_that_another_file_has() {
    let tree = Fixture::parse("//- own/\n//- cwd: .").lay_out();
    let (parent_path, home) = (tree.path("parent.jsonl"), tree.path("own"));
    fs::write(&parent_path, parent(1)).unwrap();
    fork(&parent_path, &home).await.unwrap();
    let first = files(&home);
    let before = fs::read(&first[0]).unwrap();
    let error = fork(&parent_path, &home).await.unwrap_err();
    assert!(error.to_string().contains("it could not get its name"), "{error}");
    assert_eq!(files(&home), first);
    assert_eq!(fs::read(&first[0]).unwrap(), before);
}
