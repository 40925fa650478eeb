//! Stands between the client and the pipes: what comes in is checked, and the end of a connection is remembered.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, DuplexStream, duplex};
use tokio::task::AbortHandle;
use tokio::time::timeout;

use super::packets;

/// Bytes that may lie between the client and the pipes.
const BUFFER: usize = 64 * 1024;

/// How long the other side is given to say why it went away.
const LAST_WORDS: Duration = Duration::from_millis(500);

/// Whether a connection stands, and why it does not.
#[derive(Debug, Default)]
pub(super) struct Line(OnceLock<String>);

impl Line {
    /// Why the connection is gone; none while it stands.
    pub(super) fn lost(&self) -> Option<&str> {
        self.0.get().map(String::as_str)
    }

    /// Remembers the first reason.
    pub(super) fn lose(&self, reason: impl Into<String>) {
        // A later reason follows from the first.
        let _ = self.0.set(reason.into());
    }
}

/// The two tasks of a guard; they end with it.
#[derive(Debug)]
pub(super) struct Guard([AbortHandle; 2]);

impl Drop for Guard {
    fn drop(&mut self) {
        for task in &self.0 {
            task.abort();
        }
    }
}

/// The client's ends of a guarded connection: where it writes and where it reads.
pub(super) struct ClientEnds {
    pub(super) questions: DuplexStream,
    pub(super) answers: DuplexStream,
}

/// Puts a guard before a connection. `last_words` says what is known once the connection has ended.
pub(super) fn guard(
    reader: impl AsyncRead + Send + Unpin + 'static,
    writer: impl AsyncWrite + Send + Unpin + 'static,
    last_words: impl Future<Output = String> + Send + 'static,
) -> (ClientEnds, Arc<Line>, Guard) {
    let line = Arc::new(Line::default());
    let (questions, asked) = duplex(BUFFER);
    let (given, answers) = duplex(BUFFER);
    let asking = tokio::spawn(pass_questions(asked, writer));
    let answering = pass_answers(reader, given, Arc::clone(&line), last_words);
    let tasks = [asking.abort_handle(), tokio::spawn(answering).abort_handle()];
    (ClientEnds { questions, answers }, line, Guard(tasks))
}

/// Ends where the client has nothing more to ask.
async fn pass_questions(mut client: DuplexStream, mut writer: impl AsyncWrite + Unpin) {
    while let Ok(body) = next_question(&mut client).await {
        let packet = packets::question(&body);
        if writer.write_all(&packet).await.is_err() || writer.flush().await.is_err() {
            // Why nobody listens any more is for the answers to tell; until then the client waits.
            std::future::pending::<()>().await;
        }
    }
}

async fn next_question(client: &mut DuplexStream) -> std::io::Result<Vec<u8>> {
    let length = client.read_u32().await?;
    let mut body = vec![0; length as usize];
    client.read_exact(&mut body).await?;
    Ok(body)
}

async fn pass_answers(
    mut reader: impl AsyncRead + Unpin,
    mut client: DuplexStream,
    line: Arc<Line>,
    last_words: impl Future<Output = String>,
) {
    loop {
        let packet = match next_answer(&mut reader).await {
            Ok(packet) => packet,
            Err(end) => {
                let words = match &end {
                    // Who broke the rules may go on for long.
                    End::Broken(_) => String::new(),
                    _ => timeout(LAST_WORDS, last_words).await.unwrap_or_default(),
                };
                line.lose(format!("{end}{words}"));
                return;
            }
        };
        // The client went away; nobody asks any more.
        if client.write_all(&packet).await.is_err() {
            return;
        }
    }
}

/// Why no answer comes any more.
#[derive(Debug, thiserror::Error)]
enum End {
    #[error("the connection ended")]
    Closed,
    #[error("the connection ended inside an answer")]
    Torn,
    #[error("the connection broke: {0}")]
    Io(std::io::Error),
    #[error("the other side does not speak SFTP: {0}")]
    Broken(#[from] packets::PacketError),
}

impl From<std::io::Error> for End {
    fn from(error: std::io::Error) -> Self {
        match error.kind() {
            std::io::ErrorKind::UnexpectedEof => Self::Torn,
            _ => Self::Io(error),
        }
    }
}

async fn next_answer(reader: &mut (impl AsyncRead + Unpin)) -> Result<Vec<u8>, End> {
    let mut length = [0; 4];
    let first = reader.read(&mut length[..1]).await?;
    if first == 0 {
        return Err(End::Closed);
    }
    reader.read_exact(&mut length[1..]).await?;
    let mut body = vec![0; packets::answer_length(length)?];
    reader.read_exact(&mut body).await?;
    Ok(packets::answer(&body)?)
}
