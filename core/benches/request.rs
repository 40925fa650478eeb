//! What it costs to build and send the request of a long conversation, held against writing the same bytes from memory.
//!
//! Both go over the loopback address to a sink that reads everything and answers at once. Times are wall-clock times of
//! pairs that are measured in turn; memory is the peak of this process while one request goes out.

#![expect(clippy::print_stdout, reason = "a measurement is printed")]
#![expect(clippy::disallowed_methods, reason = "the peak of this process stands in /proc")]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::process::ExitCode;
use std::thread;
use std::time::{Duration, Instant};

use recto_core::history::{Audience, History};
use recto_core::http::http_client;
use recto_core::model::{
    Provider, ResponsesClient, SampleRequest, Sampler, base_instructions, find_model,
};
use recto_protocol::responses::ResponsesRequest;
use recto_protocol::{Item, ModelInfo, Prompt};
use serde_json::{Value, json};
use tokio::sync::mpsc::unbounded_channel;

/// Items of the conversation: turns of five items each.
const ITEMS: usize = 20_000;

/// How many times as long as writing the bytes a request may take.
const TIME_BAR: f64 = 2.0;

/// How many times the memory of the conversation the peak may be.
const MEMORY_BAR: f64 = 1.3;

/// Pairs that are measured, after one that is not.
const PAIRS: usize = 21;

