//! Faults that users of such tools reported, by their ids; what is right here.

use std::ffi::OsStr;
use std::io::ErrorKind;
use std::os::unix::ffi::OsStrExt;

use pretty_assertions::assert_eq;
use recto_core::agents_md::CandidateOutcome;
use recto_core::environment::{FileKind, FileSystemError};
use recto_core::testing::Fixture;

use super::support::{
    Faulty, LOADED, block_on, check, check_outcomes, load, loaded, outcomes, relative, text_of,
    tree,
};

#[test]
fn b01_linked_files_are_read_and_named_by_their_links() {
    let tree = tree(
        r#"real/g.md = "G1\n"; real/p.md = "P1\n"; home/AGENTS.md -> ../real/g.md; repo/.git/; repo/AGENTS.md -> ../real/p.md; cwd: repo"#,
    );
    let loaded = loaded(&tree);
    assert_eq!(text_of(&tree, &loaded), "[repo] G1\n\n--- project-doc ---\n\nP1\n");
    let sources: Vec<String> =
        loaded.instruction_sources().map(|path| relative(&tree, path)).collect();
    assert_eq!(sources, ["home/AGENTS.md", "repo/AGENTS.md"]);
}

#[test]
fn b02_a_broken_link_is_as_absent_and_the_fallback_is_used() {
    let line = r#"repo/.git/; repo/AGENTS.md -> Agents-Real.md; repo/agents-real.md = "x"; repo/FALLBACK.md = "F\n"; cwd: repo; args: fallback=FALLBACK.md"#;
    check(line, "[repo] F\n");
    check_outcomes(
        line,
        &[("repo/AGENTS.md", CandidateOutcome::BrokenLink), ("repo/FALLBACK.md", LOADED)],
    );
}

