//! Servers that misbehave: each ends in the right answer or in one clear error.

use std::time::Duration;

use pretty_assertions::assert_eq;
use recto_core::model::{Provider, SampleEnd, SampleError};

use super::asking::{Answer, COMPLETED, ask, patient, provider};
use super::server::{Act, Server, events, head, json, stream_head, write};

const DONE: &str = r#"{"type":"response.output_item.done","output_index":0,"item":{"type":"message","id":"msg_1","role":"assistant","content":[]}}"#;
const ITEM: &str = r#"item {"type":"message","id":"msg_1","role":"assistant","content":[]}"#;

fn good() -> Vec<Act> {
    vec![stream_head(), events(&[DONE, COMPLETED])]
}

/// Asks a server with this script as often as usual; gives the answer and how many questions it took.
async fn ask_patiently(script: Vec<Vec<Act>>) -> (Answer, usize) {
    let server = Server::start(script).await;
    let answer = ask(patient(&server)).await;
    (answer, server.requests().len())
}

fn failed(answer: Answer) -> (String, Option<String>) {
    match answer.end {
        Err(SampleError::Failed { message, hint }) => (message, hint),
        other => panic!("it did not fail: {other:?}"),
    }
}

#[tokio::test(start_paused = true)]
async fn what_may_pass_is_asked_again_until_it_is_answered() {
    let busy = |headers| json(429, headers, r#"{"error":{"message":"slow down"}}"#);
    let overloaded = r#"{"type":"response.failed","response":{"error":{"code":"server_is_overloaded","message":"busy"}}}"#;
    for (name, fault) in [
        ("429 without a time", busy("")),
        ("429 with a time", busy("retry-after: 7\r\n")),
        ("500", json(500, "", "{}")),
        ("503 as a page", vec![head(503, ""), write("<html>down</html>")]),
        ("reset before the answer", vec![Act::Reset]),
        ("reset in mid-stream", vec![stream_head(), events(&[DONE]), Act::Reset]),
        ("an early end", vec![stream_head(), events(&[DONE])]),
        ("an end at once", vec![stream_head()]),
        ("half an event", vec![stream_head(), write(&COMPLETED[..40])]),
        ("an event that is no JSON", vec![stream_head(), write("data: {\"type\":\n\n")]),
        ("bytes that are no text", vec![stream_head(), Act::Write(b"data: \"\xff\"\n\n".to_vec())]),
        ("a failed answer", vec![stream_head(), events(&[overloaded])]),
        (
            "an error in mid-stream",
            vec![stream_head(), events(&[DONE, r#"{"type":"error","message":"oops"}"#])],
        ),
        (
            "an error without a type",
            vec![stream_head(), events(&[r#"{"error":{"message":"oops","code":500}}"#])],
        ),
        ("a stall", vec![stream_head(), events(&[DONE]), Act::Hang]),
        ("silence", vec![Act::Hang]),
    ] {
        let (answer, requests) = ask_patiently(vec![fault, good()]).await;
        assert_eq!(answer.end, Ok(SampleEnd::default()), "{name}");
        let after: Vec<_> =
            answer.events.iter().skip_while(|it| !it.starts_with("retry")).collect();
        assert_eq!((after.len(), after[1].as_str(), requests), (2, ITEM, 2), "{name}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_server_that_asks_for_time_gets_it() {
    let started = tokio::time::Instant::now();
    let busy = json(429, "retry-after: 7\r\n", "{}");
    let (answer, _) = ask_patiently(vec![busy, good()]).await;
    assert_eq!(
        answer.events,
        ["retry Test takes no more requests for now; asking again in 7.0 s", ITEM]
    );
    assert_eq!(started.elapsed().as_secs(), 7);
    let (answer, requests) = ask_patiently(vec![json(429, "retry-after: 3600\r\n", "{}")]).await;
    assert_eq!(
        (failed(answer), requests),
        (
            (
                "Test takes no more requests for now".to_owned(),
                Some("it asks to wait 3600 s".to_owned())
            ),
            1
        )
    );
}

#[tokio::test(start_paused = true)]
async fn attempts_are_counted_and_waits_grow() {
    let started = tokio::time::Instant::now();
    let (answer, requests) = ask_patiently(vec![json(500, "", "{}"); 6]).await;
    assert_eq!(requests, 5);
    insta::assert_snapshot!(answer.events.join("\n"), @"
    retry Test failed with 500 Internal Server Error; asking again in 0.2 s
    retry Test failed with 500 Internal Server Error; asking again in 0.4 s
    retry Test failed with 500 Internal Server Error; asking again in 0.8 s
    retry Test failed with 500 Internal Server Error; asking again in 1.7 s
    ");
    assert_eq!(failed(answer), ("Test failed with 500 Internal Server Error".to_owned(), None));
    assert!(started.elapsed() < Duration::from_secs(4), "{:?}", started.elapsed());
    let (_, requests) = ask_patiently(vec![vec![stream_head()]; 7]).await;
    assert_eq!(requests, 6);
}

#[tokio::test(start_paused = true)]
async fn a_prompt_that_does_not_fit_is_told_as_that_and_not_asked_again() {
    let error = r#""error":{"type":"invalid_request_error","code":"context_length_exceeded","message":"too long"}"#;
    let failed =
        format!(r#"{{"type":"response.failed","response":{{"status":"failed",{error}}}}}"#);
    let llama = r#"{"error":{"code":400,"message":"the request exceeds the available context size","type":"exceed_context_size_error"}}"#;
    for (fault, message) in [
        (json(400, "", &format!("{{{error}}}")), "too long"),
        (vec![stream_head(), events(&[&failed])], "too long"),
        (json(400, "", llama), "the request exceeds the available context size"),
    ] {
        let (answer, requests) = ask_patiently(vec![fault]).await;
        let message = message.to_owned();
        assert_eq!((answer.end, requests), (Err(SampleError::ContextTooLong { message }), 1));
    }
}

#[tokio::test(start_paused = true)]
async fn what_cannot_pass_is_one_error_with_a_hint() {
    let cut = r#"{"type":"response.incomplete","response":{"incomplete_details":{"reason":"max_output_tokens"}}}"#;
    let mut told = String::new();
    for fault in [
        json(400, "", r#"{"error":{"message":"bad\nrequest","code":"invalid_request_error"}}"#),
        json(401, "", r#"{"error":{"message":"no such key","code":"invalid_api_key"}}"#),
        json(403, "", r#"{"detail":"not here"}"#),
        json(404, "", r#"{"detail":"Not Found"}"#),
        json(
            404,
            "",
            r#"{"error":{"message":"The model `gpt-5.5` does not exist","code":"model_not_found"}}"#,
        ),
        json(400, "", r#"{"error":"model 'gpt-5.5' not found"}"#),
        json(429, "", r#"{"error":{"message":"no money","code":"insufficient_quota"}}"#),
        vec![head(302, "location: https://elsewhere.example/v2?key=1\r\n")],
        vec![head(200, "content-type: text/html\r\n"), write("<html>Log in</html>")],
        json(200, "", r#"{"error":{"message":"no","code":"invalid_request_error"}}"#),
        json(200, "", r#"{"object":"response","output":[]}"#),
        vec![stream_head(), events(&[DONE, cut])],
    ] {
        let server = Server::start(vec![fault]).await;
        let (message, hint) = failed(ask(patient(&server)).await);
        let message = message.replace(&server.base_url, "URL");
        let hint = hint.unwrap_or_default().replace(&server.base_url, "URL");
        told = told + &message + "\n    " + &hint + "\n";
        assert_eq!(server.requests().len(), 1, "{message}");
    }
    insta::assert_snapshot!(told, @"
    Test refused with 400 Bad Request: bad request (invalid_request_error)
        
    Test refused the key: no such key (invalid_api_key)
        no key was sent: name the variable that holds it in `env_key` of the provider `Test`
    Test does not allow this: not here
        may the key use the model `gpt-5.5`, and from here?
    Test has no Responses endpoint at URL/responses: Not Found
        check `base_url`; a server that only knows chat completions can stand behind LiteLLM
    Test has no model `gpt-5.5`: The model `gpt-5.5` does not exist (model_not_found)
        name another one in `model`
    Test has no model `gpt-5.5`: model 'gpt-5.5' not found
        name another one in `model`
    Test takes no more requests for now: no money (insufficient_quota)
        see what your plan allows
    Test is at another address: https://elsewhere.example/v2
        set `base_url` of the provider `Test` to the new address
    Test answered with text/html instead of a stream of events
        is there a server of the Responses API behind URL/responses, or a proxy or login page?
    the model's server failed: no (invalid_request_error)
        
    Test answered with application/json instead of a stream of events
        is there a server of the Responses API behind URL/responses, or a proxy or login page?
    the server stopped before its answer was whole: max_output_tokens
        ask it to go on
    ");
}

#[tokio::test(start_paused = true)]
async fn what_is_slow_or_long_is_taken() {
    let text = "x".repeat(10 << 20);
    let long = format!(
        r#"{{"type":"response.output_item.done","item":{{"type":"message","role":"assistant","content":[{{"type":"output_text","text":"{text}"}}]}}}}"#
    );
    let (answer, _) = ask_patiently(vec![vec![stream_head(), events(&[&long, COMPLETED])]]).await;
    assert_eq!(answer.end, Ok(SampleEnd::default()));
    assert!(answer.events[0].len() > text.len());

    let drip = format!(": hello\n\ndata: {DONE}\r\n\r\nevent: x\rdata: {COMPLETED}\r\r");
    let drops = drip.bytes().flat_map(|byte| [Act::Wait(200), Act::Write(vec![byte])]);
    let (answer, requests) =
        ask_patiently(vec![[stream_head()].into_iter().chain(drops).collect()]).await;
    assert_eq!(
        (answer.events, answer.end, requests),
        (vec![ITEM.to_owned()], Ok(SampleEnd::default()), 1)
    );
}

#[tokio::test]
async fn an_event_without_end_is_refused() {
    let endless = Act::Write("data: ".bytes().chain([b'x'; 1].repeat(33 << 20)).collect());
    let (answer, requests) = ask_patiently(vec![vec![stream_head(), endless, Act::Hang]]).await;
    assert_eq!(
        (failed(answer).0, requests),
        ("the answer cannot be taken: an event is over 33554432 bytes".to_owned(), 1)
    );
}

#[tokio::test(start_paused = true)]
async fn a_server_that_cannot_be_reached_is_named_with_the_reason() {
    let server = Server::start(Vec::new()).await;
    let gone = server.base_url.clone();
    drop(server);
    let closed = std::net::TcpListener::bind(("127.0.0.1", 0)).expect("a port is free");
    let address = format!("http://user:hidden@{}/v1", closed.local_addr().expect("it listens"));
    drop(closed);
    drop(gone);
    let refused = Provider::new("Test", &address).expect("it is an address");
    let (message, hint) = failed(ask(Provider { request_max_retries: 1, ..refused }).await);
    let shown = address.replace("user:hidden@", "");
    assert_eq!(
        message,
        format!("Test cannot be reached at {shown}/responses: Connection refused (os error 111)")
    );
    assert_eq!(
        hint.as_deref(),
        Some("does a server run there? check `base_url` of the provider `Test` and your network")
    );
    let unknown =
        Provider::new("Test", "http://no-such-host.invalid/v1").expect("it is an address");
    let (message, _) = failed(ask(Provider { request_max_retries: 0, ..unknown }).await);
    assert!(
        message.starts_with("Test cannot be reached at http://no-such-host.invalid/v1/responses: "),
        "{message}"
    );
}

#[tokio::test(start_paused = true)]
async fn a_server_without_tls_is_told_from_one_that_is_away() {
    let server = Server::start_raw(vec![write("HTTP/1.1 400 Bad Request\r\n\r\n")]).await;
    let url = server.base_url.replace("http:", "https:");
    let (message, _) = failed(ask(Provider::new("Test", &url).expect("it is an address")).await);
    assert_eq!(
        message,
        format!(
            "Test has no safe connection at {url}/responses: received corrupt message of type InvalidContentType"
        )
    );
}

#[tokio::test]
async fn a_key_that_the_server_says_again_is_not_told() {
    let echo = json(401, "", r#"{"error":{"message":"Incorrect API key provided: sk-secret-1"}}"#);
    let server = Server::start(vec![echo]).await;
    let variable = |name: &str| (name == "TEST_KEY").then(|| " sk-secret-1\n".to_owned());
    let config = recto_core::config::ModelProvider {
        name: "Test".to_owned(),
        base_url: Some(server.base_url.clone()),
        env_key: Some("TEST_KEY".to_owned()),
        ..Default::default()
    };
    let provider = Provider::resolve("test", &config, variable).expect("all is there");
    assert!(!format!("{provider:?}").contains("secret-1"));
    let answer = ask(provider).await;
    assert_eq!(
        failed(answer),
        (
            "Test refused the key: Incorrect API key provided: [redacted]".to_owned(),
            Some("check the key in TEST_KEY".to_owned())
        )
    );
    assert_eq!(server.requests()[0].header("authorization"), Some("bearer sk-secret-1"));
}

#[tokio::test]
async fn who_asks_no_more_is_gone_at_once() {
    let server = Server::start(vec![vec![stream_head(), events(&[DONE]), Act::Hang]]).await;
    tokio::select! {
        answer = ask(provider(&server)) => panic!("it cannot end: {answer:?}"),
        () = server.has_written() => {}
    }
    server.is_left().await;
}
