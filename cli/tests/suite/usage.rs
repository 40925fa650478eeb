//! What is typed: help, mistakes, completions, and where the program is started.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::process::{Command, Stdio};

use super::command::{Recto, cli_snapshot};

const EMPTY: &str = "//- d/\n//- cwd: d";

#[test]
fn help_is_short() {
    cli_snapshot!(Recto::in_tree(EMPTY), "--help");
    cli_snapshot!(Recto::in_tree(EMPTY), "prompt", "--help");
    cli_snapshot!(Recto::in_tree(EMPTY), "explain", "--help");
    cli_snapshot!(Recto::in_tree(EMPTY), "exec", "--help");
    cli_snapshot!(Recto::in_tree(EMPTY), "resume", "--help");
}

#[test]
fn the_version_is_told() {
    let run = Recto::in_tree(EMPTY).run(&["--version"]);
    assert_eq!(run.stdout, concat!("recto ", env!("CARGO_PKG_VERSION"), "\n"));
}

#[test]
fn a_typo_gets_a_suggestion() {
    cli_snapshot!(Recto::in_tree(EMPTY), "expalin");
    cli_snapshot!(Recto::in_tree(EMPTY), "explain", "--strct");
    cli_snapshot!(Recto::in_tree(EMPTY), "prompt", "--format", "imput");
}

#[test]
fn every_common_shell_has_completions() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let run = Recto::in_tree(EMPTY).run(&["completions", shell]);
        assert_eq!((run.status, run.stderr.as_str()), (Some(0), ""), "{shell}");
        assert!(run.stdout.contains("explain") && run.stdout.contains("strict"), "{shell}");
    }
}

#[test]
fn a_context_value_needs_a_good_key() {
    cli_snapshot!(Recto::in_tree(EMPTY), "prompt", "--context", "branch");
    cli_snapshot!(Recto::in_tree(EMPTY), "prompt", "--context", "a b=c");
}

#[test]
fn a_configuration_that_cannot_be_used_is_named() {
    cli_snapshot!(Recto::in_tree(EMPTY), "prompt", "-c", "project_doc_max_bytes=many");
    cli_snapshot!(Recto::in_tree(EMPTY), "prompt", "-c", "model");
}

#[test]
fn a_codex_home_that_is_named_must_be_there() {
    cli_snapshot!(
        Recto::in_tree("//- d/\n//- cwd: d\n//- env: CODEX_HOME=$ROOT/missing"),
        "prompt"
    );
    cli_snapshot!(
        Recto::in_tree("//- f = \"x\"\n//- d/\n//- cwd: d\n//- env: CODEX_HOME=$ROOT/f"),
        "prompt"
    );
}

#[test]
fn a_codex_home_that_nobody_named_need_not_be_there_and_is_not_made() {
    let recto = Recto::in_tree("//- d/\n//- cwd: d\n//- env: CODEX_HOME=");
    assert_eq!(recto.run(&["prompt"]).status, Some(0));
    assert_eq!(recto.tree().path(".codex").try_exists().ok(), Some(false));
}

#[test]
fn a_directory_that_was_deleted_is_named() {
    let recto = Recto::in_tree("//- gone/\n//- cwd: gone");
    let output = Command::new("/bin/sh")
        .args(["-c", "rmdir ../gone && exec \"$0\" prompt", env!("CARGO_BIN_EXE_recto")])
        .current_dir(recto.tree().cwd())
        .env_clear()
        .env("HOME", recto.tree().root())
        .output()
        .expect("the shell starts");
    insta::assert_snapshot!(recto.show(&output).to_string());
}

#[test]
fn a_directory_that_is_named_need_not_be_there() {
    let recto = Recto::in_tree(
        r#"
        //- repo/.git/
        //- repo/AGENTS.md = "A\n"
        //- repo/file = "x"
        //- cwd: repo
        "#,
    );
    for directory in ["missing/deep", "file"] {
        let run = recto.run(&["prompt", "--format", "input", "-C", directory]);
        assert_eq!(run.status, Some(0), "{}", run.stderr);
        let heading = format!("# AGENTS.md instructions for $ROOT/repo/{directory}\\n");
        assert!(run.stdout.contains(&heading), "{run}");
        insta::assert_snapshot!(run.stderr);
    }
}

#[test]
fn arguments_need_not_be_utf_8() {
    let recto =
        Recto::in_tree("//- caf\\xE9/.git/\n//- caf\\xE9/AGENTS.md = \"N\"\n//- d/\n//- cwd: d");
    let arguments = [
        OsStr::new("prompt"),
        OsStr::new("--format=input"),
        OsStr::new("-C"),
        OsStr::from_bytes(b"../caf\xE9"),
        OsStr::from_bytes(b"say \xFF"),
    ];
    let output = recto.command(&arguments).output().expect("the program starts");
    let stdout = String::from_utf8(output.stdout).expect("it is UTF-8");
    assert!(stdout.contains("\\n\\n<INSTRUCTIONS>\\nN\\n</INSTRUCTIONS>"), "{stdout}");
    assert!(stdout.contains("say \u{fffd}"));
}

#[test]
fn a_reader_that_goes_away_ends_the_run_quietly() {
    let recto =
        Recto::in_tree("//- repo/.git/\n//- repo/AGENTS.md = \"abcdefgh\"*4000\n//- cwd: repo");
    for arguments in
        [&["prompt"][..], &["explain"], &["prompt", "--format", "json"], &["completions", "bash"]]
    {
        let mut command = recto.command(arguments);
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the program starts");
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("the program ends");
        assert_eq!(output.status.code(), Some(0), "{arguments:?}");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{arguments:?}");
    }
}
