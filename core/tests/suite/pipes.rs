//! The SFTP server on pipes that a test delays, counts or cuts.

use std::io::{self, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use recto_core::environment::{SftpFileSystem, SftpLimits};
use recto_core::testing::sftp_server;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, DuplexStream, duplex};
use tokio::task::spawn_blocking;
use tokio::time::sleep;

/// How long one way over the pipes takes.
const ONE_WAY: Duration = Duration::from_millis(5);

/// Closes what was open; nobody waits for the answer.
const CLOSE: u8 = 4;

/// Whether there is a server; where CI runs, there must be one.
pub(super) fn is_server_there() -> bool {
    let is_there = sftp_server().is_some();
    #[expect(clippy::disallowed_methods, reason = "a variable of CI")]
    let must_be_there = std::env::var_os("CI").is_some();
    assert!(is_there || !must_be_there, "apt-get install openssh-sftp-server");
    is_there
}

fn server() -> (Child, ChildStdin, ChildStdout) {
    let program = sftp_server().expect("whoever asks looked whether it is there");
    let spawned = Command::new(program).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
    let mut child = spawned.expect("the server can be started");
    let pipes = child.stdin.take().zip(child.stdout.take());
    let (stdin, stdout) = pipes.expect("both were asked for");
    (child, stdin, stdout)
}

/// A connection over pipes on which every round trip takes 10 ms, and how many there were.
///
/// Questions that are asked before the answers of others came share a round trip. The server's own time is none on a
/// paused clock: it is waited for on a blocking thread.
pub(super) async fn distant() -> (SftpFileSystem, Arc<AtomicUsize>) {
    let (ours, theirs) = duplex(1 << 20);
    let (reader, writer) = tokio::io::split(ours);
    let round_trips = Arc::new(AtomicUsize::new(0));
    tokio::spawn(delay(theirs, Arc::clone(&round_trips)));
    let connected =
        SftpFileSystem::connect(reader, writer, async { String::new() }, SftpLimits::default());
    (connected.await.expect("the server speaks SFTP"), round_trips)
}

async fn delay(mut client: DuplexStream, round_trips: Arc<AtomicUsize>) -> io::Result<()> {
    let (_child, mut stdin, mut stdout) = server();
    let mut asked = Vec::new();
    loop {
        if client.read_buf(&mut asked).await? == 0 {
            return Ok(());
        }
        // Whatever is asked at the same time on the clock is there when it goes on.
        sleep(ONE_WAY).await;
        while let Ok(read) = tokio::time::timeout(Duration::ZERO, client.read_buf(&mut asked)).await
        {
            if read? == 0 {
                break;
            }
        }
        let packets = take_packets(&mut asked);
        let answers = packets.len();
        if packets.iter().any(|packet| packet[4] != CLOSE) {
            round_trips.fetch_add(1, Ordering::Relaxed);
        }
        let questions = packets.concat();
        let (pipes, answer) = spawn_blocking(move || {
            let answer = exchange(&mut stdin, &mut stdout, &questions, answers);
            ((stdin, stdout), answer)
        })
        .await?;
        (stdin, stdout) = pipes;
        sleep(ONE_WAY).await;
        client.write_all(&answer?).await?;
    }
}

/// Takes the whole packets at the front.
fn take_packets(bytes: &mut Vec<u8>) -> Vec<Vec<u8>> {
    let mut packets = Vec::new();
    while let Some(head) = bytes.first_chunk::<4>() {
        let end = 4 + u32::from_be_bytes(*head) as usize;
        if bytes.len() < end {
            break;
        }
        packets.push(bytes.drain(..end).collect());
    }
    packets
}

/// Asks and waits for so many answers.
fn exchange(
    stdin: &mut ChildStdin,
    stdout: &mut ChildStdout,
    questions: &[u8],
    answers: usize,
) -> io::Result<Vec<u8>> {
    stdin.write_all(questions)?;
    stdin.flush()?;
    let mut all = Vec::new();
    for _ in 0..answers {
        let mut head = [0; 4];
        stdout.read_exact(&mut head)?;
        let start = all.len() + 4;
        all.extend_from_slice(&head);
        all.resize(start + u32::from_be_bytes(head) as usize, 0);
        stdout.read_exact(&mut all[start..])?;
    }
    Ok(all)
}

/// Where a connection breaks: after so many bytes one way.
#[derive(Debug, Clone, Copy)]
pub(super) enum Cut {
    Questions(usize),
    Answers(usize),
}

/// A connection that breaks, and how many bytes went each way.
pub(super) async fn cut(cut: Cut) -> (Result<SftpFileSystem, String>, Arc<[AtomicUsize; 2]>) {
    let (_child, stdin, stdout) = server();
    let stdin = tokio::process::ChildStdin::from_std(stdin).expect("a pipe can be waited for");
    let stdout = tokio::process::ChildStdout::from_std(stdout).expect("a pipe can be waited for");
    let (ours, theirs) = duplex(1 << 20);
    let (reader, writer) = tokio::io::split(ours);
    let (asked, answered) = tokio::io::split(theirs);
    let passed = Arc::new([AtomicUsize::new(0), AtomicUsize::new(0)]);
    let (questions, answers) = match cut {
        Cut::Questions(bytes) => (bytes, usize::MAX),
        Cut::Answers(bytes) => (usize::MAX, bytes),
    };
    let counted = Arc::clone(&passed);
    tokio::spawn(async move {
        let there = pass(asked, stdin, questions, &counted[0]);
        let back = pass(stdout, answered, answers, &counted[1]);
        // Where one way breaks, the other is gone with it.
        tokio::select! {
            () = there => {}
            () = back => {}
        }
    });
    let connected =
        SftpFileSystem::connect(reader, writer, async { String::new() }, SftpLimits::default());
    (connected.await, passed)
}

async fn pass(
    mut from: impl AsyncRead + Unpin,
    mut to: impl AsyncWrite + Unpin,
    most: usize,
    passed: &AtomicUsize,
) {
    let mut buffer = [0; 4096];
    loop {
        let room = (most - passed.load(Ordering::Relaxed)).min(buffer.len());
        if room == 0 {
            return;
        }
        let Ok(count @ 1..) = from.read(&mut buffer[..room]).await else { return };
        passed.fetch_add(count, Ordering::Relaxed);
        if to.write_all(&buffer[..count]).await.is_err() {
            return;
        }
    }
}
