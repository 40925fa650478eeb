//! Servers behind HTTP.

#![expect(clippy::unwrap_used, reason = "what goes wrong in a helper of a test fails the test")]

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use pretty_assertions::assert_eq;
use recto_core::config::{McpServerConfig, McpTransport};
use recto_core::tools::ToolHandler;
use recto_core::tools::mcp::McpOptions;
use serde_json::{Value, json};

use super::calls::{function_call, texts};
use super::child::{configured, options, ready, tool};

/// A server on the loopback address that answers as a part says; gives its address and the headers of each request.
fn server(tools: Value, status: Option<u16>) -> (String, Receiver<Vec<String>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/mcp", listener.local_addr().unwrap());
    let (sender, heads) = channel();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let (sender, tools) = (sender.clone(), tools.clone());
            std::thread::spawn(move || serve(stream.unwrap(), &tools, status, &sender));
        }
    });
    (address, heads)
}

/// One connection; ends where the other side ends it.
fn serve(stream: TcpStream, tools: &Value, status: Option<u16>, heads: &Sender<Vec<String>>) {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let mut writer = stream;
    loop {
        let mut head = Vec::new();
        let mut line = String::new();
        while reader.read_line(&mut line).is_ok_and(|it| it > 2) {
            head.push(line.trim().to_lowercase());
            line.clear();
        }
        if head.is_empty() {
            return;
        }
        let length = head.iter().find_map(|it| it.strip_prefix("content-length: "));
        let mut body = vec![0; length.map_or(0, |it| it.parse().unwrap())];
        reader.read_exact(&mut body).unwrap();
        let is_post = head[0].starts_with("post");
        let _ = heads.send(head);
        let message: Value = serde_json::from_slice(&body).unwrap_or_default();
        let answer = answer(&message, tools).to_string();
        let response = match (status, is_post, message["id"].is_null()) {
            (Some(status), ..) => {
                format!(
                    "HTTP/1.1 {status} No\r\nwww-authenticate: Bearer\r\ncontent-length: 0\r\n\r\n"
                )
            }
            (_, false, _) => "HTTP/1.1 405 No\r\ncontent-length: 0\r\n\r\n".to_owned(),
            (_, _, true) => "HTTP/1.1 202 Yes\r\ncontent-length: 0\r\n\r\n".to_owned(),
            _ => format!(
                "HTTP/1.1 200 Yes\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{answer}",
                answer.len()
            ),
        };
        if writer.write_all(response.as_bytes()).is_err() {
            return;
        }
    }
}

fn answer(message: &Value, tools: &Value) -> Value {
    let result = match message["method"].as_str() {
        Some("initialize") => json!({
            "protocolVersion": "2025-06-18",
            "capabilities": { "tools": {} },
            "serverInfo": { "name": "http", "version": "1" },
        }),
        Some("tools/list") => json!({ "tools": tools }),
        _ => json!({ "content": [{ "type": "text", "text": "over HTTP" }] }),
    };
    json!({ "jsonrpc": "2.0", "id": message["id"], "result": result })
}

fn http_server(url: &str) -> McpServerConfig {
    let transport = McpTransport::Http {
        url: url.to_owned(),
        bearer_token_env_var: Some("TOKEN".to_owned()),
        http_headers: BTreeMap::from([("X-Own".to_owned(), "own".to_owned())]),
        env_http_headers: BTreeMap::from([("X-Env".to_owned(), "VALUE".to_owned())]),
    };
    configured("h", transport)
}

fn http_options() -> McpOptions {
    let mut options = options();
    options.http = Some(recto_core::http::http_client().unwrap());
    options.variables = [("TOKEN", "sesame"), ("VALUE", "valued")]
        .map(|(k, v)| (k.to_owned(), v.to_owned()))
        .into();
    options
}

#[tokio::test]
async fn a_server_behind_http_is_called_with_its_headers() {
    let (url, heads) = server(json!([tool("t")]), None);
    let (tools, _events, told) = ready(&[http_server(&url)], http_options()).await;
    assert_eq!(told, [""; 0]);
    let output = tools.call(&function_call(None, "mcp__h__t", "{}")).await;
    assert_eq!(texts(output), ["over HTTP"]);
    let first = heads.recv().unwrap();
    for header in ["authorization: bearer sesame", "x-own: own", "x-env: valued"] {
        assert!(first.iter().any(|it| it == header), "{header}: {first:?}");
    }
    tools.shutdown().await;
}

#[tokio::test]
async fn a_server_behind_http_that_cannot_be_used_is_told_without_its_secrets() {
    let (refusing, _heads) = server(json!([]), Some(401));
    let mut unnamed = http_options();
    unnamed.variables.remove("TOKEN");
    let mut mute = http_options();
    mute.http = None;
    let cases = [
        (refusing.as_str(), http_options(), "it wants to know who asks; name the variable"),
        ("nonsense", http_options(), "`url` is no address: relative URL without a base"),
        ("ftp://u:sesame@h/", http_options(), "neither http:// nor https://"),
        ("http://u:sesame@127.0.0.1:1/mcp?key=sesame", http_options(), "(http://127.0.0.1:1/mcp)"),
        ("http://127.0.0.1:1/mcp", unnamed, "the variable `TOKEN` is not set"),
        ("http://127.0.0.1:1/mcp", mute, "nothing here speaks HTTP"),
    ];
    for (url, options, expected) in cases {
        let mut server = http_server(url);
        server.startup_timeout = Some(Duration::from_secs(5));
        let (tools, _events, told) = ready(&[server], options).await;
        assert!(tools.definitions().is_empty());
        assert!(told.len() == 1 && told[0].contains(expected), "{told:?}");
        assert!(!told[0].contains("sesame") && !told[0].contains("valued"), "{told:?}");
    }
}
