//! Files of another machine: how it comes up, what it costs, and how it goes away.

use std::ffi::OsString;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use pretty_assertions::assert_eq;
use proptest::prelude::*;
use recto_core::agents_md::Freshness;
use recto_core::environment::{
    EnvironmentId, FileKind, FileSystem, FileSystemError, LocalFileSystem, SftpCommand,
    SftpFileSystem, SftpLimits, ThreadEnvironments, TurnEnvironmentSelection, start_sftp,
};
use recto_core::testing::{FixtureDirectory, rounds, sftp_server};
use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream, duplex};
use tokio::time::Instant;

use super::manager::Asker;
use super::pipes::{Cut, cut, distant, is_server_there};
use super::support::{text_of, tree};

fn command(words: &[&str]) -> SftpCommand {
    SftpCommand {
        command: words.iter().map(OsString::from).collect(),
        shell: "sh".to_owned(),
        limits: SftpLimits::default(),
    }
}

fn selection(cwd: &Path) -> TurnEnvironmentSelection {
    TurnEnvironmentSelection { environment_id: EnvironmentId::new("box"), cwd: cwd.to_owned() }
}

/// Why an environment that this command was to bring up is not there.
async fn why_not(words: &[&str]) -> String {
    let started = start_sftp(selection(Path::new("/")), command(words)).started.await;
    started.expect("it ends either way").expect_err("this is no SFTP server")
}

#[tokio::test]
async fn a_command_that_speaks_no_sftp_is_told_with_its_own_words() {
    let rows: [(&[&str], &str); 6] = [
        (
            &["/no/such/program"],
            "`/no/such/program` cannot be started: No such file or directory (os error 2)",
        ),
        (&[], "its command is empty"),
        (
            &["sh", "-c", "echo no route to host >&2; exit 255"],
            "`sh -c echo no route to host >&2; exit 255`: the connection ended (exit status: 255): no route to host",
        ),
        (&["true"], "`true`: the connection ended (exit status: 0)"),
        (
            &["echo", "Welcome to the machine"],
            "`echo Welcome to the machine`: the other side does not speak SFTP: an answer of 1466264675 bytes",
        ),
        (
            &["printf", r"\000\000\000\005\002\000\000\000\002"],
            r"`printf \000\000\000\005\002\000\000\000\002`: the other side does not speak SFTP: version 2 of it, and only version 3 is understood",
        ),
    ];
    for (words, expected) in rows {
        assert_eq!(why_not(words).await, expected);
    }
}

#[tokio::test(start_paused = true)]
async fn a_command_that_never_answers_is_given_up() {
    // The clock is paused, so nobody waits.
    let reason = why_not(&["sleep", "1000"]).await;
    assert_eq!(reason, "`sleep 1000`: it did not answer for 10 seconds");
}

#[tokio::test]
async fn it_starts_in_the_background_is_promoted_and_goes_away() {
    if !is_server_there() {
        return;
    }
    let tree = tree("w/.git/; w/AGENTS.md = \"W\"; cwd: w");
    let pid = tree.path("pid");
    let server = sftp_server().expect("it is there");
    let script = format!("echo $$ > '{}'; exec '{}'", pid.display(), server.display());
    let mut environments = ThreadEnvironments::default();
    let mut starting = start_sftp(selection(&tree.cwd()), command(&["sh", "-c", &script]));
    let started = (&mut starting.started).await.expect("it ends either way");
    let environment = started.expect("the server speaks SFTP");
    let (up, started) = tokio::sync::oneshot::channel();
    starting.started = started;
    environments.push_starting(starting);
    environments.refresh_readiness();
    assert_eq!(environments.snapshot().starting, [selection(&tree.cwd())]);

    up.send(Ok(Arc::clone(&environment))).expect("it is awaited");
    environments.refresh_readiness();
    let snapshot = environments.snapshot();
    assert_eq!(snapshot.to_selections(), [selection(&tree.cwd())]);
    let files = &environment.file_system;
    let read = files.read_file(&tree.path("w/AGENTS.md"), 10).await.expect("it is there");
    assert_eq!(read.bytes, b"W");
    assert_eq!(files.lost(), None);

    kill(&pid).await;
    let error = files.get_metadata(&tree.path("w")).await.expect_err("the server is gone");
    let gone = "the connection ended (signal: 9 (SIGKILL))";
    assert_eq!(error.to_string(), format!("the environment is gone: {gone}"));
    assert!(environments.has_lost_any());
    environments.refresh_readiness();
    let snapshot = environments.snapshot();
    assert_eq!(snapshot.failed[0].reason, gone);
    assert_eq!(snapshot.to_selections(), []);
}

