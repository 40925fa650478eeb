//! What `recto rollout show`, `state` and `prompt` tell of sessions of the reference.

use std::io::Read;
use std::process::Stdio;

use pretty_assertions::assert_eq;
use serde_json::Value;

use super::command::{Recto, cli_snapshot};
use super::rollouts::{FIRST, line, message, meta, of_reference, record, write};

/// A tree with a file of the reference beside it.
fn with_file(name: &str) -> Recto {
    let recto = Recto::in_tree("//- repo/.git/HEAD\n//- cwd: repo\n");
    write(&recto, "session.jsonl", of_reference(&recto, name));
    recto
}

#[test]
fn changes_of_instructions_are_told_turn_by_turn() {
    cli_snapshot!(with_file("agents_md_sequence.jsonl"), "rollout", "show", "../session.jsonl");
}

#[test]
fn calls_and_outputs_are_folded() {
    cli_snapshot!(with_file("tool_calls.jsonl"), "rollout", "show", "../session.jsonl");
}

#[test]
fn compactions_are_told() {
    cli_snapshot!(with_file("compaction.jsonl"), "rollout", "show", "../session.jsonl");
}

#[test]
fn interruptions_are_told() {
    cli_snapshot!(with_file("interrupted.jsonl"), "rollout", "show", "../session.jsonl");
}

