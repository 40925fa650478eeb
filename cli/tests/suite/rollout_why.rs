//! `recto rollout why`: in each layout one cause, and it alone.

use std::time::Duration;

use pretty_assertions::assert_eq;
use serde_json::Value;

use super::command::{Recto, cli_snapshot};
use super::rollouts::{
    FIRST, line, message, meta, of_reference, record, write, written_after, written_at,
};

/// What the session of the reference was told, in its order of turns: `t1` with `root rule` at second 44.
const SESSION: &str = "first_turn.jsonl";

/// A tree whose files are those that the model was told, and the session.
fn unchanged() -> Recto {
    let recto = Recto::in_tree(
        "
        //- home/AGENTS.md = \"host rule\\n\"
        //- repo/.git/HEAD
        //- repo/AGENTS.md = \"root rule\\n\"
        //- cwd: repo
        ",
    );
    record(&recto, FIRST, session(&recto));
    recto
}

fn session(recto: &Recto) -> String {
    of_reference(recto, SESSION)
}

/// Changes the project's file at a time that seconds after 23:57:00 tell.
fn edit(recto: &Recto, seconds: u64) {
    written_at(&write(recto, "repo/AGENTS.md", "edited rule\n"), seconds);
}

fn cause(recto: &Recto, arguments: &[&str]) -> (Option<i32>, String) {
    let arguments: Vec<&str> =
        ["rollout", "why", FIRST, "--json"].iter().chain(arguments).copied().collect();
    let run = recto.run(&arguments);
    let document: Value = serde_json::from_str(&run.stdout).unwrap_or_else(|_| panic!("{run}"));
    (run.status, document["cause"].as_str().expect("it has a cause").to_owned())
}

