//! Faults that users reported elsewhere, by the id of their row: what the command shows.

use serde_json::Value;

use super::command::{Recto, cli_snapshot};

#[test]
fn b07_budget_cut_inside_a_character() {
    let recto = Recto::in_tree(
        r#"
        //- repo/.git/
        //- repo/AGENTS.md = "a"*30720
        //- repo/sub/AGENTS.md = "b"*2047 "\xE2\x82\xAC"*683
        //- cwd: repo/sub
        "#,
    );
    cli_snapshot!(recto, "explain");
    let run = recto.run(&["prompt", "--format", "input", "hi"]);
    assert!(run.stdout.contains(&format!("\\n\\n{}\u{fffd}\\n</INSTRUCTIONS>", "b".repeat(2047))));
    insta::assert_snapshot!(run.stderr);
}

#[test]
fn b11_a_stray_empty_git_directory_is_named_as_the_root() {
    let recto = Recto::in_tree(
        r#"
        //- repo/.git/
        //- repo/AGENTS.md = "R"
        //- repo/sub/.git/
        //- repo/sub/AGENTS.md = "S"
        //- cwd: repo/sub
        "#,
    );
    cli_snapshot!(recto, "explain");
}

#[test]
fn b12_a_submodule_is_its_own_root_and_says_so() {
    let recto = Recto::in_tree(
        r#"
        //- super/.git/
        //- super/AGENTS.md = "SUPER"
        //- super/mod/.git = "gitdir: ../.git/modules/mod\n"
        //- super/mod/AGENTS.md = "MOD"
        //- super/mod/src/
        //- cwd: super/mod/src
        "#,
    );
    cli_snapshot!(recto, "explain");
}

#[test]
fn b18_one_path_that_is_host_and_project_shows_both_roles() {
    let recto = Recto::in_tree("//- home/AGENTS.md = \"ONE\"\n//- home/.git/\n//- cwd: home");
    cli_snapshot!(recto, "explain");
    cli_snapshot!(recto, "explain", "AGENTS.md");
}

#[test]
fn b21_text_of_an_untrusted_directory_is_in_no_output() {
    for cwd in ["repo", "repo/sub"] {
        let recto = Recto::in_tree(&format!(
            r#"
            //- home/AGENTS.md = "G"
            //- home/config.toml
            [projects."$ROOT/repo"]
            trust_level = "untrusted"
            //- repo/.git/HEAD = "x"
            //- repo/AGENTS.md = "SENTINEL-7"
            //- repo/sub/AGENTS.override.md = "SENTINEL-8"
            //- cwd: {cwd}
            "#
        ));
        for format in ["text", "json", "input", "responses", "responses-lite"] {
            let run = recto.run(&["prompt", "--format", format, "hi"]);
            assert!(!run.to_string().contains("SENTINEL"), "{format}: {run}");
            assert!(run.stdout.contains("AGENTS.md instructions"), "{format}: the host's stay");
            assert!(run.stderr.contains("AGENTS.md: skipped: untrusted"), "{format}: {run}");
        }
        let json = recto.run(&["explain", "--format", "json"]);
        assert!(!json.to_string().contains("SENTINEL"));
        cli_snapshot!(recto, "explain");
    }
}

#[test]
fn b22_an_unreadable_file_is_named_with_the_system_s_words_and_the_rest_is_read() {
    let recto = Recto::in_tree(
        r#"
        //- repo/.git/
        //- repo/AGENTS.md = "R"
        //- repo/sub/AGENTS.md = "S"
        //- chmod 000 repo/AGENTS.md
        //- cwd: repo/sub
        "#,
    );
    let run = recto.run(&["prompt", "--format", "input", "hi"]);
    assert_eq!(run.status, Some(0));
    assert_eq!(run.stderr, "warning: AGENTS.md: cannot be read: permission denied\n");
    assert!(run.stdout.contains("<INSTRUCTIONS>\\nS\\n</INSTRUCTIONS>"), "{run}");
    cli_snapshot!(recto, "explain", "--strict");
}

#[test]
fn b42_the_walk_says_where_it_ended() {
    let recto = Recto::in_tree(
        r#"
        //- outer/AGENTS.md = "O"
        //- outer/repo/.git/
        //- outer/repo/AGENTS.md = "R"
        //- cwd: outer/repo
        "#,
    );
    cli_snapshot!(recto, "explain");
}

