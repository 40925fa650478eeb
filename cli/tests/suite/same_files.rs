//! One file that is reached twice: it is told, and changes no byte of what the model reads.

use super::command::{Recto, cli_snapshot};

/// The text of AGENTS.md that the model would read.
fn instructions(recto: &Recto) -> String {
    let run = recto.run(&["prompt", "--format", "input"]);
    let input: serde_json::Value = serde_json::from_str(&run.stdout).expect("it is JSON");
    input[1]["content"][0]["text"].as_str().unwrap_or_default().to_owned()
}

#[test]
fn a_file_that_links_lead_to_again_is_read_again_and_told() {
    let recto = Recto::in_tree(
        r#"
        //- repo/.git/HEAD = "x"
        //- repo/AGENTS.md = "TOP\n"
        //- repo/a/AGENTS.md -> ../AGENTS.md
        //- repo/a/b/AGENTS.override.md => repo/AGENTS.md
        //- repo/a/b/c/AGENTS.md = "TOP\n"
        //- cwd: repo/a/b/c
        "#,
    );
    cli_snapshot!(recto, "explain");
    assert_eq!(instructions(&recto).matches("TOP").count(), 4);
}

#[test]
fn a_directory_that_is_a_link_is_walked_as_it_is_named() {
    let recto = Recto::in_tree(
        r#"
        //- repo/.git/HEAD = "x"
        //- repo/AGENTS.md = "TOP\n"
        //- repo/real/AGENTS.md = "REAL\n"
        //- repo/name -> real
        //- cwd: repo
        //- args: -C $ROOT/repo/name
        "#,
    );
    cli_snapshot!(recto, "explain");
}

#[test]
fn a_linked_worktree_inside_its_main_checkout_is_a_root_of_its_own() {
    let recto = Recto::in_tree(
        r#"
        //- repo/.git/HEAD = "x"
        //- repo/.git/worktrees/w/commondir = "../..\n"
        //- repo/.git/worktrees/w/gitdir = "$ROOT/repo/trees/w/.git\n"
        //- repo/AGENTS.md = "MAIN\n"
        //- repo/trees/w/.git = "gitdir: $ROOT/repo/.git/worktrees/w\n"
        //- repo/trees/w/AGENTS.md -> ../../AGENTS.md
        //- cwd: repo/trees/w
        "#,
    );
    cli_snapshot!(recto, "explain");
}

#[test]
fn a_submodule_and_a_nested_repository_are_roots_of_their_own() {
    let recto = Recto::in_tree(
        r#"
        //- repo/.git/HEAD = "x"
        //- repo/.git/modules/sub/HEAD = "x"
        //- repo/AGENTS.md = "OUTER\n"
        //- repo/sub/.git = "gitdir: ../.git/modules/sub\n"
        //- repo/sub/AGENTS.md = "SUB\n"
        //- repo/sub/nested/.git/HEAD = "x"
        //- repo/sub/nested/AGENTS.md => repo/AGENTS.md
        //- cwd: repo/sub/nested
        "#,
    );
    cli_snapshot!(recto, "explain");
    cli_snapshot!(recto, "explain", "-C", "..");
}
