//! What a provider answers.

use serde_json::{Value, json};

/// One answer; by default a whole response without items.
#[derive(Debug, Clone)]
pub(crate) struct Answer {
    /// The status line behind the version.
    pub(crate) status: &'static str,
    /// Events that stand before the items, as JSON.
    pub(crate) before: Vec<String>,
    /// The items, as JSON.
    pub(crate) items: Vec<String>,
    /// What it cost, as the provider says.
    pub(crate) tokens: u64,
    /// Whether the provider says nothing more behind the items, until the other side hangs up.
    pub(crate) hangs: bool,
    /// A body that is sent instead of all of it.
    pub(crate) body: Option<String>,
}

impl Default for Answer {
    fn default() -> Self {
        Self {
            status: "200 OK",
            before: Vec::new(),
            items: Vec::new(),
            tokens: 100,
            hangs: false,
            body: None,
        }
    }
}

impl Answer {
    /// A response of these items.
    pub(crate) fn of(items: impl IntoIterator<Item = Value>) -> Self {
        let items = items.into_iter().map(|item| item.to_string()).collect();
        Self { items, ..Self::default() }
    }

    /// The events of the stream; `number` counts the answers of a provider.
    pub(super) fn events(&self, number: usize) -> String {
        let id = format!("resp_{number}");
        let created = json!({"type": "response.created", "response": {"id": id}}).to_string();
        let done = |item| format!(r#"{{"type":"response.output_item.done","item":{item}}}"#);
        let mut events = vec![created];
        events.extend(self.before.iter().cloned());
        events.extend(self.items.iter().map(done));
        if !self.hangs {
            events.push(self.completed(&id));
        }
        let framed = |event: &String| format!("event: {}\ndata: {event}\n\n", name(event));
        events.iter().map(framed).collect::<Vec<String>>().concat()
    }

    fn completed(&self, id: &str) -> String {
        let usage = json!({
            "input_tokens": self.tokens, "input_tokens_details": {"cached_tokens": 0},
            "output_tokens": 0, "output_tokens_details": {"reasoning_tokens": 0},
            "total_tokens": self.tokens,
        });
        json!({"type": "response.completed", "response": {"id": id, "usage": usage}}).to_string()
    }
}

/// The name of an event, which its data says too.
fn name(event: &str) -> String {
    let event: Value = serde_json::from_str(event).unwrap_or_default();
    event["type"].as_str().unwrap_or_default().to_owned()
}

/// A message of the model.
pub(crate) fn message(id: &str, text: &str) -> Value {
    json!({
        "type": "message", "id": id, "role": "assistant",
        "content": [{"type": "output_text", "text": text}],
    })
}
