//! Answers as servers stream them.

use pretty_assertions::assert_eq;
use recto_core::model::SampleEnd;
use recto_protocol::TokenUsage;

use super::asking::{ask, ask_model, provider};
use super::server::{Server, events, stream_head};

#[tokio::test]
async fn a_question_is_asked_and_its_answer_comes_as_it_is_written() {
    let answer = events(&[
        r#"{"type":"response.created","response":{"id":"resp_1"}}"#,
        r#"{"type":"response.output_item.added","output_index":0,"item":{"type":"reasoning"}}"#,
        r#"{"type":"response.reasoning_summary_text.delta","delta":"Hm."}"#,
        r#"{"type":"response.output_item.done","output_index":0,"item":{"type":"reasoning","id":"rs_1"}}"#,
        r#"{"type":"response.output_item.added","output_index":1,"item":{"type":"message"}}"#,
        r#"{"type":"response.output_text.delta","output_index":1,"delta":"He"}"#,
        r#"{"type":"response.output_text.delta","output_index":1,"delta":"llo"}"#,
        r#"{"type":"response.output_item.done","output_index":1,"item":{"type":"message","id":"msg_1", "role":"assistant","content":[{"type":"output_text","text":"Hello"}]}}"#,
        r#"{"type":"response.completed","response":{"id":"resp_1","usage":{"input_tokens":7,"input_tokens_details":{"cached_tokens":5},"output_tokens":3,"output_tokens_details":{"reasoning_tokens":1},"total_tokens":10}}}"#,
    ]);
    let server = Server::start(vec![vec![stream_head(), answer]]).await;
    let answer = ask(provider(&server)).await;
    assert_eq!(
        answer.events,
        [
            "thought Hm.",
            r#"item {"type":"reasoning","id":"rs_1"}"#,
            "text He",
            "text llo",
            r#"item {"type":"message","id":"msg_1", "role":"assistant","content":[{"type":"output_text","text":"Hello"}]}"#,
        ]
    );
    let usage = TokenUsage {
        input_tokens: 7,
        cached_input_tokens: 5,
        output_tokens: 3,
        reasoning_output_tokens: 1,
        total_tokens: 10,
    };
    assert_eq!(answer.end, Ok(SampleEnd { usage: Some(usage) }));
    let requests = server.requests();
    assert_eq!(requests.len(), 1);
    insta::assert_snapshot!(requests[0].body, @r#"{"model":"gpt-5.5","instructions":"Be brief.","stream":true,"input":[{"type":"message","role":"user","content":[{"type":"input_text","text":"hi"}]}],"tools":[],"tool_choice":"auto","parallel_tool_calls":true,"reasoning":{"effort":"medium"},"store":false,"include":["reasoning.encrypted_content"],"prompt_cache_key":"thread-1","text":{"verbosity":"low"}}"#);
    let address = server.base_url.replace("http://", "").replace("/v1", "");
    let head = requests[0].head.join("\n").replace(&address, "ADDRESS");
    insta::assert_snapshot!(head, @"
    accept: text/event-stream
    content-length: 353
    content-type: application/json
    host: ADDRESS
    post /v1/responses http/1.1
    user-agent: recto/0.1.0
    ");
}

#[tokio::test]
async fn a_request_on_responses_lite_says_so() {
    let server = Server::start(vec![vec![stream_head()]]).await;
    ask_model(provider(&server), "gpt-6.2-sol").await;
    let requests = server.requests();
    assert_eq!(requests[0].header("x-openai-internal-codex-responses-lite"), Some("true"));
    insta::assert_snapshot!(requests[0].body, @r#"{"model":"gpt-6.2-sol","stream":true,"input":[{"type":"additional_tools","role":"developer","tools":[]},{"type":"message","role":"developer","content":[{"type":"input_text","text":"Be brief."}]},{"type":"message","role":"user","content":[{"type":"input_text","text":"hi"}]}],"tool_choice":"auto","parallel_tool_calls":false,"reasoning":{"effort":"low","context":"all_turns"},"store":false,"include":["reasoning.encrypted_content"],"prompt_cache_key":"thread-1","text":{"verbosity":"low"}}"#);
}
