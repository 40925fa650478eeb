//! What a conversation costs.

use std::collections::BTreeMap;

use pretty_assertions::assert_eq;
use recto_core::history::tokens::{IMAGE_TOKENS, Tokenizer, usage};
use recto_protocol::{Item, TokenUsage};
use serde_json::json;

use super::notation::{history, items, of_json, prompt};

fn message(part: &serde_json::Value) -> Item {
    of_json(&json!({"type": "message", "role": "user", "content": [part]}))
}

fn total(total_tokens: u64) -> TokenUsage {
    TokenUsage { total_tokens, ..TokenUsage::default() }
}

#[test]
fn b120_a_picture_costs_the_same_whatever_its_bytes() {
    let picture = format!("data:image/jpeg;base64,/9j/{}", "A".repeat(1_000_000));
    let text = "A".repeat(1_000_000);
    for (part, expected) in [
        (json!({"type": "input_image", "image_url": picture}), IMAGE_TOKENS),
        (json!({"type": "input_text", "text": text}), 250_000),
        // A text stands for it, which costs its 66 bytes.
        (json!({"type": "input_image", "image_url": "https://x.example/a.png"}), 17),
    ] {
        let history = history([message(&part)]);
        assert_eq!(history.estimated_tokens(), expected);
    }
}

#[test]
fn the_estimate_is_of_what_goes_out() {
    let mut history =
        history(items("U(12345678) A(1234) FC(c1) FO(c1,12345) X(new) FO(c9,orphan)"));
    assert_eq!(history.estimated_tokens(), 2 + 1 + (1 + 1) + 2);
    history.record(items("FC(c2)"));
    assert_eq!(history.estimated_tokens(), 7 + 2 + 2, "`aborted` is two tokens");
    history.record(items("FO(c2,1234)"));
    assert_eq!(history.estimated_tokens(), 7 + 2 + 1);
}

#[test]
fn what_came_after_the_servers_count_is_added_to_it() {
    let mut history = history(items("U(1234) A(1234)"));
    assert_eq!(history.context_tokens(), 2);
    history.note_usage(&total(1_000));
    assert_eq!(history.context_tokens(), 1_000);
    history.record(items("U(12345678)"));
    assert_eq!(history.context_tokens(), 1_002);
    history.begin_turn();
    history.record(items("U(1234)"));
    history.note_usage(&total(5_000));
    history.roll_back(1).unwrap();
    assert_eq!(history.context_tokens(), 1_002);
    history.replace(items("U(1234)"));
    assert_eq!(history.context_tokens(), 1);
}

#[test]
fn b139_a_context_that_is_too_long_counts_as_the_whole_window() {
    let mut history = history(items("U(1234)"));
    history.note_usage(&total(258_400));
    assert_eq!(history.context_tokens(), 258_400);
    assert_eq!(history.items().len(), 1);
}

#[test]
fn an_inspector_sees_what_each_source_costs() {
    let recorded =
        "C(12345678) D(1234) U(1234) A(1234) R(12345678) A(1234) FC(c1) FO(c1,1234) U(1234)";
    let typed = of_json(&json!({
        "type": "message", "role": "user",
        "content": [
            {"type": "input_text", "text": "# AGENTS.md instructions\n\n<INSTRUCTIONS>\n</INSTRUCTIONS>"},
        ],
    }));
    let mut history = history(items(recorded));
    history.record([typed]);
    let expected: BTreeMap<String, u64> = [
        ("assistant.text", 2),
        ("developer.text", 1),
        ("environments.environment_context", 2),
        ("function_call", 2),
        ("function_call_output", 1),
        ("reasoning", 2),
        ("user.context", 14),
        ("user.text", 2),
    ]
    .map(|(source, tokens)| (source.to_owned(), tokens))
    .into();
    assert_eq!(usage(&prompt(&history).input, Tokenizer::Bytes), expected);
    assert_eq!(expected.values().sum::<u64>(), history.estimated_tokens());
}

#[test]
fn an_estimate_says_that_it_is_one() {
    assert_eq!((Tokenizer::Bytes.name(), Tokenizer::Bytes.is_exact()), ("bytes/4", false));
}

#[cfg(feature = "tiktoken")]
#[test]
fn an_exact_count_is_that_of_the_o200k_table() {
    assert_eq!((Tokenizer::O200k.name(), Tokenizer::O200k.is_exact()), ("o200k_base", true));
    assert_eq!(Tokenizer::O200k.count("hello world"), 2);
    assert_eq!(Tokenizer::O200k.count("<|endoftext|>"), 7, "special tokens are plain text");
    assert_eq!(Tokenizer::O200k.count(""), 0);
}
