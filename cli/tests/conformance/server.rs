//! A provider on this machine: answers each request with the next answer of a script, and keeps what it was asked.

use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

use serde_json::{Value, json};

/// A provider that answers `ok` when its script is at its end.
#[derive(Debug, Clone)]
pub(crate) struct Server {
    pub(crate) port: u16,
    shared: Arc<Mutex<Shared>>,
}

#[derive(Debug, Default)]
struct Shared {
    script: VecDeque<Vec<Value>>,
    requests: Vec<String>,
    answers: usize,
}

impl Server {
    /// Listens until the program ends; `hear` is told each body as soon as all of it is there.
    pub(crate) fn start(hear: impl Fn(&str) + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a port is free");
        let port = listener.local_addr().expect("it listens").port();
        let server = Self { port, shared: Arc::default() };
        let (serving, hear) = (server.clone(), Arc::new(hear));
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (server, hear) = (serving.clone(), Arc::clone(&hear));
                thread::spawn(move || server.serve(stream, &*hear));
            }
        });
        server
    }

    /// Adds an answer: items of a response.
    pub(crate) fn then(&self, items: Vec<Value>) {
        self.shared().script.push_back(items);
    }

    /// Takes the bodies of the requests so far.
    pub(crate) fn take_requests(&self) -> Vec<String> {
        std::mem::take(&mut self.shared().requests)
    }

    /// The configuration that makes it the reference's provider `local`.
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
    fn serve(&self, stream: TcpStream, hear: &dyn Fn(&str)) -> Option<()> {
        let mut reader = BufReader::new(stream.try_clone().ok()?);
        let (is_post, length) = read_head(&mut reader).ok()?;
        let mut body = String::with_capacity(length);
        reader.take(length as u64).read_to_string(&mut body).ok()?;
        if !is_post {
            return answer(stream, "application/json", r#"{"data":[],"models":[]}"#).ok();
        }
        hear(&body);
        let events = {
            let mut shared = self.shared();
            shared.requests.push(body);
            shared.answers += 1;
            let number = shared.answers;
            let items = shared.script.pop_front();
            events(number, items.unwrap_or_else(|| vec![message(&format!("msg_ok{number}"), "ok")]))
        };
        let lines = events.iter().map(|event| {
            format!("event: {}\ndata: {event}\n\n", event["type"].as_str().unwrap_or_default())
        });
        answer(stream, "text/event-stream", &lines.collect::<String>()).ok()
    }
}

/// A message of the model.
pub(crate) fn message(id: &str, text: &str) -> Value {
    json!({
        "type": "message", "id": id, "role": "assistant",
        "content": [{"type": "output_text", "text": text}],
    })
}

fn events(number: usize, items: Vec<Value>) -> Vec<Value> {
    let id = format!("resp_{number}");
    let usage = json!({
        "input_tokens": 100, "input_tokens_details": {"cached_tokens": 0}, "output_tokens": 10,
        "output_tokens_details": {"reasoning_tokens": 0}, "total_tokens": 110,
    });
    let first = json!({"type": "response.created", "response": {"id": id}});
    let last = json!({"type": "response.completed", "response": {"id": id, "usage": usage}});
    let done =
        items.into_iter().map(|item| json!({"type": "response.output_item.done", "item": item}));
    [first].into_iter().chain(done).chain([last]).collect()
}

/// Whether it is a POST, and the length of its body.
fn read_head(reader: &mut impl BufRead) -> io::Result<(bool, usize)> {
    let mut line = String::new();
    reader.read_line(&mut line)?;
    let is_post = line.starts_with("POST");
    let mut length = 0;
    loop {
        line.clear();
        reader.read_line(&mut line)?;
        let Some((name, value)) = line.trim_end().split_once(':') else {
            return Ok((is_post, length));
        };
        if name.eq_ignore_ascii_case("content-length") {
            length = value.trim().parse().unwrap_or_default();
        }
    }
}

fn answer(mut stream: TcpStream, kind: &str, body: &str) -> io::Result<()> {
    write!(
        stream,
        "HTTP/1.1 200 OK\r\ncontent-type: {kind}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
        body.len()
    )
}
