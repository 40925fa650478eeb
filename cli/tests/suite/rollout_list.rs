//! `recto rollout list`, and how a session is named.

use pretty_assertions::assert_eq;
use serde_json::Value;

use super::command::{Recto, Run, cli_snapshot};
use super::rollouts::{
    FIRST, SECOND, line, message, meta, of_reference, record, session_path, stands, write,
    written_at,
};

const TREE: &str = "
    //- repo/.git/HEAD
    //- cwd: repo
";

fn list(recto: &Recto) -> Value {
    serde_json::from_str(&recto.run(&["rollout", "list", "--json"]).stdout).expect("it is JSON")
}

/// The titles of a list; none for a session without one.
fn titles(recto: &Recto) -> Vec<Option<String>> {
    let list = list(recto);
    let sessions = list["sessions"].as_array().expect("it is a list");
    sessions.iter().map(|it| it["title"].as_str().map(str::to_owned)).collect()
}

fn small(id: &str, title: &str) -> String {
    meta(id, "/t/repo") + &message(1, "user", title) + &message(2, "assistant", "hi")
}

#[test]
fn sessions_of_both_homes_are_listed_the_newest_first() {
    let recto = Recto::in_tree(TREE);
    let first = record(&recto, FIRST, of_reference(&recto, "agents_md_sequence.jsonl"));
    written_at(&first, 10);
    let own = session_path(".local/state/recto", SECOND);
    let second = write(&recto, &own, small(SECOND, "a longer wish, which does not fit into it"));
    written_at(&second, 20);
    let run = recto.run(&["rollout", "list", "--long"]);
    let words: Vec<&str> = run.stdout.lines().collect();
    assert_eq!(words.len(), 5, "{run}");
    assert!(words[1].starts_with("11111111-2222-7333-8444-555555555502"), "{run}");
    assert!(words[1].contains("a longer wish"), "{run}");
    assert!(words[2].contains("1 turn ·"), "{run}");
    assert!(
        words[4].contains("9 turns · $ROOT/home/sessions") || words[4].contains("9 turns · ~/home"),
        "{run}"
    );
    let here = recto.run(&["rollout", "list", "--here", "--json"]).stdout;
    assert!(here.contains(FIRST) && !here.contains(&format!("\"id\": \"{SECOND}\"")), "{here}");
}

#[test]
fn an_empty_home_is_no_error_and_nothing_is_made() {
    let recto = Recto::in_tree(TREE);
    cli_snapshot!(recto, "rollout", "list");
    assert!(!stands(&recto, ".local") && !stands(&recto, "home/sessions"));
}

/// B76, B77.
#[test]
fn what_is_no_session_is_told_once_and_hides_no_other() {
    let recto = Recto::in_tree(TREE);
    record(
        &recto,
        FIRST,
        b"\xEF\xBB\xBF"
            .iter()
            .copied()
            .chain(small(FIRST, "with a mark").bytes())
            .collect::<Vec<u8>>(),
    );
    let mut torn = small(SECOND, "with bytes that are no text").into_bytes();
    torn.extend_from_slice(b"\xFF\xFE broken\n");
    record(&recto, SECOND, torn);
    let day = "home/sessions/2026/11/30";
    write(&recto, &format!("{day}/rollout-x.jsonl/inside"), "");
    write(&recto, &format!("{day}/rollout-2026-11-30T23-57-44-{FIRST} (1).jsonl"), "");
    write(
        &recto,
        &format!("{day}/rollout-2026-11-30T23-57-44-{FIRST} (2).jsonl"),
        small(FIRST, "x"),
    );
    write(&recto, &format!("{day}/.rollout-2026-11-30T23-57-44-{FIRST}.jsonl.swp"), "x");
    let run = recto.run(&["rollout", "list", "--json"]);
    assert_eq!(run.status, Some(0), "{run}");
    assert_eq!(titles(&recto).len(), 2, "{run}");
    assert_eq!(
        run.stderr.matches("its name is not that of a recorded session").count(),
        1,
        "{run}"
    );
    let shown = recto.run(&["rollout", "show", FIRST]);
    assert!(shown.stdout.contains("with a mark"), "{shown}");
}

/// The program may not read everything here, also where root runs the tests.
#[test]
fn b76_a_file_and_a_directory_that_may_not_be_read_are_named_and_hide_no_other() {
    let day = "home/sessions/2026/11/30";
    let closed = format!("{day}/rollout-2026-11-30T23-57-44-{SECOND}.jsonl");
    let recto = Recto::in_tree(&format!(
        "//- repo/.git/HEAD\n//- cwd: repo\n//- {closed} = \"x\"\n//- home/sessions/2025/\n\
         //- chmod 000 {closed}\n//- chmod 000 home/sessions/2025\n"
    ));
    record(&recto, FIRST, small(FIRST, "one that may be read"));
    let run = recto.run(&["rollout", "list"]);
    assert_eq!(run.status, Some(0), "{run}");
    assert!(run.stdout.contains("one that may be read"), "{run}");
    assert_eq!(run.stderr.matches("Permission denied").count(), 1, "{run}");
    assert!(run.stderr.contains("/2025, ") && run.stderr.contains(SECOND), "{run}");
    let run = recto.run(&["rollout", "show", SECOND]);
    assert_eq!((run.status, run.stdout.as_str()), (Some(2), ""), "{run}");
    assert!(run.stderr.contains("Permission denied"), "{run}");
    let last = recto.run(&["rollout", "show", "--last", "--all"]);
    assert!(last.stdout.contains("one that may be read"), "{last}");
}

