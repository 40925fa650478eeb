//! What a tool gave back, in the form of `codex exec --json`.

use recto_protocol::{ContentItem, OutputPayload};
use serde::Serialize;
use serde_json::{Value, json};

use super::item::{is_head, without_head};

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