#[test]
fn b141_the_host_s_file_is_listed_with_its_real_name_and_size() {
    for name in ["AGENTS.md", "AGENTS.override.md"] {
        let recto = Recto::in_tree(&format!("//- home/{name} = \"G\"\n//- d/\n//- cwd: d"));
        let run = recto.run(&["explain", "--format", "json"]);
        let document: Value = serde_json::from_str(&run.stdout).expect("it is JSON");
        assert_eq!(document["sources"].as_array().map(Vec::len), Some(1));
        let source = &document["sources"][0];
        assert_eq!(source["path"], format!("$ROOT/home/{name}"));
        assert_eq!(source["bytes_read"], 1);
        assert!(recto.run(&["explain"]).stdout.contains(&format!("host     ~/home/{name}")));
    }
}

#[test]
fn b142_what_is_listed_is_what_is_sent() {
    for trust in ["", "trust_level = \"trusted\"", "trust_level = \"untrusted\""] {
        let recto = Recto::in_tree(&format!(
            r#"
            //- home/config.toml
            project_doc_fallback_filenames = ["NOTES.md"]
            [projects."$ROOT/repo"]
            {trust}
            //- home/AGENTS.md = "G"
            //- repo/.git/HEAD = "x"
            //- repo/AGENTS.md = "R"
            //- repo/sub/NOTES.md = "N"
            //- cwd: repo/sub
            "#
        ));
        let listed: Value =
            serde_json::from_str(&recto.run(&["explain", "--format", "json"]).stdout)
                .expect("JSON");
        let sent: Value =
            serde_json::from_str(&recto.run(&["prompt", "--format", "json"]).stdout).expect("JSON");
        let listed: Vec<&Value> =
            listed["sources"].as_array().into_iter().flatten().map(|it| &it["path"]).collect();
        let parts = sent["prompt"]["input"].as_array().into_iter().flatten();
        let parts = parts.flat_map(|it| it["parts"].as_array().into_iter().flatten());
        let spans = parts.flat_map(|it| it["provenance"].as_array().into_iter().flatten());
        let sent: Vec<&Value> = spans.map(|it| &it["path"]).filter(|it| !it.is_null()).collect();
        assert_eq!(listed, sent, "{trust}");
        let expected = if trust.contains("untrusted") { 1 } else { 3 };
        assert_eq!(listed.len(), expected, "{trust}");
    }
}

#[test]
fn b144_the_document_has_an_origin_for_everything() {
    let recto = Recto::in_tree(
        r#"
        //- home/AGENTS.md = "G\n"
        //- home/config.toml
        project_doc_max_bytes = 10
        project_doc_fallback_filenames = ["NOTES.md"]
        //- repo/.git/HEAD = "x"
        //- repo/AGENTS.md = "ROOT\n"
        //- repo/sub/AGENTS.md = "shadowed\n"
        //- repo/sub/AGENTS.override.md = "SUB\n"
        //- repo/sub/a/NOTES.md = "first\nsecond\n"
        //- repo/sub/a/b/AGENTS.md = "nothing left\n"
        //- cwd: repo/sub/a/b
        "#,
    );
    cli_snapshot!(recto, "explain", "--format", "json");
    let untrusted = "projects={'$ROOT/repo'={trust_level='untrusted'}}"
        .replace("$ROOT", &recto.tree().root().to_string_lossy());
    let run = recto.run(&["explain", "--format", "json", "-c", &untrusted]);
    let document: Value = serde_json::from_str(&run.stdout).expect("it is JSON");
    let reasons: Vec<&Value> =
        document["unused"].as_array().into_iter().flatten().map(|it| &it["code"]).collect();
    assert_eq!(reasons, ["untrusted", "untrusted", "shadowed", "untrusted", "untrusted"]);
}

#[test]
fn b145_warnings_never_mix_into_a_document() {
    let recto = Recto::in_tree(
        r#"
        //- repo/.git/
        //- repo/AGENTS.md = "rule one \x93quoted\x94\n"
        //- repo/sub/AGENTS.md = "S"
        //- chmod 000 repo/sub/AGENTS.md
        //- cwd: repo/sub
        "#,
    );
    let warnings = "warning: AGENTS.md: holds bytes that are not UTF-8; the model reads U+FFFD in their place\n\
                    warning: sub/AGENTS.md: cannot be read: permission denied\n";
    for arguments in [
        ["explain", "--format", "json"],
        ["prompt", "--format", "json"],
        ["prompt", "--format", "input"],
    ] {
        let run = recto.run(&arguments);
        assert_eq!(run.status, Some(0), "{arguments:?}");
        assert!(serde_json::from_str::<Value>(&run.stdout).is_ok(), "{arguments:?}: {run}");
        assert_eq!(run.stderr, warnings, "{arguments:?}");
    }
}
