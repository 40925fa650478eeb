//! The helpers that other tests stand on.

#![expect(
    clippy::disallowed_methods,
    reason = "laid out fixtures are looked at as they are on disk"
)]

use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use pretty_assertions::assert_eq;
use recto_core::environment::{FileRead, FileSystem, FileSystemError, LocalFileSystem};
use recto_core::testing::{
    Call, CallKind, Case, ControlledFileSystem, CountingFileSystem, DistantFileSystem, Entry,
    EntryKind, Fixture, LATENCY, Variable, file_system_under_test,
};
use tokio::time::Instant;

fn entry(path: &str, kind: EntryKind) -> Entry {
    Entry { path: path.into(), kind }
}

fn file(path: &str, bytes: &[u8]) -> Entry {
    entry(path, EntryKind::File(bytes.to_vec()))
}

#[test]
fn a_fixture_says_what_is_in_a_tree_and_how_a_program_starts_in_it() {
    let fixture = Fixture::parse(
        r#"
        //- repo/.git/
        //- repo/AGENTS.md
        # Heading

          indented
        //- repo/bytes = "a\xE9\\\"\n"*2 "\0"
        //- repo/link -> ../other
        //- repo/hard => repo/AGENTS.md
        //- repo/pipe |
        //- repo/caf\xE9 = ""
        //- chmod 640 repo/AGENTS.md
        //- cwd: repo/sub
        //- args: -c project_doc_max_bytes=10 -c 'a=["x y"]'
        //- env: TZ=Europe/Berlin 'ODD=\xE9' -SHELL
        "#,
    );
    let odd_name = PathBuf::from(OsStr::from_bytes(b"repo/caf\xE9"));
    assert_eq!(
        fixture,
        Fixture {
            entries: vec![
                entry("repo/.git", EntryKind::Directory),
                file("repo/AGENTS.md", b"# Heading\n\n  indented\n"),
                file("repo/bytes", b"a\xE9\\\"\na\xE9\\\"\n\0"),
                entry("repo/link", EntryKind::Link("../other".into())),
                entry("repo/hard", EntryKind::HardLink("repo/AGENTS.md".into())),
                entry("repo/pipe", EntryKind::Pipe),
                Entry { path: odd_name, kind: EntryKind::File(Vec::new()) },
            ],
            modes: vec![("repo/AGENTS.md".into(), 0o640)],
            cwd: "repo/sub".into(),
            args: ["-c", "project_doc_max_bytes=10", "-c", r#"a=["x y"]"#].map(Into::into).into(),
            env: vec![
                Variable { name: "TZ".into(), value: Some("Europe/Berlin".into()) },
                Variable { name: "ODD".into(), value: Some(OsStr::from_bytes(b"\xE9").into()) },
                Variable { name: "SHELL".into(), value: None },
            ],
        }
    );
}

#[test]
fn a_malformed_fixture_is_refused_with_its_line() {
    let problem = |text: &str| {
        let text = text.to_owned();
        let caught = std::panic::catch_unwind(move || Fixture::parse(&text));
        caught.map_err(|message| *message.downcast::<String>().unwrap()).unwrap_err()
    };
    let problems = [
        problem("//- a\n"),
        problem("stray\n//- cwd: a"),
        problem("//- cwd: a\n//- cwd: b"),
        problem("//- ../a"),
        problem("//- a\n//- a/"),
        problem(r#"//- a = "b"#),
        problem(r#"//- a = "b" c"#),
        problem(r#"//- a = "b"*x"#),
        problem(r"//- a\qb"),
        problem("//- chmod 9 a"),
        problem("//- env: TZ"),
        problem("//- args: 'a"),
    ];
    insta::assert_snapshot!(problems.join("\n"), @r#"
    malformed fixture: no cwd
    malformed fixture: a line that belongs to no file
      in line: stray
    malformed fixture: a second cwd
      in line: //- cwd: b
    malformed fixture: a path that is not below the root
      in line: //- ../a
    malformed fixture: a path that stands there already
      in line: //- a/
    malformed fixture: no closing quote: "b
      in line: //- a = "b
    malformed fixture: no quote before: c
      in line: //- a = "b" c
    malformed fixture: no number after *: *x
      in line: //- a = "b"*x
    malformed fixture: no such escape: \\qb
      in line: //- a\qb
    malformed fixture: no mode: 9
      in line: //- chmod 9 a
    malformed fixture: no NAME=value and no -NAME: TZ
      in line: //- env: TZ
    malformed fixture: a quote that is not closed
      in line: //- args: 'a
    "#);
}

#[test]
fn a_case_file_holds_many_cases_with_their_headers() {
    let cases = Case::parse_file(
        "# for people\n\n\
         === first\nrule: A rule.\nrule: And: another.\ncompare: agents_md exit\n//- a\ntext\n//- cwd: .\n\
         === second\ndiffers: some-id\n\n//- cwd: a\n",
    );
    let first = Case {
        name: "first".into(),
        rules: vec!["A rule.".into(), "And: another.".into()],
        compare: vec!["agents_md".into(), "exit".into()],
        differs: None,
        fixture: Fixture::parse("//- a\ntext\n//- cwd: ."),
    };
    let second = Case {
        name: "second".into(),
        rules: Vec::new(),
        compare: Vec::new(),
        differs: Some("some-id".into()),
        fixture: Fixture::parse("//- cwd: a"),
    };
    assert_eq!(cases, [first, second]);
}

#[test]
#[should_panic(expected = "malformed case odd: an unknown header line: colour: red")]
fn a_case_with_an_unknown_header_is_refused_by_its_name() {
    Case::parse_file("=== odd\ncolour: red\n//- cwd: a\n");
}

#[test]
fn a_laid_out_fixture_is_a_real_tree() {
    let tree = Fixture::parse(
        r#"
        //- repo/hard => repo/AGENTS.md
        //- repo/AGENTS.md
        in $ROOT
        //- repo/link -> $ROOT/repo/AGENTS.md
        //- repo/pipe |
        //- repo/caf\xE9/x = "y"
        //- chmod 640 repo/AGENTS.md
        //- cwd: repo
        //- args: -C $ROOT/repo
        //- env: WHERE=$ROOT/x -TZ
        "#,
    )
    .lay_out();
    let root = tree.root().to_owned();
    let at = |path: &[u8]| root.join(OsStr::from_bytes(path));

    let text = fs::read_to_string(tree.path("repo/link")).unwrap();
    assert_eq!(text, format!("in {}\n", root.display()));
    assert_eq!(fs::read(at(b"repo/caf\xE9/x")).unwrap(), b"y");
    assert!(fs::metadata(at(b"repo/pipe")).unwrap().file_type().is_fifo());
    let linked = fs::metadata(at(b"repo/hard")).unwrap();
    assert_eq!((linked.nlink(), linked.permissions().mode() & 0o777), (2, 0o640));
    let config = fs::read_to_string(tree.codex_home().join("config.toml")).unwrap();
    assert_eq!(config, "model = \"gpt-5.5\"\n");
    assert_eq!(tree.cwd(), root.join("repo"));
    assert_eq!(tree.args(), ["-C".to_owned(), format!("{}/repo", root.display())]);
    let there = OsString::from(format!("{}/x", root.display()));
    assert_eq!(tree.env(), [("WHERE".to_owned(), Some(there)), ("TZ".to_owned(), None)]);
}

#[test]
fn a_fixture_with_closed_directories_is_removed_when_dropped() {
    let tree = Fixture::parse(
        "//- repo/closed/AGENTS.md\n//- chmod 000 repo/closed/AGENTS.md\n//- chmod 000 repo/closed\n//- cwd: repo",
    )
    .lay_out();
    let root = tree.root().to_owned();
    drop(tree);
    assert_eq!(fs::metadata(root).unwrap_err().kind(), std::io::ErrorKind::NotFound);
}

#[tokio::test]
async fn calls_are_counted_one_by_one_and_a_batch_is_one_round_trip() {
    let tree = Fixture::parse("//- repo/AGENTS.md\ntext\n//- cwd: repo").lay_out();
    let file = tree.path("repo/AGENTS.md");
    let file_system = file_system_under_test();
    let absent = tree.path("absent");

    file_system.get_metadata_all(&[file.clone(), absent.clone()]).await;
    file_system.get_metadata_all(&[]).await;
    file_system.read_file(&file, 10).await.unwrap();

    let call = |kind, path: &Path| Call { kind, path: path.to_owned() };
    assert_eq!(
        file_system.calls(),
        [
            call(CallKind::Metadata, &file),
            call(CallKind::Metadata, &absent),
            call(CallKind::Read, &file)
        ]
    );
    assert_eq!((file_system.round_trips(), file_system.count(CallKind::Metadata)), (2, 2));
    file_system.reset();
    assert_eq!((file_system.round_trips(), file_system.calls()), (0, Vec::new()));
}

#[tokio::test]
async fn held_calls_are_answered_in_the_order_that_the_test_wants() {
    let tree = Fixture::parse("//- a = \"a\"\n//- b = \"b\"\n//- cwd: .").lay_out();
    let (a, b) = (tree.path("a"), tree.path("b"));
    let file_system = Arc::new(ControlledFileSystem::new(Arc::new(LocalFileSystem)));
    let read = |path: &Path| {
        let (file_system, path) = (Arc::clone(&file_system), path.to_owned());
        tokio::spawn(async move { file_system.read_file(&path, 10).await })
    };

    let (first, second) = (read(&a), read(&b));
    file_system.next_call(&b).await.release();
    assert_eq!(second.await.unwrap().unwrap().bytes, b"b");
    assert_eq!(file_system.waiting(), std::slice::from_ref(&a));
    assert!(!first.is_finished());
    file_system.next_call(&a).await.release();
    assert_eq!(first.await.unwrap().unwrap().bytes, b"a");
}

#[tokio::test]
async fn a_test_can_answer_one_path_of_a_batch_with_an_error() {
    let tree = Fixture::parse("//- a = \"a\"\n//- b = \"b\"\n//- cwd: .").lay_out();
    let reads = ["a", "b"].map(|name| FileRead { path: tree.path(name), limit: 10 });
    let denied = FileSystemError::Denied { path: tree.path("b"), policy: "no".into() };
    let file_system = Arc::new(ControlledFileSystem::new(Arc::new(LocalFileSystem)));

    let load = tokio::spawn({
        let file_system = Arc::clone(&file_system);
        async move { file_system.read_files(&reads).await }
    });
    let held = file_system.next_call(tree.path("a")).await;
    assert_eq!((held.kind(), held.paths().len()), (CallKind::Read, 2));
    held.fail(tree.path("b"), denied.clone());
    let answers = load.await.unwrap();
    assert_eq!(answers[0].as_ref().unwrap().bytes, b"a");
    assert_eq!(answers[1], Err(denied));
}

#[tokio::test]
async fn calls_of_a_cancelled_load_do_not_wait_any_more() {
    let tree = Fixture::parse("//- a = \"a\"\n//- cwd: .").lay_out();
    let file_system = Arc::new(ControlledFileSystem::new(Arc::new(LocalFileSystem)));
    let cancelled = tokio::spawn({
        let (file_system, path) = (Arc::clone(&file_system), tree.path("a"));
        async move { file_system.read_file(&path, 10).await }
    });
    while file_system.waiting().is_empty() {
        tokio::task::yield_now().await;
    }
    cancelled.abort();
    assert!(cancelled.await.unwrap_err().is_cancelled());
    assert_eq!(file_system.waiting(), Vec::<PathBuf>::new());

    let path = tree.path("a");
    let contents = file_system.release_during(file_system.read_file(&path, 10)).await;
    assert_eq!(contents.unwrap().bytes, b"a");
}

#[tokio::test(start_paused = true)]
async fn a_distant_file_system_takes_one_latency_for_a_batch() {
    let tree = Fixture::parse("//- a = \"a\"\n//- cwd: .").lay_out();
    let counted = Arc::new(CountingFileSystem::new(Arc::new(LocalFileSystem)));
    let file_system = DistantFileSystem::new(counted.clone());
    let paths = vec![tree.path("a"); 40];

    let start = Instant::now();
    file_system.get_metadata_all(&paths).await;
    file_system.read_file(&paths[0], 10).await.unwrap();
    assert_eq!(start.elapsed(), 2 * LATENCY);
    assert_eq!(counted.round_trips(), 2);
}
