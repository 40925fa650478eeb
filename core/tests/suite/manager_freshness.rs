//! What a session that looks at its files at every step sees, and one that does not.

#![expect(clippy::disallowed_methods, reason = "the tests edit files behind the engine's back")]

use std::fs::{self, File};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use pretty_assertions::assert_eq;
use recto_core::agents_md::Freshness;
use recto_core::environment::{FileSystemError, LocalFileSystem};
use recto_core::testing::{CallKind, ControlledFileSystem, FixtureDirectory, TestEnvironment};

use super::manager::Asker;
use super::support::{files, text_of, tree};

const CHAIN: &str = r#"home/AGENTS.md = "G"; r/.git/; r/AGENTS.md = "R"; r/s/; cwd: r/s"#;

fn text(docs: &str) -> String {
    format!("[r/s] G\n\n--- project-doc ---\n\n{docs}")
}

/// Writes a file and gives it a time of its own, as an editor would that took a while.
fn write(tree: &FixtureDirectory, path: &str, text: &str) {
    fs::write(tree.path(path), text).expect("the tree is writable");
    let later = SystemTime::now() + Duration::from_secs(5);
    File::options()
        .write(true)
        .open(tree.path(path))
        .and_then(|file| file.set_modified(later))
        .expect("the file was just written");
}

/// What the next step reads after a change, by freshness.
async fn after(change: impl Fn(&FixtureDirectory), freshness: Freshness) -> String {
    let tree = tree(CHAIN);
    let asker = Asker::new(&tree, "r/s", files(&tree), freshness).await;
    asker.refresh().await.expect("no policy forbids a read");
    change(&tree);
    let loaded = asker.refresh().await.expect("no policy forbids a read");
    text_of(&tree, &loaded)
}

async fn check(change: impl Fn(&FixtureDirectory), seen: &str) {
    assert_eq!(after(&change, Freshness::Selection).await, text("R"));
    assert_eq!(after(&change, Freshness::Stat).await, seen);
}

#[tokio::test]
async fn an_edited_file_is_seen_by_stat_alone() {
    check(|tree| write(tree, "r/AGENTS.md", "longer than it was"), &text("longer than it was"))
        .await;
}

#[tokio::test]
async fn an_edit_that_keeps_the_size_is_seen() {
    check(|tree| write(tree, "r/AGENTS.md", "X"), &text("X")).await;
}

#[tokio::test]
async fn a_file_that_took_the_others_place_is_seen_though_time_and_size_are_the_same() {
    let replace = |tree: &FixtureDirectory| {
        let (old, new) = (tree.path("r/AGENTS.md"), tree.path("r/new"));
        let modified = fs::metadata(&old).and_then(|it| it.modified()).expect("the file is there");
        fs::write(&new, "Y").expect("the tree is writable");
        let file = File::options().write(true).open(&new);
        file.and_then(|file| file.set_modified(modified)).expect("it was just written");
        fs::rename(new, old).expect("both are there");
    };
    // Over SFTP nothing tells the two apart.
    let seen = if TestEnvironment::current().tells_all() { "Y" } else { "R" };
    check(replace, &text(seen)).await;
}

#[tokio::test]
async fn new_files_and_new_overrides_are_seen() {
    check(|tree| write(tree, "r/s/AGENTS.md", "S"), &text("R\n\nS")).await;
    check(|tree| write(tree, "r/AGENTS.override.md", "O"), &text("O")).await;
}

#[tokio::test]
async fn a_deleted_file_is_seen() {
    check(|tree| fs::remove_file(tree.path("r/AGENTS.md")).expect("it is there"), "G").await;
}

#[tokio::test]
async fn the_hosts_text_is_a_snapshot_for_both() {
    check(|tree| write(tree, "home/AGENTS.md", "edited"), &text("R")).await;
    check(|tree| fs::remove_file(tree.path("home/AGENTS.md")).expect("it is there"), &text("R"))
        .await;
}

#[tokio::test]
async fn what_was_forgotten_is_read_again() {
    let tree = tree(CHAIN);
    let asker = Asker::new(&tree, "r/s", files(&tree), Freshness::Selection).await;
    asker.refresh().await.unwrap();
    write(&tree, "r/AGENTS.md", "NEW");
    asker.manager.invalidate();
    assert_eq!(asker.standing(&tree), None);
    assert_eq!(text_of(&tree, &asker.refresh().await.unwrap()), text("NEW"));
}

#[tokio::test]
async fn a_step_that_finds_nothing_changed_looks_once_and_reads_nothing() {
    let tree = tree(CHAIN);
    let files = files(&tree);
    let asker = Asker::new(&tree, "r/s", files.clone(), Freshness::Stat).await;
    let first = asker.refresh().await.unwrap();
    files.reset();
    let second = asker.refresh().await.unwrap();
    assert!(Arc::ptr_eq(&first, &second));
    assert_eq!(files.round_trips(), 1);
    assert_eq!(
        files.paths(CallKind::Metadata),
        ["r/AGENTS.override.md", "r/AGENTS.md", "r/s/AGENTS.override.md", "r/s/AGENTS.md"]
            .map(|path| tree.path(path))
    );
    assert_eq!(files.count(CallKind::Read), 0);
}

#[tokio::test]
async fn a_look_that_a_policy_forbids_is_an_error_too() {
    let tree = tree(CHAIN);
    let files = Arc::new(ControlledFileSystem::new(Arc::new(LocalFileSystem)));
    let asker = Asker::new(&tree, "r/s", files.clone(), Freshness::Stat).await;
    files.release_during(asker.refresh()).await.unwrap();
    let place = tree.path("r/AGENTS.md");
    let denied = FileSystemError::Denied { path: place.clone(), policy: "no".to_owned() };
    let step = asker.spawn();
    files.next_call(&place).await.fail(&place, denied.clone());
    files.next_call(tree.path("r/.git")).await.release();
    files.next_call(&place).await.fail(&place, denied.clone());
    assert_eq!(step.await.unwrap().unwrap_err().0, denied);
    assert_eq!(asker.standing(&tree), None);
}

/// The older request finds out only late that it must read; the newer one's documents stand all the same.
#[tokio::test]
async fn an_older_request_that_looked_for_long_does_not_push_out_a_newer_one() {
    let tree =
        tree(r#"one/.git/; one/AGENTS.md = "ONE"; two/.git/; two/AGENTS.md = "TWO"; cwd: one"#);
    let files = Arc::new(ControlledFileSystem::new(Arc::new(LocalFileSystem)));
    let old = Asker::new(&tree, "one", files.clone(), Freshness::Stat).await;
    files.release_during(old.refresh()).await.unwrap();
    write(&tree, "one/AGENTS.md", "EDITED");

    let old_step = old.spawn();
    let look = files.next_call(tree.path("one/AGENTS.md")).await;
    let new = old.at(&tree, "two");
    files.release_during(new.refresh()).await.unwrap();
    look.release();
    let loaded = files.release_during(old_step).await.unwrap().unwrap();
    assert_eq!(text_of(&tree, &loaded), "[one] EDITED");
    assert_eq!(old.standing(&tree), Some("[two] TWO".to_owned()));
}
