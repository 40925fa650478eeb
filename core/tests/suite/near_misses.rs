//! What an author would want to know, and what it costs to find out.

use std::sync::Arc;

use pretty_assertions::assert_eq;
use recto_context_fragments::{HiddenKind, HiddenText};
use recto_core::agents_md::{NearMissKind, NearMisses, near_misses};
use recto_core::environment::FileSystemError;
use recto_core::testing::{FixtureDirectory, TestEnvironment};

use super::support::{Faulty, block_on, config, environment, files, load, relative, tree};

fn search(tree: &FixtureDirectory) -> NearMisses {
    let files = files(tree);
    let environments = [environment("local", tree.cwd(), files.clone())];
    let (config, _) = config(tree);
    block_on(async {
        let loaded = load(tree, files.clone()).await.expect("no policy forbids a read");
        files.reset();
        let found = near_misses(&loaded, &environments, &config, &*files).await;
        assert_eq!(found.calls, files.calls().len());
        found
    })
}

#[track_caller]
fn check(line: &str, expected: &[(&str, NearMissKind)]) {
    let tree = tree(line);
    let found: Vec<(String, NearMissKind)> =
        search(&tree).found.into_iter().map(|it| (relative(&tree, &it.path), it.kind)).collect();
    let expected: Vec<(String, NearMissKind)> =
        expected.iter().map(|(path, kind)| ((*path).to_owned(), kind.clone())).collect();
    assert_eq!(found, expected, "{line}");
}

fn mistaken(expected: &'static str) -> NearMissKind {
    NearMissKind::MistakenName { expected }
}

fn missing(target: &str, line: usize) -> NearMissKind {
    NearMissKind::NamesMissingPath { target: target.to_owned(), line }
}

