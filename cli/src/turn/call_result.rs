//! What a tool gave back, in the form of `codex exec --json`.

use recto_protocol::{ContentItem, OutputPayload};
use serde::Serialize;
use serde_json::{Value, json};

/// How the part begins and ends that tells how long a call took.
const HEAD: &str = "Wall time: ";
const HEAD_END: &str = "Output:";

/// What a tool gave back.
#[derive(Debug, Serialize)]
pub(super) struct CallResult {
    content: Vec<Value>,
    structured_content: Option<Value>,
}

impl CallResult {
    pub(super) fn of(output: &OutputPayload) -> Self {
        match output {
            OutputPayload::Text(text) => {
                let text = without_head(text);
                let content = vec![json!({"type": "text", "text": text})];
                Self { content, structured_content: serde_json::from_str(text).ok() }
            }
            OutputPayload::Content(parts) => {
                let is_head = parts.first().and_then(ContentItem::text).is_some_and(is_head);
                let parts = parts.iter().skip(usize::from(is_head));
                Self { content: parts.map(part).collect(), structured_content: None }
            }
        }
    }
}

/// Whether a part tells how long a call took; a model reads that first.
fn is_head(text: &str) -> bool {
    text.starts_with(HEAD) && text.ends_with(HEAD_END)
}

/// What a call gave, without how long it took.
fn without_head(text: &str) -> &str {
    let head = text.split_once('\n').and_then(|(time, rest)| {
        let output = rest.strip_prefix(HEAD_END).and_then(|it| it.strip_prefix('\n'));
        output.filter(|_| time.starts_with(HEAD))
    });
    head.unwrap_or(text)
}

/// A part as the Model Context Protocol has it.
fn part(part: &ContentItem) -> Value {
    match part {
        ContentItem::InputText { text } | ContentItem::OutputText { text } => {
            json!({"type": "text", "text": text})
        }
        ContentItem::InputImage { image_url, .. } => {
            let parts = image_url.strip_prefix("data:").and_then(|it| it.split_once(";base64,"));
            let (kind, data) = parts.unwrap_or(("", image_url));
            json!({"type": "image", "mimeType": kind, "data": data})
        }
        ContentItem::Other(other) => other.clone(),
    }
}
