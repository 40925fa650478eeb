//! A Responses server on the loopback address that says what it is told to.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use serde_json::{Value, json};

use super::steps::Reply;

/// A server; it ends with the process.
#[derive(Debug, Clone)]
pub(super) struct Server {
    pub(super) port: u16,
    state: Arc<Mutex<State>>,
}

#[derive(Debug, Default)]
struct State {
    script: VecDeque<Reply>,
    requests: Vec<Value>,
    answered: u64,
}

impl Server {
    pub(super) fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("the loopback address is there");
        let port = listener.local_addr().expect("it is bound").port();
        let state = Arc::new(Mutex::new(State::default()));
        let shared = Arc::clone(&state);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let state = Arc::clone(&shared);
                // Whoever hung up has no use for an answer.
                thread::spawn(move || serve(stream, &state).ok());
            }
        });
        Self { port, state }
    }

    /// Answers the next requests so; gives nothing of those before.
    pub(super) fn expect(&self, script: &[Reply]) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.script = script.iter().cloned().collect();
        state.requests.clear();
    }

    /// The bodies of the requests since then.
    pub(super) fn requests(&self) -> Vec<Value> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).requests.clone()
    }
}

fn serve(stream: TcpStream, state: &Mutex<State>) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream.try_clone()?);
    let mut request_line = String::new();
    reader.read_line(&mut request_line)?;
    let mut length = 0;
    loop {
        let mut header = String::new();
        reader.read_line(&mut header)?;
        let header = header.trim().to_ascii_lowercase();
        if header.is_empty() {
            break;
        }
        if let Some(value) = header.strip_prefix("content-length:") {
            length = value.trim().parse().unwrap_or(0);
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    if !request_line.starts_with("POST") {
        return send(stream, "application/json", r#"{"data":[],"models":[]}"#);
    }
    let answer = answer(&body, state);
    send(stream, "text/event-stream", &answer)
}

fn answer(body: &[u8], state: &Mutex<State>) -> String {
    let mut state = state.lock().unwrap_or_else(PoisonError::into_inner);
    state.requests.push(serde_json::from_slice(body).unwrap_or_default());
    state.answered += 1;
    let number = state.answered;
    let reply = state.script.pop_front().unwrap_or_else(|| super::steps::says("ok"));
    let created = json!({"type": "response.created", "response": {"id": format!("resp_{number}")}});
    let usage = json!({
        "input_tokens": reply.tokens, "input_tokens_details": {"cached_tokens": 0},
        "output_tokens": 0, "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": reply.tokens,
    });
    let completed = json!({
        "type": "response.completed",
        "response": {"id": format!("resp_{number}"), "usage": usage},
    });
    let mut stream = event("response.created", &created.to_string());
    for item in &reply.items {
        let done = format!(r#"{{"type":"response.output_item.done","item":{item}}}"#);
        stream += &event("response.output_item.done", &done);
    }
    stream + &event("response.completed", &completed.to_string())
}

fn event(name: &str, data: &str) -> String {
    format!("event: {name}\ndata: {data}\n\n")
}

fn send(mut stream: TcpStream, content_type: &str, body: &str) -> std::io::Result<()> {
    let length = body.len();
    write!(
        stream,
        "HTTP/1.1 200 OK\r\ncontent-type: {content_type}\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}"
    )
}