#[test]
fn b03_a_directory_is_no_candidate() {
    check(r#"repo/.git/; repo/AGENTS.md/x.txt = "x"; cwd: repo"#, "");
    let line = r#"repo/.git/; repo/AGENTS.override.md/; repo/AGENTS.md = "P\n"; cwd: repo"#;
    check(line, "[repo] P\n");
    let directory = CandidateOutcome::NotRegular(FileKind::Directory);
    check_outcomes(line, &[("repo/AGENTS.override.md", directory), ("repo/AGENTS.md", LOADED)]);
    check(
        r#"repo/.git/; repo/AGENTS.md/x.txt = "x"; repo/F.md = "F"; cwd: repo; args: fallback=F.md"#,
        "[repo] F",
    );
}

#[test]
fn b04_bytes_that_are_no_utf8_are_replaced_in_host_and_project_alike() {
    let bytes = r#""rule one \x93quoted\x94\nrule two\n""#;
    let line = format!("home/AGENTS.md = {bytes}; repo/AGENTS.md = {bytes}; cwd: repo");
    let text = "rule one \u{fffd}quoted\u{fffd}\nrule two";
    check(&line, &format!("[repo] {text}\n\n--- project-doc ---\n\n{text}\n"));
    let lossy = CandidateOutcome::Loaded { lossy: true };
    check_outcomes(&line, &[("home/AGENTS.md", lossy.clone()), ("repo/AGENTS.md", lossy)]);
}

#[test]
fn b06_a_byte_order_mark_stays_in_the_text() {
    check(
        r#"repo/.git/; repo/AGENTS.md = "\xEF\xBB\xBF# Rules\nx\n"; cwd: repo"#,
        "[repo] \u{feff}# Rules\nx\n",
    );
    check(
        r#"repo/.git/; repo/AGENTS.md = "\xEF\xBB\xBF# Rules\r\nx\r\n"; cwd: repo"#,
        "[repo] \u{feff}# Rules\r\nx\r\n",
    );
}

#[test]
fn b07_budget_cut_inside_a_character() {
    let tree = tree(
        r#"repo/.git/; repo/AGENTS.md = "a"*30720; repo/sub/AGENTS.md = "b"*2047 "\xE2\x82\xAC"*683; cwd: repo/sub"#,
    );
    let loaded = loaded(&tree);
    let text = format!("[repo/sub] {}\n\n{}\u{fffd}", "a".repeat(30_720), "b".repeat(2_047));
    assert_eq!(text_of(&tree, &loaded), text);
    let [(_, LOADED), (path, CandidateOutcome::Cut { kept: 2_048, lost: 2_048, lossy: false, .. })] =
        &outcomes(&tree, &loaded)[..]
    else {
        panic!("{:?}", outcomes(&tree, &loaded))
    };
    assert_eq!(path, "repo/sub/AGENTS.md");
}

#[test]
fn b09_a_cut_at_any_byte_keeps_whole_characters_and_one_replacement() {
    for (max, whole, replaced) in [
        (32_767, 10_922, "\u{fffd}"),
        (32_768, 10_922, "\u{fffd}"),
        (32_769, 10_923, ""),
        (1, 0, "\u{fffd}"),
        (2, 0, "\u{fffd}"),
        (3, 1, ""),
    ] {
        check(
            &format!(
                r#"repo/.git/; repo/AGENTS.md = "\xE2\x82\xAC"*20000; cwd: repo; args: max={max}"#
            ),
            &format!("[repo] {}{replaced}", "€".repeat(whole)),
        );
    }
}

/// The root of the walk, the marker that decided it and what it is.
#[track_caller]
fn check_root(line: &str, root: &str, marker: Option<(&str, FileKind)>, text: &str) {
    let tree = tree(line);
    let loaded = loaded(&tree);
    let found = &loaded.projects[0].root;
    let found_marker = found.marker.as_ref().map(|it| (it.name.as_str(), it.kind));
    assert_eq!((relative(&tree, &found.path).as_str(), found_marker), (root, marker));
    assert_eq!(found.unreadable, []);
    assert_eq!(text_of(&tree, &loaded), text);
}

const GIT_DIRECTORY: Option<(&str, FileKind)> = Some((".git", FileKind::Directory));
const GIT_FILE: Option<(&str, FileKind)> = Some((".git", FileKind::File));

#[test]
fn b11_an_empty_git_directory_is_the_root_and_is_named() {
    check_root(
        r#"repo/.git/; repo/AGENTS.md = "R"; repo/sub/.git/; repo/sub/AGENTS.md = "S"; cwd: repo/sub"#,
        "repo/sub",
        GIT_DIRECTORY,
        "[repo/sub] S",
    );
}

#[test]
fn b12_a_submodule_is_its_own_root() {
    check_root(
        r#"super/.git/; super/AGENTS.md = "SUPER"; super/mod/.git = "gitdir: ../.git/modules/mod\n"; super/mod/AGENTS.md = "MOD"; super/mod/src/; cwd: super/mod/src"#,
        "super/mod",
        GIT_FILE,
        "[super/mod/src] MOD",
    );
}

#[test]
fn b13_configured_markers_take_the_place_of_git() {
    check_root(
        r#"ws/.proj-root = ""; ws/AGENTS.md = "W"; ws/app/.git/; ws/app/AGENTS.md = "A"; cwd: ws/app; args: markers=.proj-root"#,
        "ws",
        Some((".proj-root", FileKind::File)),
        "[ws/app] W\n\nA",
    );
}

#[test]
fn b14_a_worktree_is_its_own_root() {
    check_root(
        r#"main/.git/worktrees/wt/; main/AGENTS.md = "MAIN"; wt/.git = "gitdir: $ROOT/main/.git/worktrees/wt\n"; wt/AGENTS.md = "WT"; wt/sub/; cwd: wt/sub"#,
        "wt",
        GIT_FILE,
        "[wt/sub] WT",
    );
}

#[test]
fn b17_without_a_marker_the_chain_is_cwd_alone() {
    check_root(
        r#"user/AGENTS.md = "HOME"; user/a/AGENTS.md = "A"; user/a/b/AGENTS.md = "B"; cwd: user/a/b; args: markers=.nowhere"#,
        "user/a/b",
        None,
        "[user/a/b] B",
    );
}

#[test]
fn b18_a_file_of_host_and_project_is_told_twice_under_one_path() {
    let both = "ONE\n\n--- project-doc ---\n\nONE";
    for line in
        [r#"home/AGENTS.md = "ONE"; cwd: home"#, r#"home/AGENTS.md = "ONE"; home/.git/; cwd: home"#]
    {
        check(line, &format!("[home] {both}"));
        check_outcomes(line, &[("home/AGENTS.md", LOADED), ("home/AGENTS.md", LOADED)]);
    }
    check(r#"home/AGENTS.md = "ONE"; home/.git/; cwd: home/sub"#, &format!("[home/sub] {both}"));
}

#[test]
fn b19_one_file_under_two_spellings_is_told_once() {
    let line = r#"repo/AGENTS.md = "X"; repo/agents.md => repo/AGENTS.md; cwd: repo; args: fallback=agents.md,AGENTS.md"#;
    check(line, "[repo] X");
}

#[test]
fn b21_text_of_an_untrusted_project_is_nowhere() {
    for cwd in ["repo", "repo/sub"] {
        let tree = tree(&format!(
            r#"home/AGENTS.md = "G"; repo/.git/HEAD = ""; repo/AGENTS.md = "SENTINEL-7"; repo/sub/AGENTS.override.md = "SENTINEL-8"; cwd: {cwd}; args: untrusted"#
        ));
        let loaded = loaded(&tree);
        assert_eq!(text_of(&tree, &loaded), "G");
        assert!(!format!("{loaded:?}").contains("SENTINEL"), "{loaded:?}");
        assert!(loaded.candidates().any(|it| it.outcome == CandidateOutcome::Untrusted));
    }
}

#[test]
fn b22_a_file_that_cannot_be_read_is_named_with_the_systems_words() {
    let tree = tree(
        r#"home/sessions/; repo/.git/; repo/AGENTS.md = "R"; repo/sub/AGENTS.md = "S"; cwd: repo/sub"#,
    );
    let denied = FileSystemError::from(std::io::Error::from_raw_os_error(13));
    for files in [
        Faulty::read(&tree, "repo/AGENTS.md", denied.clone()),
        Faulty::look(&tree, "repo/AGENTS.md", denied.clone()),
    ] {
        let loaded = block_on(load(&tree, files)).unwrap();
        assert_eq!(text_of(&tree, &loaded), "[repo/sub] S");
        let CandidateOutcome::Unreadable(error) = &outcomes(&tree, &loaded)[0].1 else {
            panic!("{:?}", outcomes(&tree, &loaded))
        };
        assert_eq!(error.to_string(), "permission denied");
    }
}

#[test]
fn b24_a_directory_that_is_gone_costs_its_docs_and_the_next_one_works() {
    let tree = tree(r#"home/AGENTS.md = "G"; w/AGENTS.md = "W"; w2/AGENTS.md = "W2"; cwd: w"#);
    assert_eq!(text_of(&tree, &loaded(&tree)), "[w] G\n\n--- project-doc ---\n\nW");
    std::fs::remove_dir_all(tree.path("w")).unwrap();
    assert_eq!(text_of(&tree, &loaded(&tree)), "G");
}

/// A name with a separator is refused, with a warning, where the configuration is read.
#[test]
fn b26_blank_repeated_and_earlier_names_are_looked_for_once() {
    let tree =
        tree(r#"repo/.git/; repo/AGENTS.md = "A"; cwd: repo; args: fallback=AGENTS.md,F.md,F.md"#);
    let loaded = loaded(&tree);
    let looked_at: Vec<String> =
        loaded.projects[0].candidates.iter().map(|it| relative(&tree, &it.path)).collect();
    assert_eq!(looked_at, ["repo/AGENTS.override.md", "repo/AGENTS.md", "repo/F.md"]);
    assert_eq!(text_of(&tree, &loaded), "[repo] A");
}

#[test]
fn b27_an_override_stands_alone_and_imports_nothing() {
    let line =
        r#"repo/AGENTS.md = "BASE"; repo/AGENTS.override.md = "@AGENTS.md\nEXTRA\n"; cwd: repo"#;
    check(line, "[repo] @AGENTS.md\nEXTRA\n");
    let tree = tree(line);
    assert_eq!(
        outcomes(&tree, &loaded(&tree))[1],
        (
            "repo/AGENTS.md".to_owned(),
            CandidateOutcome::Shadowed { by: tree.path("repo/AGENTS.override.md") }
        )
    );
}

#[test]
fn b29_a_blank_override_takes_the_place_in_a_project_and_not_in_the_home() {
    check(
        r#"home/AGENTS.override.md = "\n"; home/AGENTS.md = "G"; repo/AGENTS.override.md = " \n\t\n"; repo/AGENTS.md = "P"; cwd: repo"#,
        "G",
    );
}

#[test]
fn b35_paths_that_are_not_utf8_are_opened_by_their_bytes() {
    let tree =
        Fixture::parse("//- caf\\xE9/.git/\n//- caf\\xE9/AGENTS.md = \"N\"\n//- cwd: caf\\xE9")
            .lay_out();
    let loaded = loaded(&tree);
    assert_eq!(text_of(&tree, &loaded), "[caf\u{fffd}] N");
    let sources: Vec<_> = loaded.instruction_sources().collect();
    assert_eq!(sources, [tree.path(OsStr::from_bytes(b"caf\xE9/AGENTS.md"))]);
}

#[test]
fn b36_only_the_home_that_is_given_is_read() {
    let elsewhere = r#"user/.codex/AGENTS.md = "DEF"; w/; cwd: w"#;
    check(&format!(r#"home/AGENTS.md = "ALT"; {elsewhere}"#), "ALT");
    check(elsewhere, "");
}

#[test]
fn b39_code_that_looks_like_an_import_or_a_variable_is_left_alone() {
    let text = r"```\n@decorator\n@./missing.md\nuser@host.example\n{{x}} $1 ${HOME}\n```\n";
    check(
        &format!(r#"repo/AGENTS.md = "{text}"; cwd: repo"#),
        &format!("[repo] {}", text.replace(r"\n", "\n")),
    );
}

#[test]
fn b42_the_walk_ends_at_the_marker() {
    check_root(
        r#"outer/AGENTS.md = "O"; outer/repo/.git/; outer/repo/AGENTS.md = "R"; cwd: outer/repo"#,
        "outer/repo",
        GIT_DIRECTORY,
        "[outer/repo] R",
    );
}

#[test]
fn b145_one_bad_file_costs_no_other() {
    let tree =
        tree(r#"repo/.git/; repo/AGENTS.md = "a\xFFb"; repo/sub/AGENTS.md = "S"; cwd: repo/sub"#);
    let error = FileSystemError::Io { kind: ErrorKind::Other, message: "bad disk".to_owned() };
    let files = Faulty::read(&tree, "repo/sub/AGENTS.md", error);
    let loaded = block_on(load(&tree, files)).unwrap();
    assert_eq!(text_of(&tree, &loaded), "[repo/sub] a\u{fffd}b");
}
