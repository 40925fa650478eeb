//! Surroundings that nobody means well: what steers terminals, never ends, or is not what it should be.

use pretty_assertions::assert_eq;
use serde_json::Value;

use super::command::Recto;

const EMPTY: &str = "//- d/\n//- cwd: d";

/// The title of the window, a clear screen in 8 bits, a backspace, a delete and a turn of direction.
const STEERING: &str = "\u{1b}]0;x\u{7}\u{9b}2J\u{8}\u{7f}\u{202e}";

/// Whether a text holds what a terminal obeys.
fn steers(text: &str) -> bool {
    text.contains(|character: char| {
        (character.is_control() && !matches!(character, '\n' | '\t'))
            || matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    })
}

#[test]
fn what_is_typed_cannot_steer_the_terminal_through_a_complaint() {
    let recto = Recto::in_tree(EMPTY);
    let setting = format!("model_instructions_file={STEERING}\nerror: forged");
    let option = format!("--{STEERING}");
    for arguments in [
        &["prompt", "-c", &setting][..],
        &["prompt", "-c", &format!("{STEERING}.a={STEERING}")],
        &["prompt", "--context", &format!("{STEERING}=x")],
        &["prompt", "--format", STEERING],
        &["completions", STEERING],
        &[STEERING],
        &[&option],
    ] {
        let run = recto.run(arguments);
        assert!(!steers(&run.stderr), "{arguments:?}: {:?}", run.stderr);
        assert!(!run.stderr.contains("\nerror: forged"), "{run}");
    }
}

#[test]
fn names_of_files_and_models_cannot_steer_the_terminal() {
    let recto = Recto::in_tree(
        "//- a\\x1B[2J\\xC2\\x9B2J\\xE2\\x80\\xAE/.git/\n\
         //- a\\x1B[2J\\xC2\\x9B2J\\xE2\\x80\\xAE/AGENTS.md = \"x\\x1B[2J\\xC2\\x9B2J\\xE2\\x80\\xAE\"\n\
         //- cwd: a\\x1B[2J\\xC2\\x9B2J\\xE2\\x80\\xAE",
    );
    let model = format!("model={STEERING}");
    for command in ["prompt", "explain"] {
        let run = recto.run(&[command, "-c", &model]);
        assert_eq!(run.status, Some(0), "{run}");
        assert!(!steers(&run.stdout) && !steers(&run.stderr), "{command}: {:?}", run.to_string());
    }
}

#[test]
fn documents_escape_what_steers_a_terminal_and_keep_it() {
    let recto = Recto::in_tree(EMPTY);
    for format in ["json", "input", "responses", "responses-lite"] {
        let run = recto.run(&["prompt", "--format", format, "--", STEERING]);
        assert!(!steers(&run.stdout), "{format}: {:?}", run.stdout);
        let document: Value = serde_json::from_str(&run.stdout).expect("it is JSON");
        assert!(holds_text(&document, STEERING), "{format}: {document}");
    }
}

/// Whether a string of the document is this text.
fn holds_text(document: &Value, text: &str) -> bool {
    match document {
        Value::String(string) => string == text,
        Value::Array(elements) => elements.iter().any(|it| holds_text(it, text)),
        Value::Object(members) => members.values().any(|it| holds_text(it, text)),
        _ => false,
    }
}

#[test]
fn help_that_cannot_be_written_is_an_error() {
    let recto = Recto::in_tree(EMPTY);
    for words in ["--help", "--version", "prompt --help", "prompt", "completions bash"] {
        let run = recto.run_in_shell(&format!("exec \"$0\" {words} > /dev/full"));
        assert_eq!(run.status, Some(2), "{words}: {run}");
        assert!(run.stderr.starts_with("error: standard output cannot be written\n"), "{run}");
    }
}

#[test]
fn where_no_thread_can_be_started_the_program_says_so() {
    let recto = Recto::in_tree(EMPTY);
    // A limit of processes does not bind root.
    let run = recto.run_in_shell(
        "if [ $(id -u) = 0 ]; then as='setpriv --reuid 54321 --clear-groups'; fi; \
         ulimit -u 1 2> /dev/null || ulimit -p 1; CODEX_HOME=/ exec $as \"$0\" prompt --format input",
    );
    assert!(matches!(run.status, Some(0 | 2)), "{run}");
    assert!(!run.stderr.contains("panicked"), "{run}");
}

#[test]
fn a_time_zone_may_name_what_never_ends() {
    for zone in ["/dev/zero", "$ROOT/pipe", "/proc/kmsg", "$ROOT", "$ROOT/noise"] {
        let recto = Recto::in_tree(&format!(
            "//- pipe |\n//- noise = \"TZif2\\xFF\\xFF\\xFF\"*20\n//- d/\n//- cwd: d\n//- env: TZ={zone}"
        ));
        let run = recto.run(&["prompt", "--format", "input"]);
        assert_eq!(run.status, Some(0), "{zone}: {run}");
    }
}

#[test]
fn a_path_that_no_system_call_takes_is_refused_and_not_shown() {
    let recto = Recto::in_tree(EMPTY);
    let run = recto.run(&["explain", "-C", &format!("/{}", "d/".repeat(60_000))]);
    insta::assert_snapshot!(run.to_string());
}

#[test]
fn a_host_file_without_end_is_cut_and_told() {
    let recto =
        Recto::in_tree("//- home/AGENTS.md = \"0123456789abcde\\n\"*100000\n//- d/\n//- cwd: d");
    let run = recto.run(&["explain", "--strict"]);
    assert_eq!(run.status, Some(1));
    insta::assert_snapshot!(run.stdout);
}

#[test]
fn b145_a_skill_that_cannot_be_used_is_told() {
    let recto = Recto::in_tree(
        r#"
        //- home/skills/broken/SKILL.md = "no front matter\n"
        //- d/
        //- cwd: d
        "#,
    );
    let run = recto.run(&["prompt", "--format", "input"]);
    assert_eq!(run.status, Some(0));
    insta::assert_snapshot!(run.stderr);
}

#[test]
fn b21_a_skill_of_an_untrusted_project_is_in_no_output() {
    let recto = Recto::in_tree(
        r#"
        //- home/config.toml
        [projects."$ROOT/repo"]
        trust_level = "untrusted"
        //- repo/.git/HEAD = "x"
        //- repo/.codex/config.toml = "developer_instructions = \"SENTINEL\"\n"
        //- repo/.codex/skills/a/SKILL.md = "---\nname: SENTINEL\ndescription: SENTINEL\n---\n"
        //- repo/.agents/skills/b/SKILL.md = "---\nname: SENTINEL\ndescription: SENTINEL\n---\n"
        //- repo/.agents/skills/c/SKILL.md = "SENTINEL"
        //- cwd: repo
        "#,
    );
    for arguments in [
        &["prompt"][..],
        &["prompt", "--format", "json"],
        &["explain"],
        &["explain", "--format", "json"],
        &["explain", "AGENTS.md"],
    ] {
        let run = recto.run(arguments);
        assert!(!run.to_string().contains("SENTINEL"), "{arguments:?}: {run}");
    }
}