const ANSWER: &str = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n\
    data: {\"type\":\"response.completed\",\"response\":{}}\n\n";

fn main() -> ExitCode {
    let empty = resident();
    let (model, prompt) = (find_model("gpt-5.5").info, conversation());
    let history = resident().saturating_sub(empty);
    let sink = Sink::start();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.expect("a runtime needs nothing special");
    let provider = Provider::new("sink", &format!("http://{}/v1", sink.0)).expect("an address");
    let client = ResponsesClient::new(http_client().expect("a client can be made"), provider, 1);
    let ask = || runtime.block_on(ask(&client, &model, &prompt));

    forget_peak();
    let first = timed(ask);
    let peak = peak().saturating_sub(empty);
    let (asked, written) = in_turn(ask, &sink, &model, &prompt);

    let bytes = body(&model, &prompt).len();
    println!("{ITEMS} items, {} MB on the wire; medians of {PAIRS}\n", bytes / 1_000_000);
    println!("{:<34} {:>12} {:>12} {:>8} {:>8}", "", "request", "bytes", "ratio", "bar");
    let holds_in_time = row("time", "ms", [millis(asked), millis(written)], TIME_BAR);
    println!("{:<34} {:>9.1} ms", "  the first request of a session", millis(first));
    let mebibytes =
        |kibibytes: u64| f64::from(u32::try_from(kibibytes).unwrap_or(u32::MAX)) / 1024.0;
    println!("\n{:<34} {:>12} {:>12} {:>8} {:>8}", "", "peak", "history", "ratio", "bar");
    let holds_in_memory = row("memory", "MiB", [mebibytes(peak), mebibytes(history)], MEMORY_BAR);
    if holds_in_time && holds_in_memory { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn row(name: &str, unit: &str, [one, other]: [f64; 2], bar: f64) -> bool {
    let ratio = one / other;
    println!("{name:<34} {one:>8.1} {unit} {other:>8.1} {unit} {ratio:>8.2} {bar:>8.2}");
    ratio <= bar
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

fn timed<T>(work: impl FnOnce() -> T) -> Duration {
    let start = Instant::now();
    work();
    start.elapsed()
}

/// The medians of asking and of writing.
fn in_turn(
    ask: impl Fn(),
    sink: &Sink,
    model: &ModelInfo,
    prompt: &Prompt,
) -> (Duration, Duration) {
    let body = body(model, prompt);
    let write = || sink.write(body.as_bytes());
    let pairs = (0..=PAIRS).map(|pair| {
        if pair % 2 == 0 {
            (timed(&ask), timed(write))
        } else {
            let written = timed(write);
            (timed(&ask), written)
        }
    });
    let (asked, written) = pairs.skip(1).unzip();
    (median(asked), median(written))
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}

async fn ask(client: &ResponsesClient, model: &ModelInfo, prompt: &Prompt) {
    let (events, _) = unbounded_channel();
    let request = SampleRequest { model, prompt, cache_key: "thread", output_schema: None };
    client.sample(request, events).await.expect("the sink answers");
}

fn body(model: &ModelInfo, prompt: &Prompt) -> String {
    let request = ResponsesRequest {
        model,
        prompt,
        parallel_tool_calls: true,
        prompt_cache_key: Some("thread"),
        output_schema: None,
    };
    request.to_json(model.wire)
}

/// A conversation as agents have it: long outputs, short messages, sealed thoughts.
fn conversation() -> Prompt {
    let audience = Audience::default();
    let mut history = History::new(audience.clone());
    for turn in 0..ITEMS / 5 {
        history.record(
            turn_items(turn)
                .iter()
                .map(|item| Item::from_json(&item.to_string()).expect("it is an object")),
        );
    }
    history.for_prompt(base_instructions(None, None), Vec::new(), &audience)
}

fn turn_items(turn: usize) -> [Value; 5] {
    let said = |role: &str, kind: &str, text: String| json!({"type": "message", "role": role, "content": [{"type": kind, "text": text}]});
    let call = format!("call_{turn}");
    [
        said("user", "input_text", format!("please do number {turn}, \"quoted\" and\nbroken")),
        json!({"type": "reasoning", "id": format!("rs_{turn}"), "summary": [], "encrypted_content": "gAAA".repeat(250)}),
        json!({"type": "function_call", "id": format!("fc_{turn}"), "name": "shell", "arguments": "{\"command\":\"ls -la\"}", "call_id": call}),
        json!({"type": "function_call_output", "call_id": call, "output": "a line of output\n".repeat(150)}),
        said("assistant", "output_text", "It is done, and this is what came of it. ".repeat(12)),
    ]
}

/// Reads requests, one on each connection, and answers.
struct Sink(SocketAddr);

impl Sink {
    fn start() -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a port is free");
        let address = listener.local_addr().expect("it listens");
        thread::spawn(move || listener.incoming().flatten().for_each(|it| serve(&it)));
        Self(address)
    }

    /// Writes these bytes as a request and waits for the end of the answer.
    fn write(&self, body: &[u8]) {
        let mut stream = TcpStream::connect(self.0).expect("the sink listens");
        let head = format!("POST /v1/responses HTTP/1.1\r\ncontent-length: {}\r\n\r\n", body.len());
        stream.write_all(head.as_bytes()).expect("the sink reads");
        stream.write_all(body).expect("the sink reads");
        stream.read_to_end(&mut Vec::new()).expect("the sink answers");
    }
}

fn serve(stream: &TcpStream) {
    let mut reader = BufReader::with_capacity(64 * 1024, stream);
    let mut left = 0;
    let mut line = String::new();
    while reader.read_line(&mut line).expect("a head comes") > 2 {
        let (name, value) = line.split_once(':').unwrap_or_default();
        if name.eq_ignore_ascii_case("content-length") {
            left = value.trim().parse().expect("a length is a number");
        }
        line.clear();
    }
    while left > 0 {
        let block = reader.fill_buf().expect("a body comes").len().min(left);
        reader.consume(block);
        left -= block;
    }
    (&*stream).write_all(ANSWER.as_bytes()).expect("somebody reads");
}

/// Kibibytes of this process now.
fn resident() -> u64 {
    status("VmRSS:")
}

/// Kibibytes of this process at most, since its peak was forgotten.
fn peak() -> u64 {
    status("VmHWM:")
}

fn forget_peak() {
    std::fs::write("/proc/self/clear_refs", "5").expect("a process may forget its own peak");
}

fn status(name: &str) -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("this is Linux");
    let line = status.lines().find_map(|line| line.strip_prefix(name)).expect("it is there");
    line.split_whitespace().next().and_then(|it| it.parse().ok()).expect("it is a number")
}
