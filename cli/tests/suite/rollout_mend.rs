//! `recto rollout verify` and `recto rollout repair`.

use pretty_assertions::assert_eq;

use super::command::{Recto, cli_snapshot};
use super::rollouts::{FIRST, content, message, meta, of_reference, stands, write};

fn with(lines: impl AsRef<[u8]>) -> Recto {
    let recto = Recto::in_tree("//- repo/.git/HEAD\n//- cwd: repo\n");
    write(&recto, "repo/session.jsonl", lines);
    recto
}

fn of(name: &str) -> Recto {
    let recto = with("");
    let text = of_reference(&recto, name)
        .replace(&*recto.tree().path("repo").to_string_lossy(), "/t/repo");
    write(&recto, "repo/session.jsonl", text);
    recto
}

#[test]
fn every_fault_is_told_with_line_and_byte() {
    let fine = meta(FIRST, "/t") + &message(1, "user", "hello");
    let mut bytes = fine.clone().into_bytes();
    bytes.extend_from_slice(b"not json\n\xFF\xFF\n\0\0\0\n");
    bytes.extend_from_slice(&message(2, "assistant", "hi").as_bytes()[..60]);
    cli_snapshot!(with(bytes), "rollout", "verify", "session.jsonl");
    assert_eq!(
        with(fine).run(&["rollout", "verify", "session.jsonl"]).to_string(),
        "status: 0\n----- stdout -----\nok\n"
    );
}

#[test]
fn ordinals_and_missing_pasts_are_faults() {
    cli_snapshot!(of("ordinal_gap.jsonl"), "rollout", "verify", "session.jsonl");
    let run = of("fork_child.jsonl").run(&["rollout", "verify", "session.jsonl"]);
    assert_eq!(run.status, Some(1));
    assert!(run.stdout.contains("of which there is no file"), "{run}");
}

#[test]
fn a_file_without_any_record_is_a_fault_and_no_crash() {
    for bytes in ["", "nothing\n"] {
        let run = with(bytes).run(&["rollout", "verify", "session.jsonl"]);
        assert_eq!(run.status, Some(1), "{run}");
        assert!(run.stdout.contains("nothing in it says which session it is"), "{run}");
    }
}

#[test]
fn a_copy_without_a_torn_tail_is_the_same_to_a_model() {
    let recto = of("torn_tail.jsonl");
    cli_snapshot!(recto, "rollout", "repair", "session.jsonl", "--to", "copy.jsonl");
    let run = recto.run(&["rollout", "verify", "copy.jsonl"]);
    assert_eq!(run.status, Some(0), "{run}");
}

#[test]
fn a_copy_that_says_more_than_the_original_is_told_to_differ() {
    let mut bytes = (meta(FIRST, "/t") + &message(1, "user", "hello")).into_bytes();
    let odd = message(2, "assistant", "hi QQ").into_bytes();
    bytes.extend(odd.iter().map(|byte| if *byte == b'Q' { 0xFF } else { *byte }));
    let recto = with(bytes);
    cli_snapshot!(recto, "rollout", "repair", "session.jsonl", "--to", "copy.jsonl");
    assert!(content(&recto, "repo/copy.jsonl").contains("hi \u{fffd}"));
}

#[test]
fn nothing_is_overwritten_and_nothing_is_left_behind() {
    let recto = of("bad_middle.jsonl");
    write(&recto, "repo/copy.jsonl", "mine");
    cli_snapshot!(recto, "rollout", "repair", "session.jsonl", "--to", "copy.jsonl");
    assert_eq!(content(&recto, "repo/copy.jsonl"), "mine");
    let run = recto.run(&["rollout", "repair", "session.jsonl", "--to", "missing/copy.jsonl"]);
    assert_eq!(run.status, Some(2), "{run}");
    assert!(!stands(&recto, "repo/missing"));
}