/// The lines of a turn after the first, as a program that goes on running writes them.
fn later_turn(cwd: &str, second: usize, lines: &str) -> String {
    line(second, "event_msg", r#"{"type":"task_started","turn_id":"later"}"#)
        + &lines.replace("$CWD", cwd)
}

#[test]
fn what_was_told_is_what_is_there() {
    let recto = unchanged();
    cli_snapshot!(recto, "rollout", "why", FIRST);
    assert_eq!(cause(&recto, &[]), (Some(0), "equal".to_owned()));
}

#[test]
fn a_session_goes_by_its_record_until_its_next_turn() {
    let recto = unchanged();
    edit(&recto, 60 * 60 * 24);
    cli_snapshot!(recto, "rollout", "why", FIRST);
    assert_eq!(cause(&recto, &[]), (Some(1), "goes_by_record".to_owned()));
}

#[test]
fn a_file_off_the_chain_is_named() {
    let recto = unchanged();
    write(&recto, "repo/sub/AGENTS.md", "sub rule\n");
    cli_snapshot!(recto, "rollout", "why", FIRST, "--path", "sub/AGENTS.md");
    // Who stands beside it need not name it.
    let sub = recto.tree().path("repo/sub");
    assert_eq!(
        cause(&recto, &["-C", &sub.to_string_lossy()]),
        (Some(1), "not_on_chain".to_owned())
    );
}

#[test]
fn a_file_on_the_chain_that_is_not_read_is_named_with_the_reason() {
    let recto = unchanged();
    let found = cause(&recto, &["--path", "AGENTS.md", "-c", "project_doc_max_bytes=0"]);
    assert_eq!(found, (Some(1), "not_read".to_owned()));
}

#[test]
fn a_turn_with_the_selection_of_before_uses_what_was_loaded() {
    let recto = unchanged();
    let (cwd, changed, began) = times(&recto);
    let turn = line(began, "turn_context", r#"{"turn_id":"later","cwd":"$CWD"}"#)
        + &message(began, "user", "and now?")
        + &message(began, "assistant", "the old way");
    record(
        &recto,
        FIRST,
        session(&recto) + &later_turn(&cwd, began, &turn).replace("23:57:", "23:59:"),
    );
    edit(&recto, changed);
    cli_snapshot!(recto, "rollout", "why", FIRST);
    assert_eq!(cause(&recto, &[]), (Some(1), "same_selection".to_owned()));
    // At the first turn nobody had changed anything that it could have seen.
    assert_eq!(cause(&recto, &["--turn", "1"]), (Some(1), "goes_by_record".to_owned()));
}

/// A program that runs on, as the reference records it: `t2` begins after `AGENTS.md` and the host's file were edited,
/// and `t9` edits it itself.
fn live(project: &str, host: &str, changed: Duration) -> Recto {
    let recto = Recto::in_tree("//- repo/.git/HEAD\n//- cwd: repo\n");
    record(&recto, FIRST, of_reference(&recto, "live_changes.jsonl"));
    let live = Duration::from_secs(8 * 60 + 58) + changed;
    written_after(&write(&recto, "home/AGENTS.md", host), Duration::ZERO);
    written_after(&write(&recto, "repo/AGENTS.md", project), live);
    recto
}

#[test]
fn a_program_of_the_reference_that_runs_on_keeps_what_it_loaded() {
    let recto = live("edited live\n", "host edited\n", Duration::from_millis(230));
    cli_snapshot!(recto, "rollout", "why", FIRST, "--turn", "2");
    // The next turn worked in another directory, and so the files were read.
    let sub = recto.tree().path("repo/sub/AGENTS.md");
    write(&recto, "repo/sub/AGENTS.md", "sub rule\n");
    written_after(&sub, Duration::ZERO);
    assert_eq!(cause(&recto, &["--turn", "3"]), (Some(0), "equal".to_owned()));
    assert_eq!(cause(&recto, &["--turn", "4"]), (Some(0), "equal".to_owned()));
}

#[test]
fn a_change_in_the_middle_of_a_turn_of_the_reference_reaches_no_step() {
    let recto = live("viaTool\n", "host edited\n", Duration::from_millis(650));
    cli_snapshot!(recto, "rollout", "why", FIRST);
}

#[test]
fn a_turn_that_ended_before_its_first_step_told_nothing() {
    let recto = unchanged();
    let (cwd, changed, began) = times(&recto);
    let turn = line(
        began,
        "event_msg",
        r#"{"type":"turn_aborted","turn_id":"later","reason":"interrupted"}"#,
    );
    record(
        &recto,
        FIRST,
        session(&recto) + &later_turn(&cwd, began, &turn).replace("23:57:", "23:59:"),
    );
    edit(&recto, changed);
    cli_snapshot!(recto, "rollout", "why", FIRST);
    assert_eq!(cause(&recto, &[]), (Some(1), "never_reached_step".to_owned()));
}

#[test]
fn a_record_without_the_state_says_that_nobody_knows() {
    let recto = unchanged();
    record(&recto, FIRST, of_reference(&recto, "world_state_missing.jsonl"));
    assert_eq!(cause(&recto, &["--turn", "1"]), (Some(1), "not_recorded".to_owned()));
}

#[test]
fn each_file_is_compared_by_itself() {
    let recto = unchanged();
    written_at(&write(&recto, "home/AGENTS.md", "another host rule\n"), 60 * 60);
    cli_snapshot!(recto, "rollout", "why", FIRST);
}

/// The directory, when the file changes (seconds after 23:57:00) and when the next turn begins (after 23:59:00).
fn times(recto: &Recto) -> (String, u64, usize) {
    (recto.tree().path("repo").to_string_lossy().into_owned(), 118, 10)
}

#[test]
fn files_that_are_as_they_were_tell_the_others_apart() {
    let recto = Recto::in_tree(
        "
        //- repo/.git/HEAD
        //- repo/AGENTS.md = \"root rule\\n\"
        //- repo/a/AGENTS.md = \"a rule, edited\\n\"
        //- repo/a/b/AGENTS.md = \"b rule\\n\"
        //- repo/a/b/c/AGENTS.md = \"c rule, new\\n\"
        //- cwd: repo/a/b/c
        ",
    );
    let cwd = recto.tree().cwd();
    let cwd = cwd.to_string_lossy();
    let text = r"host rule\n\n--- project-doc ---\n\nroot rule\n\n\na rule\n\n\nb rule\n";
    let world = format!(
        r#"{{"full":true,"state":{{"agents_md":{{"directory":"{cwd}","text":"{text}"}}}}}}"#
    );
    let settings = format!(r#"{{"turn_id":"t","cwd":"{cwd}"}}"#);
    let lines = [
        meta(FIRST, &cwd),
        line(1, "world_state", &world),
        line(1, "turn_context", &settings),
        message(1, "user", "hello"),
    ];
    // Older than every file, whatever the clock of the machine says.
    record(&recto, FIRST, lines.concat().replace("2026-11-30", "2020-11-30"));
    cli_snapshot!(recto, "rollout", "why", FIRST);
}
