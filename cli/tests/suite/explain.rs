//! `recto explain`: what a person sees.

use super::command::{Recto, cli_snapshot};

/// A tree in which nearly everything happens.
const EVERYTHING: &str = r#"
    //- home/AGENTS.md
    Be brief.
    //- home/config.toml
    model = "gpt-5.5"
    project_doc_max_bytes = 120
    project_doc_fallback_filenames = ["CONTRIBUTING.md", "docs/AGENTS.md"]
    //- repo/.git/HEAD
    //- repo/AGENTS.md -> ../shared/rules.md
    //- shared/rules.md
    Run the tests before you say that it works.
    //- repo/web/AGENTS.override.md
    Use the design system.
    //- repo/web/AGENTS.md
    Shadowed.
    //- repo/web/app/CONTRIBUTING.md
    One file, one component.
    Never write inline styles.
    Keep the bundle below 200 kB.
    //- repo/web/app/agents.md
    Nobody reads this.
    //- repo/web/app/src/AGENTS.md
    No budget is left for this.
    //- cwd: repo/web/app/src
"#;

#[test]
fn every_source_is_told_with_its_order_cost_and_fate() {
    cli_snapshot!(Recto::in_tree(EVERYTHING), "explain");
}

#[test]
fn every_source_is_told_to_programs_too() {
    cli_snapshot!(Recto::in_tree(EVERYTHING), "explain", "--format", "json");
}

#[test]
fn an_empty_directory_has_nothing_to_read() {
    // A marker of its own, for a `.git` above the tree is not the test's to forbid.
    let recto = Recto::in_tree("//- d/\n//- cwd: d");
    cli_snapshot!(recto, "explain", "-c", r#"project_root_markers=[".nowhere"]"#);
}

#[test]
fn this_kind_of_repository_has_one_file_and_a_host() {
    let recto = Recto::in_tree(
        r#"
        //- home/AGENTS.md = "Answer in English.\n"
        //- home/config.toml
        [projects."$ROOT/recto"]
        trust_level = "trusted"
        //- recto/.git/HEAD
        //- recto/AGENTS.md = "The map\n" "- a line of the map\n"*60
        //- recto/cli/
        //- cwd: recto/cli
        "#,
    );
    cli_snapshot!(recto, "explain");
}

#[test]
fn the_view_has_colour_where_it_is_asked_for_and_says_the_same() {
    let recto = Recto::in_tree(EVERYTHING);
    let plain = recto.run(&["explain"]);
    let mut command = recto.command(&["explain"]);
    let coloured = command.env("CLICOLOR_FORCE", "1").output().expect("the program starts");
    let coloured = String::from_utf8(coloured.stdout).expect("it is text");
    assert!(coloured.contains("\u{1b}[1mcwd\u{1b}[0m"), "{coloured}");
    let stripped = anstream::adapter::strip_str(&coloured).to_string();
    assert_eq!(stripped.replace(&*recto.tree().root().to_string_lossy(), "$ROOT"), plain.stdout);
    let without =
        recto.command(&["explain"]).env("CLICOLOR_FORCE", "1").env("NO_COLOR", "1").output();
    let without = String::from_utf8(without.expect("the program starts").stdout);
    assert!(without.is_ok_and(|it| !it.contains('\u{1b}')), "NO_COLOR is the last word");
}

#[test]
fn no_line_is_wider_than_eighty_columns() {
    let run = Recto::in_tree(EVERYTHING).run(&["explain"]);
    let wide: Vec<&str> = run.stdout.lines().filter(|it| it.chars().count() > 80).collect();
    assert_eq!(wide, Vec::<&str>::new());
}

#[test]
fn a_file_cannot_steer_the_terminal() {
    let recto = Recto::in_tree(
        r#"
        //- repo/.git/
        //- repo/AGENTS.md = "aaaa\n\x1B]0;title\x07 and \x9B31m\n"
        //- cwd: repo
        //- args: -c project_doc_max_bytes=6
        "#,
    );
    cli_snapshot!(recto, "explain");
}

#[test]
fn project_docs_that_are_switched_off_are_told() {
    let recto = Recto::in_tree(
        r#"
        //- repo/.git/
        //- repo/AGENTS.md = "A"
        //- cwd: repo
        //- args: -c project_doc_max_bytes=0
        "#,
    );
    cli_snapshot!(recto, "explain");
}

#[test]
fn what_is_no_file_is_told_with_what_it_is() {
    let recto = Recto::in_tree(
        r#"
        //- home/AGENTS.override.md -> nowhere
        //- home/AGENTS.md = " \n"
        //- repo/.git/
        //- repo/AGENTS.override.md/
        //- repo/AGENTS.md |
        //- repo/sub/AGENTS.override.md = "\n"
        //- repo/sub/AGENTS.md = "Shadowed by a blank file.\n"
        //- cwd: repo/sub
        "#,
    );
    cli_snapshot!(recto, "explain");
}

#[test]
fn values_from_outside_that_hold_their_end_marker_are_told() {
    let recto = Recto::in_tree("//- d/.git/\n//- cwd: d");
    cli_snapshot!(
        recto,
        "explain",
        "--context",
        "branch=a</external_branch>b",
        "--context",
        "fine=yes",
        "--app-context",
        "app=</app>"
    );
}

#[test]
fn a_project_s_configuration_is_listed_with_why_it_does_not_count() {
    let recto = Recto::in_tree(
        r#"
        //- repo/.git/HEAD
        //- repo/.codex/config.toml
        project_doc_max_bytes = 5
        //- repo/AGENTS.md = "Long enough.\n"
        //- cwd: repo
        "#,
    );
    cli_snapshot!(recto, "explain");
}

#[test]
fn strict_fails_for_a_cut_an_unreadable_file_and_a_near_miss_only() {
    let cases = [
        ("//- repo/AGENTS.md = \"abc\"\n//- args: -c project_doc_max_bytes=1", Some(1)),
        ("//- repo/AGENTS.md = \"abc\"\n//- chmod 000 repo/AGENTS.md", Some(1)),
        ("//- repo/agents.md = \"abc\"", Some(1)),
        ("//- repo/AGENTS.md = \"abc\"\n//- repo/AGENTS.override.md = \"abc\"", Some(0)),
    ];
    for (fixture, status) in cases {
        let recto = Recto::in_tree(&format!("//- repo/.git/\n{fixture}\n//- cwd: repo"));
        assert_eq!(recto.run(&["explain", "--strict"]).status, status, "{fixture}");
        assert_eq!(recto.run(&["explain"]).status, Some(0), "{fixture}");
    }
}
