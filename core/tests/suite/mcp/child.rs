//! A server that does what a test says: this test program again, with a variable that holds its part.

#![expect(
    clippy::disallowed_methods,
    reason = "a child reads its part from a variable and writes down what it hears"
)]
#![expect(clippy::exit, reason = "a part may be to die")]
#![expect(clippy::unwrap_used, reason = "what goes wrong in a helper of a test fails the test")]

use std::collections::BTreeMap;
use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process;
use std::time::Duration;

use recto_core::config::{McpApproval, McpServerConfig, McpTransport};
use recto_core::tools::mcp::{McpEvent, McpOptions, McpTools};
use serde_json::{Value, json};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

const PART: &str = "RECTO_TEST_MCP_PART";

/// A server with this part.
pub(super) fn server(name: &str, part: &Value) -> McpServerConfig {
    let arguments = ["--exact", "suite::mcp::child::a_child_plays_its_part", "--nocapture"];
    let transport = McpTransport::Stdio {
        command: std::env::current_exe().unwrap().to_str().unwrap().to_owned(),
        args: arguments.map(str::to_owned).into(),
        env: BTreeMap::from([(PART.to_owned(), part.to_string())]),
        env_vars: Vec::new(),
        cwd: None,
    };
    configured(name, transport)
}

/// A server as it is configured where only its transport is.
pub(super) fn configured(name: &str, transport: McpTransport) -> McpServerConfig {
    McpServerConfig {
        name: name.to_owned(),
        transport,
        is_enabled: true,
        is_required: false,
        startup_timeout: Some(Duration::from_secs(20)),
        tool_timeout: Some(Duration::from_secs(20)),
        enabled_tools: None,
        disabled_tools: Vec::new(),
        supports_parallel_calls: false,
        default_approval: McpApproval::Auto,
        tool_approvals: BTreeMap::new(),
        location: location(),
        project: None,
    }
}

fn location() -> recto_core::config::Location {
    let source = recto_core::config::LayerSource::Override { argument: String::new() };
    recto_core::config::Location { source, line: 1, column: 1 }
}

/// A server that is a program of its own.
pub(super) fn program(name: &str, command: &str, args: &[&str]) -> McpServerConfig {
    configured(
        name,
        McpTransport::Stdio {
            command: command.to_owned(),
            args: args.iter().map(|&it| it.to_owned()).collect(),
            env: [].into(),
            env_vars: Vec::new(),
            cwd: None,
        },
    )
}

/// A tool that says that it only reads.
pub(super) fn tool(name: &str) -> Value {
    json!({
        "name": name,
        "description": format!("the {name}"),
        "inputSchema": { "type": "object" },
        "annotations": { "readOnlyHint": true },
    })
}

/// A text as a result.
pub(super) fn text(text: &str) -> Value {
    json!({ "result": { "content": [{ "type": "text", "text": text }] } })
}

pub(super) fn options() -> McpOptions {
    McpOptions::new(PathBuf::from("/"))
}

/// Tools that are ready, and what was told until then.
pub(super) async fn ready(
    servers: &[McpServerConfig],
    options: McpOptions,
) -> (McpTools, UnboundedReceiver<McpEvent>, Vec<String>) {
    let (sender, mut events) = unbounded_channel();
    let tools = McpTools::start(servers, options, sender);
    tools.ready().await.unwrap();
    let told = told(&mut events);
    (tools, events, told)
}

/// What was told and not read yet, as sentences in order.
pub(super) fn told(events: &mut UnboundedReceiver<McpEvent>) -> Vec<String> {
    let mut told: Vec<String> =
        std::iter::from_fn(|| events.try_recv().ok()).map(|it| it.to_string()).collect();
    told.sort();
    told
}