#[test]
fn names_that_are_almost_right_are_told() {
    for name in ["agents.md", "AGENT.md", "Agents.md", "agents", "AGENTS.txt", "AGENTS.md.txt"] {
        let path = format!("r/{name}");
        check(&format!(r#"{path} = "x"; cwd: r"#), &[(&path, mistaken("AGENTS.md"))]);
    }
    check(
        r#"r/AGENT.override.md = "x"; cwd: r"#,
        &[("r/AGENT.override.md", mistaken("AGENTS.override.md"))],
    );
    check(r#"home/agents.md = "x"; r/; cwd: r"#, &[("home/agents.md", mistaken("AGENTS.md"))]);
    check(
        r#"r/.git/; r/agents.md = "x"; r/s/AGENTS.md = "S"; cwd: r/s"#,
        &[("r/agents.md", mistaken("AGENTS.md"))],
    );
}

#[test]
fn names_that_are_read_or_are_no_files_are_not_told() {
    check(r#"r/agents.md = "x"; cwd: r; args: fallback=agents.md"#, &[]);
    if TestEnvironment::current().tells_all() {
        check(r#"r/AGENTS.md = "x"; r/agents.md => r/AGENTS.md; cwd: r"#, &[]);
    }
    check(r#"r/AGENTS.md = "x"; r/agents.md -> AGENTS.md; cwd: r"#, &[]);
    check("r/agents/; r/agents.md -> nowhere; r/agent.md |; cwd: r", &[]);
    check(r#"r/.git/; r/s/; r/s/below/agents.md = "x"; cwd: r/s"#, &[]);
}

#[test]
fn text_that_the_model_reads_otherwise_is_told() {
    let of = |content: &str, kind: NearMissKind| {
        check(&format!("r/AGENTS.md = {content}; cwd: r"), &[("r/AGENTS.md", kind.clone())]);
        let host = format!("home/AGENTS.md = {content}; r/; cwd: r");
        check(&host, &[("home/AGENTS.md", kind)]);
    };
    of(r#""\xFF\xFEa\x00b\x00c\x00d\x00""#, NearMissKind::Utf16);
    of(r#""a\x00b\x00c\x00d\x00""#, NearMissKind::Utf16);
    of(r#""\xFF\xFE\xE5\x65\x2C\x67""#, NearMissKind::Utf16);
    of(r#""\xEF\xBB\xBFtext""#, NearMissKind::ByteOrderMark);
    of(r#""one\ntwo </instructions> x""#, NearMissKind::HoldsEndMarker { line: 2 });
    let hidden =
        HiddenText { kind: HiddenKind::ZeroWidth, line: 2, count: 2, spelled: String::new() };
    of(r#""one\nt\xE2\x80\x8Bwo\xE2\x80\x8B""#, NearMissKind::Hidden(hidden));
    of(r#""line\n"*101"#, NearMissKind::LongMap { lines: 101 });
}

#[test]
fn text_that_is_only_a_path_is_told() {
    for text in ["@docs/rules", "../CLAUDE.md\\n", "@./x/y"] {
        let target = text.trim_start_matches('@').trim_end_matches("\\n").to_owned();
        check(
            &format!(r#"r/AGENTS.md = "{text}"; cwd: r"#),
            &[("r/AGENTS.md", NearMissKind::OnlyAPath { target })],
        );
    }
}

#[test]
fn plain_text_is_no_near_miss() {
    check(r#"r/AGENTS.md = "line\n"*100; cwd: r"#, &[]);
    check(r#"r/AGENTS.md = "caf\xE9"; cwd: r"#, &[]);
    check(r#"r/AGENTS.md = ""; cwd: r"#, &[]);
    check("cwd: gone", &[]);
}

#[test]
fn a_fallback_that_is_always_tried_earlier_is_told() {
    let name = "AGENTS.md".to_owned();
    check(
        r"r/; cwd: r; args: fallback=AGENTS.md,F.md",
        &[("AGENTS.md", NearMissKind::UnreachableFallback { name })],
    );
}

#[test]
fn paths_that_a_text_names_are_looked_for_beside_it_and_at_the_root() {
    check(
        r#"r/.git/; r/docs/a.md = ""; r/s/b.md = ""; r/s/AGENTS.md = "`docs/a.md` [b](b.md) [c](c.md#part)\n`docs/gone.md`"; cwd: r/s"#,
        &[("r/s/AGENTS.md", missing("c.md", 1)), ("r/s/AGENTS.md", missing("docs/gone.md", 2))],
    );
}

#[test]
fn words_that_are_no_paths_are_not_looked_for() {
    check(
        r#"r/AGENTS.md = "`cargo test` `and/or` `a/*.rs` `https://a.b/c.md` `$HOME/x.md` `/etc/passwd` `-x/y.md` `std::fs`\n```\n`gone/in/code.md`\n```\n[x](https://a.b/c.md) [y](#part) [z](mailto:a@b.c)\n"; cwd: r"#,
        &[],
    );
}

#[test]
fn nothing_is_claimed_of_an_untrusted_project() {
    check(r#"r/AGENTS.md = "see `gone/x.md`"; r/agents.md = "x"; cwd: r; args: untrusted"#, &[]);
}

#[test]
fn what_it_takes_is_counted_apart() {
    let tree = tree(r#"r/.git/; r/AGENTS.md = "see `gone/x.md`"; r/agents.md = "x"; cwd: r"#);
    // Two directories are listed, the home and r; three names are compared, and two places looked at.
    // Where nothing tells which file is which, the two that are there are asked for without links, too.
    let more = if TestEnvironment::current().tells_all() { 0 } else { 2 };
    assert_eq!(search(&tree).calls, 2 + 3 + 2 + more);
}

#[test]
fn every_near_miss_is_a_phrase() {
    let phrases = [
        mistaken("AGENTS.md"),
        NearMissKind::Utf16,
        NearMissKind::OnlyAPath { target: "docs/rules.md".to_owned() },
        NearMissKind::ByteOrderMark,
        NearMissKind::HoldsEndMarker { line: 2 },
        NearMissKind::UnreachableFallback { name: "AGENTS.md".to_owned() },
        missing("docs/gone.md", 2),
        NearMissKind::LongMap { lines: 101 },
    ]
    .map(|kind| kind.to_string());
    insta::assert_snapshot!(phrases.join("\n"), @"
    not read: the name that is looked for is AGENTS.md
    is UTF-16; the model reads it as noise: save it as UTF-8
    holds only the path `docs/rules.md`; nothing is imported or followed
    starts with a byte order mark, which the model reads too
    holds </INSTRUCTIONS> in line 2; the model may think that the text ends there
    the fallback name `AGENTS.md` can never be reached: it is tried before all fallbacks
    line 2 names `docs/gone.md`, which does not exist
    has 101 lines; in more than 100, single rules are easily passed over
    ");
}

#[test]
fn a_directory_that_cannot_be_listed_is_passed_over() {
    let tree = tree(r#"r/.git/; r/AGENTS.md = "see `gone/x.md`"; r/agents.md = "x"; cwd: r"#);
    let files = Faulty::look(&tree, "r", FileSystemError::NotFound);
    let environments = [environment("local", tree.cwd(), Arc::clone(&files) as _)];
    let (config, _) = config(&tree);
    let found = block_on(async {
        let loaded = load(&tree, files.clone()).await.unwrap();
        near_misses(&loaded, &environments, &config, &*files).await.found
    });
    let found: Vec<NearMissKind> = found.into_iter().map(|it| it.kind).collect();
    assert_eq!(found, [missing("gone/x.md", 1)]);
}
