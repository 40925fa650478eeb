//! Which files count, in which order, and how much of them.

use pretty_assertions::assert_eq;

use super::support::{check, loaded, relative, text_of, tree};

#[test]
fn instruction_sources_include_global_before_agents_md_docs() {
    let tree = tree(
        r#"home/AGENTS.md = "G"; repo/.git/; repo/AGENTS.md = "R"; repo/sub/AGENTS.md = "S"; cwd: repo/sub"#,
    );
    let loaded = loaded(&tree);
    let sources: Vec<String> =
        loaded.instruction_sources().map(|path| relative(&tree, path)).collect();
    assert_eq!(sources, ["home/AGENTS.md", "repo/AGENTS.md", "repo/sub/AGENTS.md"]);
    assert_eq!(text_of(&tree, &loaded), "[repo/sub] G\n\n--- project-doc ---\n\nR\n\nS");
}

#[test]
fn the_nearest_marker_from_cwd_up_is_the_root() {
    check(r#"a/.git/; a/AGENTS.md = "A"; a/b/.git/; a/b/AGENTS.md = "B"; cwd: a/b"#, "[a/b] B");
    check(r#"a/.git/; a/AGENTS.md = "A"; a/b/c/AGENTS.md = "C"; cwd: a/b/c"#, "[a/b/c] A\n\nC");
    check(r#"a/AGENTS.md = "A"; a/b/AGENTS.md = "B"; cwd: a/b; args: markers=.nowhere"#, "[a/b] B");
}

#[test]
fn any_kind_of_entry_is_a_marker_but_a_link_that_leads_nowhere() {
    check(r#"a/.git = ""; a/AGENTS.md = "A"; a/b/; cwd: a/b"#, "[a/b] A");
    check(r#"a/.git |; a/AGENTS.md = "A"; a/b/; cwd: a/b"#, "[a/b] A");
    check(r#"a/.git -> /dev/null; a/AGENTS.md = "A"; a/b/; cwd: a/b"#, "[a/b] A");
    check(r#"a/.m -> nowhere; a/AGENTS.md = "A"; a/b/; cwd: a/b; args: markers=.m"#, "");
    check(r#"a/.m -> .m; a/AGENTS.md = "A"; a/b/; cwd: a/b; args: markers=.m"#, "");
}

#[test]
fn markers_are_joined_to_the_directory_as_they_stand() {
    check(r#"a/x/m/; a/AGENTS.md = "A"; a/b/; cwd: a/b; args: markers=x/m"#, "[a/b] A");
    check(
        r#"a/.git/; a/AGENTS.md = "A"; a/b/AGENTS.md = "B"; cwd: a/b; args: markers=."#,
        "[a/b] B",
    );
    check(
        r#"a/.git/; a/AGENTS.md = "A"; a/b/AGENTS.md = "B"; cwd: a/b; args: markers=/"#,
        "[a/b] B",
    );
    check(r#"a/.hg/; a/AGENTS.md = "A"; a/b/.git/; cwd: a/b; args: markers=.svn,.hg"#, "[a/b] A");
    check(
        r#"a/.git/; a/AGENTS.md = "A"; a/b/AGENTS.md = "B"; cwd: a/b; args: markers="#,
        "[a/b] B",
    );
}

#[test]
fn one_file_a_directory_by_precedence() {
    check(
        r#"r/AGENTS.override.md = "O"; r/AGENTS.md = "A"; r/F.md = "F"; cwd: r; args: fallback=F.md"#,
        "[r] O",
    );
    check(r#"r/AGENTS.md = "A"; r/F.md = "F"; cwd: r; args: fallback=F.md"#, "[r] A");
    check(r#"r/F.md = "F"; r/G.md = "G"; cwd: r; args: fallback=G.md,F.md"#, "[r] G");
    check(r#"r/f.md = "f"; cwd: r; args: fallback=F.md"#, "");
    check(r#"r/agents.md = "a"; cwd: r"#, "");
}

#[test]
fn a_blank_file_takes_its_directorys_place() {
    check(
        r#"r/.git/; r/AGENTS.override.md = " \n\t\n"; r/AGENTS.md = "A"; r/s/AGENTS.md = "S"; cwd: r/s"#,
        "[r/s] S",
    );
    check(r#"r/AGENTS.override.md = ""; r/AGENTS.md = "A"; cwd: r"#, "");
    check(r#"r/AGENTS.md = "\xC2\xA0\xE3\x80\x80"; cwd: r"#, "");
    check("r/AGENTS.md = \"\\xEF\\xBB\\xBF\"; cwd: r", "[r] \u{feff}");
}

#[test]
fn what_is_no_regular_file_is_passed_over() {
    for entry in ["/", " |", " -> /dev/null", " -> /dev/zero", " -> nowhere", " -> ."] {
        check(&format!(r#"r/AGENTS.override.md{entry}; r/AGENTS.md = "A"; cwd: r"#), "[r] A");
        check(
            &format!(r#"r/AGENTS.md{entry}; r/F.md = "F"; cwd: r; args: fallback=F.md"#),
            "[r] F",
        );
    }
}

#[test]
fn project_docs_are_told_as_they_are_and_the_hosts_text_is_trimmed() {
    check(
        r#"home/AGENTS.md = "\n G \n"; r/AGENTS.md = " \nA\r\n\n"; cwd: r"#,
        "[r] G\n\n--- project-doc ---\n\n \nA\r\n\n",
    );
    check(r#"home/AGENTS.md = "G"; r/; cwd: r"#, "G");
    check(r#"r/AGENTS.md = "a\x00\x1Bb"; cwd: r"#, "[r] a\0\u{1b}b");
    check("r/AGENTS.md = \"a\\xE9\\xF0\\x9F\\x98b\"; cwd: r", "[r] a\u{fffd}\u{fffd}b");
}

#[test]
fn the_budget_is_spent_from_the_root_down() {
    let chain = r#"r/.git/; r/AGENTS.md = "abcd"; r/s/AGENTS.md = "efgh"; r/s/t/AGENTS.md = "ijkl"; cwd: r/s/t"#;
    for (max, expected) in [
        (12, "[r/s/t] abcd\n\nefgh\n\nijkl"),
        (11, "[r/s/t] abcd\n\nefgh\n\nijk"),
        (8, "[r/s/t] abcd\n\nefgh"),
        (5, "[r/s/t] abcd\n\ne"),
        (4, "[r/s/t] abcd"),
        (1, "[r/s/t] a"),
        (0, ""),
    ] {
        check(&format!("{chain}; args: max={max}"), expected);
    }
    check(&format!("{chain}; args: max={}", u64::MAX), "[r/s/t] abcd\n\nefgh\n\nijkl");
}

#[test]
fn blank_files_cost_nothing() {
    let chain = |first: &str| {
        format!(r#"r/.git/; r/AGENTS.md = {first}; r/s/AGENTS.md = "abcd"; cwd: r/s; args: max=3"#)
    };
    check(&chain(r#""  ""#), "[r/s] abc");
    check(&chain(r#"" "*3"#), "[r/s] abc");
    check(&chain(r#"" "*100"#), "[r/s] abc");
    check(&chain(r#"" "*3 "not within the budget""#), "[r/s] abc");
    check(&chain(r#"" "*2 "x""#), "[r/s]   x");
}

#[test]
fn the_hosts_text_is_outside_the_budget() {
    check(
        r#"home/AGENTS.md = "G"*100; r/AGENTS.md = "abcd"; cwd: r; args: max=2"#,
        &format!("[r] {}\n\n--- project-doc ---\n\nab", "G".repeat(100)),
    );
    check(r#"home/AGENTS.md = "G"; r/AGENTS.md = "abcd"; cwd: r; args: max=0"#, "G");
}

#[test]
fn the_hosts_file_is_the_first_that_is_not_blank() {
    for passed_over in [
        " = \"\"",
        " = \" \\n\"",
        "/",
        " |",
        " -> nowhere",
        " -> AGENTS.override.md",
        " -> /dev/zero",
    ] {
        check(
            &format!(r#"home/AGENTS.override.md{passed_over}; home/AGENTS.md = "G"; r/; cwd: r"#),
            "G",
        );
    }
    check(r#"home/AGENTS.override.md = "O"; home/AGENTS.md = "G"; r/; cwd: r"#, "O");
    check(r#"home/F.md = "F"; r/; cwd: r; args: fallback=F.md"#, "");
}

#[test]
fn untrusted_projects_give_nothing_and_the_host_stays() {
    check(
        r#"home/AGENTS.md = "G"; r/.git/; r/AGENTS.md = "SENTINEL"; cwd: r; args: untrusted"#,
        "G",
    );
    check(r#"r/.git/; r/AGENTS.md = "SENTINEL"; cwd: r; args: untrusted"#, "");
}

#[test]
fn a_directory_that_is_missing_or_no_directory_has_no_docs_of_its_own() {
    check(r#"r/.git/; r/AGENTS.md = "R"; cwd: r/gone"#, "[r/gone] R");
    check(r#"r/.git/; r/AGENTS.md = "R"; r/file = ""; cwd: r/file"#, "[r/file] R");
    check("cwd: gone", "");
}

#[test]
fn links_are_followed_and_each_directory_that_has_one_tells_it() {
    check(
        r#"text = "T"; r/.git/; r/AGENTS.md -> ../text; r/s/AGENTS.md => text; cwd: r/s"#,
        "[r/s] T\n\nT",
    );
    check(
        r#"r/.git/; r/AGENTS.md = "R"; elsewhere/AGENTS.md = "E"; r/ln -> ../elsewhere; cwd: r/ln"#,
        "[r/ln] R\n\nE",
    );
}