#[test]
fn a_child_plays_its_part() {
    let Ok(part) = std::env::var(PART) else { return };
    println!();
    let part: Value = serde_json::from_str(&part).unwrap();
    while let Some(message) = hear() {
        note(&part, &message);
        match message["method"].as_str() {
            Some("initialize") if part["noise"] == true => {
                noise();
                answer(&message, &greeting());
            }
            Some("initialize") => play(&part, &message, &part["initialize"], greeting),
            Some("tools/list") => list(&part, &message),
            Some("tools/call") if part["news"] == true => {
                send_line(r#"{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}"#);
                answer(&message, &text("news"));
            }
            Some("tools/call") => {
                let name = message["params"]["name"].as_str().unwrap();
                play(&part, &message, &part["calls"][name], || json!({ "result": {} }));
            }
            _ => {}
        }
    }
}

/// The next message; none once the other side is gone.
fn hear() -> Option<Value> {
    let mut line = String::new();
    (io::stdin().read_line(&mut line).unwrap() > 0).then(|| serde_json::from_str(&line).unwrap())
}

/// What no server should say, and what some say.
fn noise() {
    for line in
        ["Server is listening!", "", "{", "null", "[]", "{\"jsonrpc\":\"2.0\"}", "\u{feff}{}"]
    {
        send_line(line);
    }
    send_line(&"[".repeat(100_000));
    send_line(&format!("\"{}\"", "x".repeat(17 << 20)));
    send_line(r#"{"jsonrpc":"2.0","method":"notifications/unheard/of","params":{"a":[1e999]}}"#);
    let log = json!({ "level": "info", "data": "x" });
    let log = json!({ "jsonrpc": "2.0", "method": "notifications/message", "params": log });
    send_line(&log.to_string());
    let mut output = io::stdout().lock();
    output.write_all(b"\xff\xfe\x00\n").unwrap();
}

fn greeting() -> Value {
    json!({ "result": {
        "protocolVersion": "2025-06-18",
        "capabilities": { "tools": {} },
        "serverInfo": { "name": "child", "version": "1" },
        "instructions": " Use it so.\n",
    } })
}

fn list(part: &Value, message: &Value) {
    let page: usize =
        message["params"]["cursor"].as_str().map_or(0, |cursor| cursor.parse().unwrap());
    let pages = part["pages"].as_array().map_or(1, Vec::len);
    let tools = if part["pages"].is_null() { &part["tools"] } else { &part["pages"][page] };
    let mut tools = tools.clone();
    for tool in tools.as_array_mut().into_iter().flatten() {
        // Longer than a variable may be.
        if let Some(times) = tool["description"]["times"].as_u64() {
            tool["description"] = json!("x".repeat(usize::try_from(times).unwrap()));
        }
    }
    let mut result = json!({ "tools": tools });
    if page + 1 < pages || part["endless"] == true {
        result["nextCursor"] = json!(((page + 1) % pages).to_string());
    }
    play(part, message, &part["list"], || json!({ "result": result }));
}

/// Answers as the part says: a word that is acted, an answer, or nothing said, which means `otherwise`.
fn play(part: &Value, message: &Value, what: &Value, otherwise: impl FnOnce() -> Value) {
    match what.as_str() {
        Some("die") => {
            io::stderr().write_all(b"no more\x1b[31m\nof this\n").unwrap();
            process::exit(3);
        }
        Some("hang") => {}
        Some("babble") => send_line("{]"),
        Some(method) => answer(message, &ask(part, method)),
        None if what.is_null() => answer(message, &otherwise()),
        None => answer(message, what),
    }
}

/// Asks the other side something and gives back what it says, as a text.
fn ask(part: &Value, method: &str) -> Value {
    send_line(
        &json!({ "jsonrpc": "2.0", "id": "q", "method": method, "params": part["params"] })
            .to_string(),
    );
    let message = hear().unwrap();
    let said = if message["error"].is_null() { &message["result"] } else { &message["error"] };
    text(&said.to_string())
}

fn answer(message: &Value, answer: &Value) {
    let mut answer = answer.clone();
    answer["jsonrpc"] = json!("2.0");
    answer["id"] = message["id"].clone();
    send_line(&answer.to_string());
}

fn send_line(line: &str) {
    let mut output = io::stdout().lock();
    output.write_all(format!("{line}\n").as_bytes()).unwrap();
    output.flush().unwrap();
}

/// Writes down what was heard.
fn note(part: &Value, message: &Value) {
    if let Some(path) = part["log"].as_str() {
        let mut log = OpenOptions::new().append(true).create(true).open(path).unwrap();
        let reason = message["params"]["requestId"].clone();
        log.write_all(format!("{} {reason}\n", message["method"]).as_bytes()).unwrap();
    }
}
