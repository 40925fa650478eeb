//! What is compared.

use serde_json::Value;

/// What a model is told of a server's tools, and of its calls in their order.
#[derive(Debug)]
pub(super) struct Compared {
    pub(super) tools: Vec<Value>,
    pub(super) outputs: Vec<Value>,
}

impl Compared {
    /// All of it as lines. The time of a call is left out, and so is the order of members in structured content.
    pub(super) fn readable(&self) -> String {
        let tools = self.tools.iter().map(|it| pretty(&without_questions(it)));
        let outputs = self.outputs.iter().map(|it| pretty(&without_time(it)));
        tools.chain(outputs).collect::<Vec<_>>().join("\n")
    }
}

fn pretty(value: &Value) -> String {
    serde_json::to_string_pretty(value).unwrap_or_default()
}

/// A namespace without the tools that its server shows only to those whom it may ask something: the reference may be
/// asked.
fn without_questions(namespace: &Value) -> Value {
    let mut namespace = namespace.clone();
    if let Some(Value::Array(tools)) = namespace.get_mut("tools") {
        tools.retain(|it| !it["name"].as_str().is_some_and(|it| it.contains("elicitation")));
    }
    namespace
}

fn without_time(output: &Value) -> Value {
    match output {
        Value::String(text) => {
            let (head, rest) = text.split_once("Output:\n").unwrap_or(("", text));
            let structured: Value = serde_json::from_str(rest).unwrap_or_else(|_| rest.into());
            serde_json::json!([shape_of(head), "structured", structured])
        }
        Value::Array(parts) => {
            let mut parts = parts.clone();
            if let Some(Value::String(text)) = parts.first_mut().map(|it| &mut it["text"]) {
                *text = shape_of(text);
            }
            Value::Array(parts)
        }
        other => other.clone(),
    }
}

/// The line with the time, digits aside.
fn shape_of(head: &str) -> String {
    let head = head.trim_end().trim_end_matches("Output:").trim_end();
    head.chars().filter(|it| !it.is_ascii_digit()).collect()
}