async fn kill(pid: &Path) {
    let written = LocalFileSystem.read_file(pid, 20).await.expect("the script wrote it");
    let number = String::from_utf8_lossy(&written.bytes).trim().parse().expect("it is a number");
    let pid = rustix::process::Pid::from_raw(number).expect("it is a process");
    rustix::process::kill_process(pid, rustix::process::Signal::KILL).expect("it runs");
}

#[tokio::test]
async fn names_of_any_bytes_are_asked_for_and_listed() {
    if !is_server_there() {
        return;
    }
    let tree = tree(r#"w/caf\xE9/AGENTS.md = "N"; w/plain = "x"; cwd: w"#);
    let server = sftp_server().expect("it is there");
    let server = server.to_str().expect("it is text");
    let started = start_sftp(selection(&tree.cwd()), command(&[server])).started.await;
    let files = started.expect("it ends").expect("it speaks SFTP").file_system.clone();
    let mut names = files.read_directory(&tree.cwd()).await.expect("it can be listed");
    names.sort();
    let mut expected = LocalFileSystem.read_directory(&tree.cwd()).await.expect("it is there");
    expected.sort();
    assert_eq!(names, expected);
    let directory = tree.cwd().join(&names[0]);
    assert_eq!(files.get_metadata(&directory).await.map(|it| it.kind), Ok(FileKind::Directory));
    assert_eq!(files.canonicalize(&directory).await, Ok(directory.clone()));
    let read = files.read_file(&directory.join("AGENTS.md"), 9).await.map(|it| it.bytes);
    assert_eq!(read, Ok(b"N".to_vec()));
    let nul = files.get_metadata(Path::new("/a\0b")).await;
    assert_eq!(nul, LocalFileSystem.get_metadata(Path::new("/a\0b")).await);
    assert_eq!(files.lost(), None);
}

#[tokio::test]
async fn a_long_file_comes_whole_and_a_limit_ends_it() {
    if !is_server_there() {
        return;
    }
    let tree = tree(r#"w/long = "0123456789abcdef"*20000; cwd: w"#);
    let server = sftp_server().expect("it is there");
    let server = server.to_str().expect("it is text");
    let started = start_sftp(selection(&tree.cwd()), command(&[server])).started.await;
    let files = started.expect("it ends").expect("it speaks SFTP").file_system.clone();
    for limit in [0, 1, 32_768, 32_769, 319_999, 320_000, 1_000_000] {
        let path = tree.path("w/long");
        assert_eq!(
            files.read_file(&path, limit).await,
            LocalFileSystem.read_file(&path, limit).await
        );
    }
}

/// 40 directories, each with a doc, the root at the top.
fn chain() -> FixtureDirectory {
    let directories = (0..40).map(|depth| format!("r{}", "/d".repeat(depth)));
    let docs = directories.map(|directory| format!("{directory}/AGENTS.md = \"doc\"; "));
    tree(&format!("r/.git/; {}cwd: r{}", docs.collect::<String>(), "/d".repeat(39)))
}

#[tokio::test(start_paused = true)]
async fn a_chain_of_40_directories_takes_four_round_trips_and_one_for_reading() {
    if !is_server_there() {
        return;
    }
    let tree = chain();
    let (files, round_trips) = distant().await;
    let mut asker = Asker::new(&tree, "r", Arc::new(files), Freshness::Stat).await;
    asker.environments.ready[0].selection.cwd = tree.cwd();
    let (shaken, started) = (round_trips.load(Ordering::Relaxed), Instant::now());
    let loaded = asker.refresh().await.expect("nothing is denied");
    assert_eq!(loaded.projects[0].entries.len(), 40);
    let (taken, time) = (round_trips.load(Ordering::Relaxed) - shaken, started.elapsed());
    assert_eq!(taken, 5, "markers, candidates; what they are, open, read");
    assert_eq!(time.as_millis() / 10, 5, "{time:?}");

    let before = round_trips.load(Ordering::Relaxed);
    asker.refresh().await.expect("nothing is denied");
    assert_eq!(round_trips.load(Ordering::Relaxed) - before, 1, "a look whether all is as it was");
}

/// Loads a small chain over a connection that breaks; gives how many bytes went each way.
async fn load_over(tree: &FixtureDirectory, at: Cut) -> [usize; 2] {
    let (connected, passed) = cut(at).await;
    let passed = || [0, 1].map(|way| passed[way].load(Ordering::Relaxed));
    let files = match connected {
        Ok(files) => Arc::new(files),
        Err(reason) => {
            assert!(reason.starts_with("the connection ended"), "{at:?}: {reason}");
            return passed();
        }
    };
    let asker = Asker::new(tree, "r/s", files.clone(), Freshness::Selection).await;
    let loaded = asker.refresh().await.expect("nothing is denied");
    let whole = "[r/s] ROOT\n\nSUB";
    let text = text_of(tree, &loaded);
    let error = files.get_metadata(tree.root()).await;
    match (&error, files.lost()) {
        (Ok(_), None) => assert_eq!(text, whole, "{at:?}"),
        (Err(FileSystemError::Io { message, .. }), Some(reason)) => {
            assert_eq!(*message, format!("the environment is gone: {reason}"));
            assert!(reason.starts_with("the connection ended"), "{at:?}: {reason}");
            let told = [whole, "[r/s] ROOT", "[r/s] SUB", ""];
            assert!(told.contains(&&*text), "{at:?}: {text}");
        }
        other => panic!("{at:?}: {other:?}"),
    }
    passed()
}

#[tokio::test]
async fn soak_a_connection_that_is_cut_at_any_byte_is_a_clear_error() {
    if !is_server_there() {
        return;
    }
    let tree = tree("r/.git/; r/AGENTS.md = \"ROOT\"; r/s/AGENTS.md = \"SUB\"; cwd: r/s");
    let [asked, answered] = load_over(&tree, Cut::Questions(usize::MAX)).await;
    assert!(asked > 500 && answered > 500, "{asked} {answered}");
    // Every byte takes some ten seconds.
    let step = rounds(11, 1) as usize;
    let work = async {
        for bytes in (0..asked).step_by(step) {
            load_over(&tree, Cut::Questions(bytes)).await;
        }
        for bytes in (0..answered).step_by(step) {
            load_over(&tree, Cut::Answers(bytes)).await;
        }
    };
    let limit = Duration::from_mins(5);
    tokio::time::timeout(limit, work).await.expect("nothing hangs");
}

/// An answer that says what a hostile server might: whole packets of any kind and any body, or just bytes.
fn hostile_answer() -> impl Strategy<Value = Vec<u8>> {
    let kind = prop_oneof![101_u8..=105, Just(201), any::<u8>()];
    let body = proptest::collection::vec(any::<u8>(), 0..60);
    let packet = (kind, 0_u32..3, body.clone()).prop_map(|(kind, number, body)| {
        let length = u32::try_from(body.len() + 5).expect("it is short");
        [&length.to_be_bytes()[..], &[kind], &number.to_be_bytes(), &body].concat()
    });
    prop_oneof![4 => packet, 1 => body]
}

/// Answers the handshake as it should, and everything else with what it was given; then it goes away.
async fn serve(mut client: DuplexStream, answers: Vec<Vec<u8>>) -> io::Result<()> {
    let mut question = [0; 4096];
    client.read(&mut question).await.map(|_| ())?;
    client.write_all(&[0, 0, 0, 5, 2, 0, 0, 0, 3]).await?;
    for answer in answers {
        if client.read(&mut question).await? == 0 {
            break;
        }
        client.write_all(&answer).await?;
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(rounds(200, 20_000)))]

    #[test]
    fn soak_whatever_a_server_answers_it_is_an_error_at_most(
        answers in proptest::collection::vec(hostile_answer(), 0..6)
    ) {
        let mut runtime = tokio::runtime::Builder::new_current_thread();
        runtime.enable_all().start_paused(true);
        let work = async {
            let (ours, theirs) = duplex(1 << 16);
            let (reader, writer) = tokio::io::split(ours);
            tokio::spawn(serve(theirs, answers));
            let limits = SftpLimits::default();
            let Ok(files) =
                SftpFileSystem::connect(reader, writer, async { String::new() }, limits).await
            else {
                return;
            };
            let path = Path::new("/w");
            let _ = files.read_file(path, 10).await;
            let _ = files.read_directory(path).await;
            let _ = files.canonicalize(path).await;
            assert!(files.get_metadata(path).await.is_err() || files.lost().is_none());
        };
        runtime.build().expect("a runtime needs nothing special").block_on(work);
    }
}
