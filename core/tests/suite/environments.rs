//! Environments on their way from starting to ready.

use std::sync::Arc;

use pretty_assertions::assert_eq;
use recto_core::environment::{
    Environment, EnvironmentFailure, EnvironmentId, LocalFileSystem, StartingEnvironment,
    ThreadEnvironments, TurnEnvironmentSelection, TurnEnvironmentSnapshot,
};
use tokio::sync::oneshot;

use super::support::environment;

type Start = oneshot::Sender<Result<Arc<Environment>, String>>;

fn selection(id: &str) -> TurnEnvironmentSelection {
    TurnEnvironmentSelection { environment_id: EnvironmentId::new(id), cwd: "/w".into() }
}

fn push_starting(environments: &mut ThreadEnvironments, id: &str) -> Start {
    let (start, started) = oneshot::channel();
    environments.push_starting(StartingEnvironment { selection: selection(id), started });
    start
}

fn running() -> Arc<Environment> {
    environment("any", "/w", Arc::new(LocalFileSystem)).environment
}

/// Names of the ready, the starting and the failed ones.
fn names(snapshot: &TurnEnvironmentSnapshot) -> [Vec<String>; 3] {
    let name = |selection: &TurnEnvironmentSelection| selection.environment_id.to_string();
    [
        snapshot.ready.iter().map(|it| name(&it.selection)).collect(),
        snapshot.starting.iter().map(name).collect(),
        snapshot.failed.iter().map(|it| name(&it.selection)).collect(),
    ]
}

#[track_caller]
fn check(environments: &ThreadEnvironments, expected: [&[&str]; 3]) {
    assert_eq!(names(&environments.snapshot()), expected.map(<[&str]>::to_vec));
}

#[test]
fn only_ready_environments_are_selections() {
    let mut environments = ThreadEnvironments::default();
    environments.push_ready(environment("local", "/w", Arc::new(LocalFileSystem)));
    let _start = push_starting(&mut environments, "box");
    let snapshot = environments.snapshot();
    assert_eq!(snapshot.to_selections(), [selection("local")]);
    assert_eq!(snapshot.starting, [selection("box")]);
    assert_eq!(snapshot.primary().map(|it| &it.selection), Some(&selection("local")));
}

#[test]
fn what_has_started_is_promoted_by_the_next_look_and_keeps_its_place() {
    let mut environments = ThreadEnvironments::default();
    let first = push_starting(&mut environments, "first");
    environments.push_ready(environment("local", "/w", Arc::new(LocalFileSystem)));
    let second = push_starting(&mut environments, "second");
    environments.refresh_readiness();
    check(&environments, [&["local"], &["first", "second"], &[]]);

    second.send(Ok(running())).unwrap();
    check(&environments, [&["local"], &["first", "second"], &[]]);
    environments.refresh_readiness();
    check(&environments, [&["local", "second"], &["first"], &[]]);

    first.send(Ok(running())).unwrap();
    environments.refresh_readiness();
    check(&environments, [&["first", "local", "second"], &[], &[]]);
}

#[test]
fn what_does_not_come_up_is_told_with_its_reason() {
    let mut environments = ThreadEnvironments::default();
    let refused = push_starting(&mut environments, "refused");
    drop(push_starting(&mut environments, "abandoned"));
    refused.send(Err("no such host".to_owned())).unwrap();
    environments.refresh_readiness();
    environments.refresh_readiness();
    let failure = |id, reason: &str| EnvironmentFailure {
        selection: selection(id),
        reason: reason.to_owned(),
    };
    assert_eq!(
        environments.snapshot().failed,
        [failure("refused", "no such host"), failure("abandoned", "what was starting it is gone")]
    );
    check(&environments, [&[], &[], &["refused", "abandoned"]]);
}

#[test]
fn a_picture_that_was_taken_never_changes() {
    let mut environments = ThreadEnvironments::default();
    let start = push_starting(&mut environments, "box");
    let before = environments.snapshot();
    start.send(Ok(running())).unwrap();
    environments.refresh_readiness();
    assert_eq!(names(&before), [vec![], vec!["box".to_owned()], vec![]]);
}
