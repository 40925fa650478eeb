//! A provider on this machine: answers each request with the next answer of a script, and keeps what it was asked.

use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

use super::answer::{Answer, message};

/// A provider that answers `ok` when its script is at its end; it ends with the process.
#[derive(Debug, Clone)]
pub(crate) struct Server {
    pub(crate) port: u16,
    shared: Arc<Mutex<Shared>>,
}

#[derive(Debug, Default)]
struct Shared {
    script: VecDeque<Answer>,
    requests: Vec<(String, String)>,
    answers: usize,
}

impl Server {
    /// Listens; `hear` is told each body as soon as all of it is there.
    pub(crate) fn start(hear: impl Fn(&str) + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a port is free");
        let port = listener.local_addr().expect("it listens").port();
        let server = Self { port, shared: Arc::default() };
        let (serving, hear) = (server.clone(), Arc::new(hear));
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (server, hear) = (serving.clone(), Arc::clone(&hear));
                // Whoever hung up has no use for an answer.
                thread::spawn(move || server.serve(stream, &*hear).ok());
            }
        });
        server
    }

    /// Adds an answer to the script.
    pub(crate) fn then(&self, answer: Answer) {
        self.shared().script.push_back(answer);
    }

    /// Takes the requests for a response so far: the lines of each head, and its body.
    pub(crate) fn take_requests(&self) -> Vec<(String, String)> {
        std::mem::take(&mut self.shared().requests)
    }

    /// The configuration that makes it the provider `local`.
    pub(crate) fn config(&self) -> String {
        format!(
            "model = \"gpt-5.5\"\nmodel_provider = \"local\"\n[model_providers.local]\nname = \"local\"\n\
             base_url = \"http://127.0.0.1:{}/v1\"\nwire_api = \"responses\"\nrequest_max_retries = 0\n\
             stream_max_retries = 0\n",
            self.port
        )
    }

    fn shared(&self) -> MutexGuard<'_, Shared> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// One request on each connection.
    fn serve(&self, mut stream: TcpStream, listener: &dyn Fn(&str)) -> io::Result<()> {
        let mut reader = BufReader::new(stream.try_clone()?);
        let (head, length) = read_head(&mut reader)?;
        let mut body = String::with_capacity(length);
        reader.by_ref().take(length as u64).read_to_string(&mut body)?;
        if !head.starts_with("POST") {
            return send(&mut stream, "200 OK", "application/json", r#"{"data":[],"models":[]}"#);
        }
        listener(&body);
        let (number, answer) = {
            let mut shared = self.shared();
            shared.requests.push((head, body));
            shared.answers += 1;
            (shared.answers, shared.script.pop_front())
        };
        let answer =
            answer.unwrap_or_else(|| Answer::of([message(&format!("msg_ok{number}"), "ok")]));
        let kind = if answer.body.is_some() { "application/json" } else { "text/event-stream" };
        let body = answer.body.clone().unwrap_or_else(|| answer.events(number));
        send(&mut stream, answer.status, kind, &body)?;
        if answer.hangs {
            reader.read_to_end(&mut Vec::new())?;
        }
        Ok(())
    }
}

/// The lines of a head, and the length of the body behind it.
fn read_head(reader: &mut impl BufRead) -> io::Result<(String, usize)> {
    let mut head = String::new();
    let mut length = 0;
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line)? == 0 || line.trim_end().is_empty() {
            return Ok((head, length));
        }
        if let Some((name, value)) = line.trim_end().split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse().unwrap_or_default();
        }
        head += &line;
    }
}

/// A body ends where the connection does.
fn send(stream: &mut TcpStream, status: &str, kind: &str, body: &str) -> io::Result<()> {
    write!(stream, "HTTP/1.1 {status}\r\ncontent-type: {kind}\r\nconnection: close\r\n\r\n{body}")?;
    stream.flush()
}
