//! What became of every file that was looked at.

use std::io::ErrorKind;

use pretty_assertions::assert_eq;
use recto_core::agents_md::{Candidate, CandidateOutcome, LostLine};
use recto_core::environment::{FileKind, FileSystemError};

use super::support::{
    Faulty, LOADED, block_on, check_outcomes, load, loaded, outcomes, text_of, tree,
};
use recto_core::testing::TestEnvironment;

fn cut(kept: u64, lost: u64, number: u64, text: &str) -> CandidateOutcome {
    let first_lost_line = LostLine { number, text: text.to_owned() };
    CandidateOutcome::Cut { kept, lost, first_lost_line, lossy: false }
}

fn io(message: &str) -> FileSystemError {
    FileSystemError::Io { kind: ErrorKind::PermissionDenied, message: message.to_owned() }
}

#[test]
fn every_candidate_keeps_its_bytes_on_disk_and_whether_it_is_a_link() {
    let tree =
        tree(r#"home/AGENTS.md = " G "; text = "abc"; r/.git/; r/AGENTS.md -> ../text; cwd: r"#);
    let candidate = |path: &str, len, through_link, outcome| Candidate {
        path: tree.path(path),
        len,
        through_link,
        outcome,
    };
    let all: Vec<Candidate> = loaded(&tree).candidates().cloned().collect();
    assert_eq!(
        all,
        [
            candidate("home/AGENTS.override.md", None, false, CandidateOutcome::Absent),
            candidate("home/AGENTS.md", Some(3), false, LOADED),
            candidate("r/AGENTS.override.md", None, false, CandidateOutcome::Absent),
            candidate("r/AGENTS.md", Some(3), true, LOADED),
        ]
    );
}

#[test]
fn what_is_read_whole_says_whether_bytes_were_replaced() {
    check_outcomes(r#"r/AGENTS.md = "a"; cwd: r"#, &[("r/AGENTS.md", LOADED)]);
    let lossy = CandidateOutcome::Loaded { lossy: true };
    check_outcomes(r#"r/AGENTS.md = "a\xE9"; cwd: r"#, &[("r/AGENTS.md", lossy.clone())]);
    check_outcomes(r#"home/AGENTS.md = "a\xE9"; r/; cwd: r"#, &[("home/AGENTS.md", lossy)]);
}

#[test]
fn a_cut_says_what_it_took_and_from_which_line_on() {
    let of = |text: &str, max: u64, outcome: CandidateOutcome| {
        let line = format!(r#"r/AGENTS.md = "{text}"; cwd: r; args: max={max}"#);
        check_outcomes(&line, &[("r/AGENTS.md", outcome)]);
    };
    of(r"one\ntwo\nthree\n", 5, cut(5, 9, 2, "two"));
    of(r"one\ntwo\nthree\n", 4, cut(4, 10, 2, "two"));
    of(r"one\ntwo\nthree\n", 3, cut(3, 11, 2, "two"));
    of(r"one\ntwo\nthree\n", 13, cut(13, 1, 3, "three"));
    of(r"one\ntwo\nthree", 12, cut(12, 1, 3, "three"));
    of(r"one\r\ntwo\r\n", 5, cut(5, 5, 2, "two"));
    of(r"only", 1, cut(1, 3, 1, "only"));
    of(r"\xE2\x82\xAC\xE2\x82\xAC", 4, cut(4, 2, 1, "€€"));
}

#[test]
fn a_lost_line_is_shown_from_its_start_as_far_as_it_was_read() {
    check_outcomes(
        r#"r/AGENTS.md = "x\n" "a"*1000; cwd: r; args: max=12"#,
        &[("r/AGENTS.md", cut(12, 990, 2, &"a".repeat(400)))],
    );
    check_outcomes(
        r#"r/AGENTS.md = "a"*1000 "\nnext"; cwd: r; args: max=1000"#,
        &[("r/AGENTS.md", cut(1000, 5, 2, "next"))],
    );
}

#[test]
fn only_bytes_that_the_model_reads_make_a_cut_lossy() {
    let lossy = |lossy| CandidateOutcome::Cut {
        kept: 3,
        lost: 1,
        first_lost_line: LostLine { number: 1, text: "a\u{fffd}bc".to_owned() },
        lossy,
    };
    check_outcomes(
        r#"r/AGENTS.md = "a\xE9bc"; cwd: r; args: max=3"#,
        &[("r/AGENTS.md", lossy(true))],
    );
    check_outcomes(
        r#"r/AGENTS.md = "ab\xE2\x82"; cwd: r; args: max=3"#,
        &[("r/AGENTS.md", cut(3, 1, 1, "ab\u{fffd}"))],
    );
}

#[test]
fn the_names_behind_the_one_that_is_read_are_shadowed() {
    let tree = tree(
        r#"r/AGENTS.override.md = ""; r/AGENTS.md = "A"; r/F.md/; cwd: r; args: fallback=F.md,G.md"#,
    );
    assert_eq!(
        outcomes(&tree, &loaded(&tree)),
        [
            ("r/AGENTS.override.md".to_owned(), CandidateOutcome::Blank),
            (
                "r/AGENTS.md".to_owned(),
                CandidateOutcome::Shadowed { by: tree.path("r/AGENTS.override.md") }
            ),
            ("r/F.md".to_owned(), CandidateOutcome::NotRegular(FileKind::Directory)),
        ]
    );
}

#[test]
fn the_hosts_second_file_is_shadowed_too() {
    let tree = tree(r#"home/AGENTS.override.md = "O"; home/AGENTS.md = "G"; r/; cwd: r"#);
    assert_eq!(
        outcomes(&tree, &loaded(&tree)),
        [
            ("home/AGENTS.override.md".to_owned(), LOADED),
            (
                "home/AGENTS.md".to_owned(),
                CandidateOutcome::Shadowed { by: tree.path("home/AGENTS.override.md") }
            ),
        ]
    );
}

#[test]
fn what_is_no_regular_file_says_what_it_is() {
    let not = CandidateOutcome::NotRegular;
    for (entry, outcome) in [
        ("/", not(FileKind::Directory)),
        (" |", not(FileKind::Pipe)),
        (" -> /dev/null", not(FileKind::Device)),
        (" -> nowhere", CandidateOutcome::BrokenLink),
    ] {
        for place in ["r", "home"] {
            check_outcomes(
                &format!("{place}/AGENTS.md{entry}; cwd: r"),
                &[(&format!("{place}/AGENTS.md"), outcome.clone())],
            );
        }
    }
}

#[test]
fn a_loop_of_links_is_unreadable_and_the_next_name_is_tried() {
    let tree = tree(r#"r/AGENTS.override.md -> AGENTS.override.md; r/AGENTS.md = "A"; cwd: r"#);
    let loaded = loaded(&tree);
    match &outcomes(&tree, &loaded)[..] {
        [(_, CandidateOutcome::Unreadable(error)), (_, LOADED)] => {
            assert_eq!(error.to_string(), "too many levels of symbolic links");
        }
        [(_, CandidateOutcome::BrokenLink), (_, LOADED)] => {
            assert!(!TestEnvironment::current().tells_all(), "the system says what it is");
        }
        other => panic!("{other:?}"),
    }
    assert_eq!(text_of(&tree, &loaded), "[r] A");
}

#[test]
fn a_file_that_cannot_be_read_costs_itself_and_keeps_its_place() {
    let tree = tree(
        r#"r/.git/; r/AGENTS.override.md = "O"; r/AGENTS.md = "A"; r/s/AGENTS.md = "S"; cwd: r/s"#,
    );
    let locked = tree.path("r/AGENTS.override.md");
    let files = Faulty::read(&tree, "r/AGENTS.override.md", io("permission denied"));
    let loaded = block_on(load(&tree, files)).unwrap();
    assert_eq!(
        outcomes(&tree, &loaded),
        [
            (
                "r/AGENTS.override.md".to_owned(),
                CandidateOutcome::Unreadable(io("permission denied"))
            ),
            ("r/AGENTS.md".to_owned(), CandidateOutcome::Shadowed { by: locked }),
            ("r/s/AGENTS.md".to_owned(), LOADED),
        ]
    );
    assert_eq!(text_of(&tree, &loaded), "[r/s] S");
}

#[test]
fn a_file_that_vanishes_between_the_look_and_the_read_is_absent() {
    let tree = tree(r#"r/.git/; r/AGENTS.md = "R"; r/s/AGENTS.md = "S"; cwd: r/s"#);
    for (error, outcome) in [
        (FileSystemError::NotFound, CandidateOutcome::Absent),
        (FileSystemError::BrokenLink, CandidateOutcome::BrokenLink),
        (FileSystemError::NotAFile(FileKind::Pipe), CandidateOutcome::NotRegular(FileKind::Pipe)),
    ] {
        let files = Faulty::read(&tree, "r/AGENTS.md", error);
        let loaded = block_on(load(&tree, files)).unwrap();
        let found = loaded.candidates().find(|it| it.path == tree.path("r/AGENTS.md"));
        assert_eq!(found.map(|it| &it.outcome), Some(&outcome));
        assert_eq!(text_of(&tree, &loaded), "[r/s] S");
    }
}

#[test]
fn files_behind_the_end_of_the_budget_are_not_read() {
    check_outcomes(
        r#"r/.git/; r/AGENTS.md = "abcd"; r/s/AGENTS.md = "e"; r/s/t/AGENTS.md = ""; cwd: r/s/t; args: max=4"#,
        &[
            ("r/AGENTS.md", LOADED),
            ("r/s/AGENTS.md", CandidateOutcome::BudgetSpent),
            ("r/s/t/AGENTS.md", CandidateOutcome::BudgetSpent),
        ],
    );
}

#[test]
fn distrust_and_a_budget_of_nothing_are_told_for_what_would_have_been_read() {
    let line = r#"home/AGENTS.md = "G"; r/AGENTS.md = "A"; r/F.md/; cwd: r; args: fallback=F.md"#;
    for (args, outcome) in [
        ("untrusted", CandidateOutcome::Untrusted),
        ("max=0", CandidateOutcome::ProjectDocsOff),
        ("max=0 untrusted", CandidateOutcome::Untrusted),
    ] {
        check_outcomes(
            &format!("{line} {args}"),
            &[
                ("home/AGENTS.md", LOADED),
                ("r/AGENTS.md", outcome),
                ("r/F.md", CandidateOutcome::NotRegular(FileKind::Directory)),
            ],
        );
    }
}

#[test]
fn what_was_spent_of_the_budget_is_known() {
    for (args, expected) in [("max=100", 6), ("max=5", 5), ("max=3", 3), ("untrusted", 0)] {
        let tree = tree(&format!(
            r#"r/.git/; r/AGENTS.md = "abc"; r/s/AGENTS.md = "   "; r/s/t/AGENTS.md = "def"; cwd: r/s/t; args: {args}"#
        ));
        assert_eq!(loaded(&tree).projects[0].spent(), expected, "{args}");
    }
}
