//! `recto explain PATH`: whether one file reaches the model.

use super::command::{Recto, cli_snapshot};

const TREE: &str = r#"
    //- home/AGENTS.md = "G\n"
    //- home/notes.md = "N\n"
    //- above/AGENTS.md = "above\n"
    //- above/repo/.git/HEAD
    //- above/repo/AGENTS.md = "root\n"
    //- above/repo/README.md = "readme\n"
    //- above/repo/link.md -> AGENTS.md
    //- above/repo/other/AGENTS.md = "other\n"
    //- above/repo/sub/AGENTS.md = "shadowed\n"
    //- above/repo/sub/AGENTS.override.md = "override\n"
    //- above/repo/sub/agent.md = "misspelt\n"
    //- above/repo/sub/below/AGENTS.md = "below\n"
    //- above/repo/sub/below/Agents.md = "below\n"
    //- cwd: above/repo/sub
"#;

#[test]
fn each_kind_of_answer_has_its_words() {
    let recto = Recto::in_tree(TREE);
    let paths = [
        "AGENTS.override.md",
        "AGENTS.md",
        "../AGENTS.md",
        "../README.md",
        "../link.md",
        "../agents.md",
        "../other/AGENTS.md",
        "../../AGENTS.md",
        "below/AGENTS.md",
        "below/Agents.md",
        "below",
        "nothing.md",
        "../../../home/AGENTS.md",
        "../../../home/notes.md",
        "../../../home/config.toml",
    ];
    let answers: Vec<String> = paths
        .iter()
        .map(|path| {
            let run = recto.run(&["explain", path]);
            format!("$ recto explain {path}\n{}{}", run.stdout, run.stderr)
        })
        .collect();
    insta::assert_snapshot!(answers.join("\n"));
}

#[test]
fn an_answer_is_no_failure_unless_strict() {
    let recto = Recto::in_tree(TREE);
    assert_eq!(recto.run(&["explain", "AGENTS.md"]).status, Some(0));
    assert_eq!(recto.run(&["explain", "--strict", "AGENTS.md"]).status, Some(1));
    assert_eq!(recto.run(&["explain", "--strict", "../AGENTS.md"]).status, Some(0));
}

#[test]
fn programs_get_a_code() {
    cli_snapshot!(Recto::in_tree(TREE), "explain", "--format", "json", "AGENTS.md");
}

#[test]
fn a_path_stands_relative_to_the_directory_that_is_looked_from() {
    let recto = Recto::in_tree(TREE);
    let run = recto.run(&["explain", "-C", "below", "AGENTS.md"]);
    assert_eq!(run.stdout.lines().next(), Some("sub/below/AGENTS.md reaches the model"));
}
