//! What a tool gave back, in the form of `codex exec --json`.

use recto_protocol::{ContentItem, OutputPayload};
use serde::Serialize;
use serde_json::{Value, json};

/// What a tool gave back.
#[derive(Debug, Serialize)]
pub(super) struct CallResult {
    content: Vec<Value>,
    /// Not kept: the model reads the parts.
    structured_content: Option<Value>,
}

impl CallResult {
    pub(super) fn of(output: &OutputPayload) -> Self {
        let content = match output {
            OutputPayload::Text(text) => vec![json!({"type": "text", "text": text})],
            OutputPayload::Content(parts) => parts.iter().map(part).collect(),
        };
        Self { content, structured_content: None }
    }
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