#[test]
fn turns_that_were_taken_back_are_told_and_the_state_goes_back() {
    let recto = Recto::in_tree("//- repo/.git/HEAD\n//- cwd: repo\n");
    let world = |second, full: bool, text: &str| {
        let state = format!(r#"{{"full":{full},"state":{{"agents_md":{{"text":"{text}"}}}}}}"#);
        line(second, "world_state", &state)
    };
    let lines = [
        meta(FIRST, "/t"),
        world(1, true, "one"),
        message(2, "user", "first"),
        message(3, "assistant", "a"),
        world(4, false, "twotwo"),
        message(5, "user", "second"),
        message(6, "assistant", "b"),
        line(7, "event_msg", r#"{"type":"thread_rolled_back","num_turns":1}"#),
        world(8, false, "three"),
        message(9, "user", "third"),
    ];
    write(&recto, "session.jsonl", lines.concat());
    cli_snapshot!(recto, "rollout", "show", "../session.jsonl");
}

#[test]
fn nothing_is_wider_than_80_columns_but_paths() {
    for name in [
        "agents_md_sequence.jsonl",
        "tool_calls.jsonl",
        "compaction.jsonl",
        "hooks.jsonl",
        "lite.jsonl",
    ] {
        let recto = with_file(name);
        let run = recto.run(&["rollout", "show", "../session.jsonl"]);
        let wide = run
            .stdout
            .lines()
            .filter(|line| line.chars().count() > 80 && !line.starts_with("file"));
        assert_eq!(wide.collect::<Vec<_>>(), Vec::<&str>::new(), "{name}");
    }
}

#[test]
fn one_turn_is_shown_alone_and_a_turn_that_is_not_there_is_an_error() {
    let recto = with_file("agents_md_sequence.jsonl");
    cli_snapshot!(recto, "rollout", "show", "../session.jsonl", "--turn", "2");
    let run = recto.run(&["rollout", "show", "../session.jsonl", "--turn", "10"]);
    assert_eq!(run.status, Some(2));
    assert!(run.stderr.contains("there is no turn 10: the session has 9"), "{run}");
}

#[test]
fn programs_get_every_entry_with_its_place() {
    let recto = with_file("agents_md_sequence.jsonl");
    let run = recto.run(&["rollout", "show", "../session.jsonl", "--turn", "2", "--json"]);
    let document: Value = serde_json::from_str(&run.stdout).expect("it is JSON");
    let entries = document["entries"].as_array().expect("it is a list");
    let types: Vec<&str> = entries.iter().filter_map(|it| it["what"]["type"].as_str()).collect();
    let expected =
        ["told", "state", "settings", "said", "did", "usage", "ended", "settings_applied"];
    assert_eq!(types, expected);
    assert_eq!(entries[1]["line"], 18);
    assert_eq!(entries[1]["what"]["changes"][0]["section"], "agents_md");
}

#[test]
fn the_state_is_that_of_the_turn() {
    let recto = with_file("agents_md_sequence.jsonl");
    let told = |turn: &str| -> Value {
        let run = recto.run(&["rollout", "state", "../session.jsonl", "--turn", turn]);
        let state: Value = serde_json::from_str(&run.stdout).expect("it is JSON");
        state["agents_md"]["text"].clone()
    };
    assert_eq!(told("1"), "host rule\n\n--- project-doc ---\n\nroot rule\n");
    assert_eq!(told("4"), "host rule");
    assert_eq!(told("5"), Value::Null);
}

#[test]
fn a_state_that_is_not_known_is_said_to_be_so() {
    let recto = with_file("world_state_missing.jsonl");
    let run = recto.run(&["rollout", "state", "../session.jsonl", "--turn", "1"]);
    assert_eq!(run.stdout, "{}\n");
    assert!(run.stderr.contains("the record does not hold"), "{run}");
}

#[test]
fn the_request_of_a_turn_is_the_one_of_then() {
    cli_snapshot!(
        with_file("agents_md_sequence.jsonl"),
        "rollout",
        "prompt",
        "../session.jsonl",
        "--turn",
        "2"
    );
}

#[test]
fn a_request_of_a_turn_goes_out_in_both_shapes_of_the_wire() {
    let recto = with_file("first_turn.jsonl");
    let body = |format: &str| -> Value {
        let arguments =
            ["rollout", "prompt", "../session.jsonl", "--turn", "1", "--format", format];
        serde_json::from_str(&recto.run(&arguments).stdout).expect("it is JSON")
    };
    let (input, full, lite) = (body("input"), body("responses"), body("responses-lite"));
    let count = |value: &Value| value.as_array().map(Vec::len);
    assert_eq!(count(&input), Some(3));
    assert_eq!(count(&full["input"]), Some(3));
    assert_eq!(count(&lite["input"]), Some(5));
    assert_eq!(full["model"], "gpt-5.5");
    assert!(full["instructions"].as_str().is_some_and(|it| it.contains("You are Codex")));
    assert!(full["prompt_cache_key"].is_string());
}

#[test]
fn the_next_request_tells_what_changed_on_disk() {
    let recto = Recto::in_tree(
        "//- repo/.git/HEAD\n//- repo/AGENTS.md = \"a new rule\\n\"\n//- cwd: repo\n",
    );
    record(&recto, FIRST, of_reference(&recto, "first_turn.jsonl"));
    let run = recto.run(&["rollout", "prompt", FIRST, "--format", "input"]);
    let input: Vec<Value> = serde_json::from_str(&run.stdout).expect("it is JSON");
    let told = input.iter().filter(|item| item.to_string().contains("a new rule"));
    let told: Vec<&str> = told.filter_map(|it| it["content"][0]["text"].as_str()).collect();
    assert_eq!(told.len(), 1, "{run}");
    assert!(told[0].contains("These AGENTS.md instructions replace"), "{run}");
}

#[test]
fn nothing_in_a_record_can_steer_the_terminal() {
    let recto = Recto::in_tree("//- repo/.git/HEAD\n//- cwd: repo\n");
    let steer = r"\u001b]0;x\u0007\u009b2J\u202e";
    let meta = format!(
        r#"{{"id":"{steer}","timestamp":"{steer}","cwd":"/{steer}","originator":"{steer}","cli_version":"{steer}","forked_from_id":"{steer}","base_instructions":{{"text":"{steer}"}}}}"#
    );
    let world = format!(
        r#"{{"full":true,"state":{{"{steer}":{{"text":"{steer}"}},"agents_md":{{"text":"{steer}"}}}}}}"#
    );
    let settings = format!(r#"{{"turn_id":"{steer}","cwd":"/{steer}","model":"{steer}"}}"#);
    let other = settings.replace("\"model\":\"", "\"model\":\"other");
    let call = format!(
        r#"{{"type":"function_call","name":"{steer}","arguments":"{steer}","call_id":"{steer}"}}"#
    );
    let answer = message(4, "assistant", steer);
    let lines = [
        line(0, "session_meta", &meta),
        line(1, "world_state", &world),
        line(1, "turn_context", &settings),
        message(2, "user", steer),
        answer.clone(),
        line(5, "response_item", &call),
        line(5, "turn_context", &other),
        message(6, "user", steer),
        answer.clone(),
        line(7, "compacted", &format!(r#"{{"message":"{steer}"}}"#)),
        message(8, "user", steer),
        answer,
        line(9, "event_msg", &format!(r#"{{"type":"turn_aborted","reason":"{steer}"}}"#)),
        format!("{{\"timestamp\":\"{steer}\",\"type\":\"{steer}\",\n"),
    ];
    write(&recto, "session.jsonl", lines.concat());
    record(&recto, FIRST, lines.concat());
    for words in [
        "show ../session.jsonl",
        "show ../session.jsonl --turn 1",
        "show ../session.jsonl --cache",
        "state ../session.jsonl",
        "prompt ../session.jsonl",
        "prompt ../session.jsonl --turn 1",
        "why ../session.jsonl",
        "verify ../session.jsonl",
        "repair ../session.jsonl --to copy.jsonl",
        "list --long",
    ] {
        let words: Vec<&str> = ["rollout"].into_iter().chain(words.split(' ')).collect();
        let mut command = recto.command(&words);
        command.env("CLICOLOR_FORCE", "1");
        let run = recto.show(&command.output().expect("the program starts"));
        assert!(matches!(run.status, Some(0 | 1)), "{words:?}: {run}");
        let steers = |character| matches!(character, '\u{7}' | '\u{9b}' | '\u{202e}');
        let shown = run.to_string();
        assert!(!shown.contains(steers) && !shown.contains("\u{1b}]"), "{words:?}: {shown:?}");
    }
}

#[test]
fn a_reader_that_goes_away_ends_it_quietly() {
    let recto = Recto::in_tree("//- repo/.git/HEAD\n//- cwd: repo\n");
    let turn = message(1, "user", &"word ".repeat(200)) + &message(2, "assistant", "ok");
    write(&recto, "session.jsonl", meta(FIRST, "/t") + &turn.repeat(2_000));
    let mut command = recto.command(&["rollout", "show", "../session.jsonl"]);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program starts");
    let mut start = [0; 100];
    let mut stdout = child.stdout.take().expect("it is piped");
    stdout.read_exact(&mut start).expect("it says something");
    drop(stdout);
    let run = recto.show(&child.wait_with_output().expect("the program ends"));
    assert_eq!((run.status, run.stderr.as_str()), (Some(0), ""));
}