/// B43, B46, B49, B78, B93.
#[test]
fn a_title_is_what_a_person_said_first() {
    let context = "<environment_context>\n<cwd>/t</cwd>\n</environment_context>";
    let agents = "# AGENTS.md instructions for /t\n\n<INSTRUCTIONS>\nr\n</INSTRUCTIONS>";
    let before = message(1, "user", "<user_instructions>\nrule\n</user_instructions>")
        + &message(1, "user", context);
    let picture = r#"{"type":"message","role":"user","content":[{"type":"input_image","image_url":"data:image/png;base64,AA=="}]}"#;
    let far: String = (0..400).map(|_| line(1, "event_msg", r#"{"type":"token_count"}"#)).collect();
    for (lines, title) in [
        (before + &message(2, "user", "hello"), Some("hello")),
        (
            message(1, "user", agents)
                + &message(2, "user", context)
                + &message(3, "user", "add a test"),
            Some("add a test"),
        ),
        (
            message(1, "user", "<environment_context> what does this tag do?"),
            Some("<environment_context> what does this tag do?"),
        ),
        (meta(FIRST, "/t") + &far + &message(2, "user", "hello"), Some("hello")),
        (line(1, "response_item", picture), None),
    ] {
        let recto = Recto::in_tree(TREE);
        record(&recto, FIRST, meta(FIRST, "/t") + &lines);
        assert_eq!(titles(&recto), [title.map(str::to_owned)], "{lines}");
    }
}

/// B79.
#[test]
fn long_first_lines_cost_no_session() {
    for bytes in [27_000, 2_000_000] {
        let recto = Recto::in_tree(TREE);
        let long = "x".repeat(bytes);
        let base =
            format!(r#"{{"id":"{FIRST}","cwd":"/t","base_instructions":{{"text":"{long}"}}}}"#);
        record(
            &recto,
            FIRST,
            line(0, "session_meta", &base) + &message(1, "user", &format!("hello {long}")),
        );
        let titles = titles(&recto);
        assert!(titles[0].as_ref().is_some_and(|it| it.starts_with("hello xx")), "{bytes}");
        let found = recto.run(&["rollout", "verify", "11111111"]);
        assert_eq!((found.status, found.stdout.as_str()), (Some(0), "ok\n"));
    }
}

/// B80.
#[test]
fn the_first_meta_is_the_identity_of_a_fork() {
    let recto = Recto::in_tree(TREE);
    let child =
        meta(FIRST, "/c").replace("\"cwd\"", &format!("\"forked_from_id\":\"{SECOND}\",\"cwd\""));
    record(&recto, FIRST, child + &meta(SECOND, "/p") + &message(1, "user", "u"));
    let list = list(&recto);
    let session = &list["sessions"][0];
    assert_eq!(
        (&session["id"], &session["cwd"], &session["forked_from"]),
        (&FIRST.into(), &"/c".into(), &SECOND.into())
    );
}

/// B147, B149.
#[test]
fn a_session_is_found_by_id_and_prefix_and_an_unknown_one_is_no_new_one() {
    let recto = Recto::in_tree("//- repo/.git/HEAD\n//- cwd: repo\n//- alt/x\n");
    let alt = session_path("alt", FIRST);
    write(&recto, &alt, small(FIRST, "in another home"));
    let run = |variable: bool, name: &str| -> Run {
        let mut command = recto.command(&["rollout", "show", name]);
        if variable {
            command.env("CODEX_HOME", recto.tree().path("alt"));
        }
        recto.show(&command.output().expect("the program starts"))
    };
    for name in [FIRST, "11111111", "1"] {
        assert_eq!(run(true, name).status, Some(0), "{name}");
    }
    let missing = run(false, FIRST);
    assert_eq!(missing.status, Some(2));
    assert!(missing.stderr.contains("$ROOT/home/sessions"), "{missing}");
    assert!(missing.stderr.contains("$ROOT/.local/state/recto/sessions"), "{missing}");
    assert!(!stands(&recto, ".local") && !stands(&recto, "home/sessions"));
}

#[test]
fn an_ambiguous_prefix_names_the_sessions() {
    let recto = Recto::in_tree(TREE);
    record(&recto, FIRST, small(FIRST, "one"));
    record(&recto, SECOND, small(SECOND, "two"));
    let run = recto.run(&["rollout", "show", "1111"]);
    assert_eq!(run.status, Some(2));
    assert!(run.stderr.contains(FIRST) && run.stderr.contains(SECOND), "{run}");
}

#[test]
fn the_last_session_is_that_of_the_directory_unless_all_are_meant() {
    let recto = Recto::in_tree(TREE);
    let here = small(FIRST, "here").replace("/t/repo", &recto.tree().cwd().to_string_lossy());
    written_at(&record(&recto, FIRST, here), 10);
    written_at(&record(&recto, SECOND, small(SECOND, "elsewhere")), 20);
    let title = |arguments: &[&str]| recto.run(arguments).stdout.contains("here");
    assert!(title(&["rollout", "show", "--last"]));
    assert!(recto.run(&["rollout", "show", "--last", "--all"]).stdout.contains("elsewhere"));
    let none = recto.run(&["rollout", "show", "--last", "-C", "/"]);
    assert_eq!(none.status, Some(2), "{none}");
}

#[test]
fn our_home_is_where_the_variables_say() {
    for (name, value, home) in [
        ("RECTO_HOME", "$ROOT/own", "own"),
        ("XDG_STATE_HOME", "$ROOT/state", "state/recto"),
        ("XDG_STATE_HOME", "relative", ".local/state/recto"),
    ] {
        let recto = Recto::in_tree(&format!(
            "//- repo/.git/HEAD\n//- cwd: repo\n//- env: {name}={value}\n"
        ));
        write(&recto, &session_path(home, FIRST), small(FIRST, "ours"));
        assert_eq!(titles(&recto), [Some("ours".to_owned())], "{name}={value}");
    }
}
