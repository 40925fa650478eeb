//! A server on the loopback address that writes exactly the bytes of its script.
//!
//! It lives in the runtime of its test, so that paused time stands still while anything moves.

use std::sync::{Arc, Mutex};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;
use tokio::time::{Duration, sleep};

/// What a server does on one connection, step by step.
#[derive(Debug, Clone)]
pub(super) enum Act {
    /// Writes bytes.
    Write(Vec<u8>),
    /// Says nothing for so many seconds.
    Wait(u64),
    /// Says nothing until the client goes away.
    Hang,
    /// Ends the connection in the midst of everything.
    Reset,
}

/// A request as it arrived.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Received {
    /// The request line and the headers, sorted, in lower case.
    pub(super) head: Vec<String>,
    pub(super) body: String,
}

impl Received {
    pub(super) fn header(&self, name: &str) -> Option<&str> {
        self.head.iter().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
    }
}

/// A server that answers connection by connection as its script says.
pub(super) struct Server {
    pub(super) base_url: String,
    requests: Arc<Mutex<Vec<Received>>>,
    gone: Arc<Notify>,
    hangs: Arc<Notify>,
}

impl Server {
    /// A server that does not care for what it is asked.
    pub(super) async fn start_raw(acts: Vec<Act>) -> Self {
        Self::listen(vec![acts], false).await
    }

    pub(super) async fn start(script: Vec<Vec<Act>>) -> Self {
        Self::listen(script, true).await
    }

    async fn listen(script: Vec<Vec<Act>>, is_asked: bool) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("a port is free");
        let address = listener.local_addr().expect("it listens");
        let server = Self {
            base_url: format!("http://{address}/v1"),
            requests: Arc::default(),
            gone: Arc::default(),
            hangs: Arc::default(),
        };
        let requests = Arc::clone(&server.requests);
        let (gone, hangs) = (Arc::clone(&server.gone), Arc::clone(&server.hangs));
        tokio::spawn(async move {
            for acts in script {
                let Ok((mut stream, _)) = listener.accept().await else { return };
                if is_asked {
                    let received = receive(&mut stream).await;
                    requests.lock().expect("nobody panics with it").push(received);
                }
                perform(stream, acts, &hangs, &gone).await;
            }
        });
        server
    }

    pub(super) fn requests(&self) -> Vec<Received> {
        self.requests.lock().expect("nobody panics with it").clone()
    }

    /// Waits until the server hangs: all before that is written.
    pub(super) async fn has_written(&self) {
        self.hangs.notified().await;
    }

    /// Waits until a client that was left hanging goes away.
    pub(super) async fn is_left(&self) {
        self.gone.notified().await;
    }
}

async fn receive(stream: &mut TcpStream) -> Received {
    let mut bytes = Vec::new();
    let end = loop {
        assert_ne!(stream.read_buf(&mut bytes).await.expect("a request comes"), 0, "it ends early");
        if let Some(at) = bytes.windows(4).position(|it| it == b"\r\n\r\n") {
            break at;
        }
    };
    let head = String::from_utf8(bytes[..end].to_vec()).expect("a head is text");
    let mut head: Vec<String> = head.lines().map(str::to_lowercase).collect();
    head.sort();
    let length = head.iter().find_map(|line| line.strip_prefix("content-length: "));
    let length: usize = length.expect("a length is said").parse().expect("it is a number");
    while bytes.len() < end + 4 + length {
        assert_ne!(stream.read_buf(&mut bytes).await.expect("a body comes"), 0, "it ends early");
    }
    let body = String::from_utf8(bytes.split_off(end + 4)).expect("a body is text");
    Received { head, body }
}

async fn perform(mut stream: TcpStream, acts: Vec<Act>, hangs: &Notify, gone: &Notify) {
    for act in acts {
        match act {
            // A client that has heard enough goes away.
            Act::Write(bytes) => drop(stream.write_all(&bytes).await),
            Act::Wait(seconds) => {
                sleep(Duration::from_secs(seconds)).await;
            }
            Act::Hang => {
                hangs.notify_one();
                let _ = stream.read(&mut [0; 16]).await;
                gone.notify_one();
            }
            Act::Reset => {
                stream.set_zero_linger().expect("a socket can be told so");
                return;
            }
        }
    }
}

/// The head of an answer that is a stream of events; its end is the end of the connection.
pub(super) fn stream_head() -> Act {
    head(200, "content-type: text/event-stream\r\n")
}

/// The head of any answer; header lines end in `\r\n`.
pub(super) fn head(status: u16, headers: &str) -> Act {
    write(&format!("HTTP/1.1 {status} Said\r\n{headers}connection: close\r\n\r\n"))
}

/// A whole answer that is one JSON text.
pub(super) fn json(status: u16, headers: &str, body: &str) -> Vec<Act> {
    vec![head(status, &format!("content-type: application/json\r\n{headers}")), write(body)]
}

pub(super) fn write(text: &str) -> Act {
    Act::Write(text.as_bytes().to_vec())
}

/// Events, each a line of JSON, as a stream has them.
pub(super) fn events(lines: &[&str]) -> Act {
    let text = lines.iter().fold(String::new(), |text, line| text + "data: " + line + "\n\n");
    write(&text)
}
