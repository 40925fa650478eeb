//! What discovery asks of a file system: how often, how much, and that it never waits.

use std::collections::HashSet;
use std::os::unix::net::UnixListener;
use std::sync::Arc;
use std::time::Duration;

use pretty_assertions::assert_eq;
use recto_core::environment::FileSystem;
use recto_core::testing::{Call, CallKind, DistantFileSystem, Fixture, FixtureDirectory, LATENCY};
use tokio::time::Instant;

use super::support::{Measured, block_on, files, load, loaded, text_of, tree};

/// A chain of 40 directories below a marker; in each a file that holds what `content` says, if anything.
fn chain(content: impl Fn(usize) -> String) -> FixtureDirectory {
    let mut path = String::from("r");
    let mut fixture = vec!["//- r/.git/".to_owned()];
    for level in 0..40 {
        if level > 0 {
            path = format!("{path}/d{level}");
        }
        let content = content(level);
        if !content.is_empty() {
            fixture.push(format!("//- {path}/AGENTS.md = {content}"));
        }
    }
    fixture.extend([format!("//- {path}/"), format!("//- cwd: {path}")]);
    Fixture::parse(&fixture.join("\n")).lay_out()
}

fn every_level(level: usize) -> String {
    format!("\"level {level}\"")
}

#[test]
fn a_deep_chain_takes_one_call_for_each_marker_and_candidate_and_one_for_each_file_read() {
    let tree = chain(|level| if level % 4 == 0 { every_level(level) } else { String::new() });
    let file_system = files(&tree);
    let loaded = block_on(load(&tree, file_system.clone())).unwrap();
    assert_eq!(loaded.projects[0].entries.len(), 10);

    let cwd = tree.cwd();
    let mut expected: HashSet<Call> = HashSet::new();
    let mut expect = |kind, path| assert!(expected.insert(Call { kind, path }));
    for directory in cwd.ancestors() {
        expect(CallKind::Metadata, directory.join(".git"));
    }
    let inside = cwd.ancestors().filter(|it| it.starts_with(tree.path("r")));
    for directory in inside.map(ToOwned::to_owned).chain([tree.codex_home()]) {
        expect(CallKind::Metadata, directory.join("AGENTS.override.md"));
        expect(CallKind::Metadata, directory.join("AGENTS.md"));
    }
    for entry in &loaded.projects[0].entries {
        expect(CallKind::Read, entry.path.clone());
    }
    let calls = file_system.calls();
    assert_eq!(calls.len(), expected.len());
    assert_eq!(calls.into_iter().collect::<HashSet<_>>(), expected);
}

/// How many round trips of 10 ms the project docs of a chain take; the host's are read before.
async fn round_trips(tree: &FixtureDirectory) -> u32 {
    let distant = Arc::new(DistantFileSystem::new(files(tree)));
    let host = 1;
    let start = Instant::now();
    load(tree, distant).await.expect("no policy forbids a read");
    let trips = start.elapsed().as_micros() / LATENCY.as_micros();
    u32::try_from(trips).expect("not that many") - host
}

#[tokio::test(start_paused = true)]
async fn a_deep_chain_takes_three_round_trips() {
    assert_eq!(round_trips(&chain(every_level)).await, 3);
}

#[tokio::test(start_paused = true)]
async fn the_file_that_the_budget_ends_in_takes_a_fourth() {
    let big = |level| format!("\"x\"*{}", 1_000 + level);
    assert_eq!(round_trips(&chain(big)).await, 4);
}

#[tokio::test(start_paused = true)]
async fn a_chain_without_files_takes_two() {
    assert_eq!(round_trips(&chain(|_| String::new())).await, 2);
}

#[tokio::test(start_paused = true)]
async fn blank_files_that_fit_cost_no_round_trip() {
    let blank = |level| if level % 2 == 0 { "\" \"*10" } else { "\"text\"" }.to_owned();
    assert_eq!(round_trips(&chain(blank)).await, 3);
}

/// A file that does not fit waits for those before it, for one of them may be blank and leave its share.
#[tokio::test(start_paused = true)]
async fn a_blank_file_that_fills_the_budget_costs_one_round_trip() {
    for big in 1..4 {
        let content = |level| {
            if level < big { "\" \"*40000".to_owned() } else { every_level(level) }
        };
        assert_eq!(round_trips(&chain(content)).await, 3 + u32::try_from(big).unwrap());
    }
}

/// The most that may come: the rest of the budget, and 400 bytes to show the line behind it.
#[test]
fn no_more_of_a_file_is_read_than_its_budget_and_the_line_after_it() {
    let tree = tree(
        r#"r/.git/; r/AGENTS.md = "a"*700; r/s/AGENTS.md = "b"*1000000; r/s/t/AGENTS.md = "c"*9; cwd: r/s/t; args: max=1000"#,
    );
    let file_system = Measured::new(&tree);
    block_on(load(&tree, file_system.clone())).unwrap();
    assert_eq!(
        file_system.reads(),
        [
            (tree.path("r/AGENTS.md"), 1_400, 700),
            (tree.path("r/s/AGENTS.md"), 300 + 400, 300 + 400),
        ]
    );
}

#[test]
fn a_file_that_is_shadowed_untrusted_or_behind_the_budget_is_not_opened() {
    for line in [
        r#"r/AGENTS.override.md = "O"; r/AGENTS.md = "A"; cwd: r"#,
        r#"r/AGENTS.md = "A"; cwd: r; args: untrusted"#,
        r#"r/AGENTS.md = "A"; cwd: r; args: max=0"#,
        r#"r/.git/; r/AGENTS.override.md = "abc"; r/s/AGENTS.md = "A"; cwd: r/s; args: max=3"#,
    ] {
        let tree = tree(line);
        let file_system = Measured::new(&tree);
        block_on(load(&tree, file_system.clone())).unwrap();
        let opened =
            file_system.reads().into_iter().filter(|(path, ..)| path.ends_with("AGENTS.md"));
        assert_eq!(opened.count(), 0, "{line}");
    }
}

/// A file whose length the system does not say (there are such under `/proc`) is bounded by what comes.
#[test]
fn a_file_that_is_longer_than_it_says_stays_within_the_budget() {
    let tree = tree(
        r#"r/.git/; r/AGENTS.md -> /proc/self/status; r/s/AGENTS.md = "S"; cwd: r/s; args: max=10"#,
    );
    let loaded = loaded(&tree);
    assert_eq!(loaded.projects[0].entries[0].text.len(), 10);
    assert_eq!((loaded.projects[0].entries.len(), loaded.projects[0].spent()), (1, 10));
}

#[test]
fn pipes_devices_directories_and_sockets_never_hold_it_up() {
    for entry in [" |", " -> /dev/zero", " -> /dev/tty", "/", " -> ../pipe"] {
        for place in ["r", "home"] {
            let tree = tree(&format!(
                r#"pipe |; {place}/AGENTS.md{entry}; r/.git/; r/F.md = "F"; cwd: r; args: fallback=F.md"#
            ));
            let work = load(&tree, files(&tree));
            let within =
                block_on(async { tokio::time::timeout(Duration::from_secs(20), work).await });
            let loaded = within.expect("it does not wait").unwrap();
            assert_eq!(text_of(&tree, &loaded), "[r] F", "{place}{entry}");
        }
    }
}

/// Between the look and the read something else can take a file's place.
#[test]
fn what_is_no_regular_file_is_not_read_even_when_it_is_asked_for() {
    let tree = tree("r/pipe |; r/device -> /dev/zero; r/broken -> nowhere; r/directory/; cwd: r");
    let _socket = UnixListener::bind(tree.path("r/socket")).unwrap();
    let file_system = files(&tree);
    let error = |name: &str| {
        let path = tree.path("r").join(name);
        block_on(file_system.read_file(&path, 10)).unwrap_err().to_string()
    };
    let errors = ["pipe", "device", "broken", "directory", "socket", "absent"].map(error);
    insta::assert_snapshot!(errors.join("\n"), @"
    a named pipe, not a regular file
    a device, not a regular file
    a link that leads nowhere
    a directory, not a regular file
    a socket, not a regular file
    no such file or directory
    ");
}
