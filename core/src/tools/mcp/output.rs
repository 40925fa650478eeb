//! What a model reads of a call's result, as the reference writes it.

use std::borrow::Cow;
use std::time::Duration;

use recto_protocol::{ContentItem, ImageDetail, OutputPayload};
use rmcp::model::{CallToolResult, ContentBlock};

use crate::rollout::bound_output;

/// Bytes of a token, where nobody counts.
const TOKEN_BYTES: usize = 4;

/// What a model reads, and how many bytes of text there were if not all of them are in it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Rendered {
    pub(super) output: OutputPayload,
    pub(super) cut_from: Option<usize>,
    /// Whether the tool says that it failed.
    pub(super) is_error: bool,
}

/// Renders a result: its structured content as JSON where it has some, else its parts.
pub(super) fn render(result: CallToolResult, time: Duration, max_tokens: usize) -> Rendered {
    let is_error = result.is_error == Some(true);
    let structured = result.structured_content.filter(|it| !it.is_null());
    let output = match structured {
        Some(value) => OutputPayload::Text(value.to_string()),
        None => OutputPayload::Content(result.content.into_iter().filter_map(part).collect()),
    };
    Rendered { is_error, ..bounded(output, time, max_tokens) }
}

/// Tells that a call failed, and why.
pub(super) fn failure(
    server: &str,
    tool: &str,
    cause: &str,
    time: Duration,
    max_tokens: usize,
) -> Rendered {
    let text = format!(
        "tool call error: tool call failed for `{server}/{tool}`\n\nCaused by:\n    {cause}"
    );
    bounded(OutputPayload::Content(vec![ContentItem::InputText { text }]), time, max_tokens)
}

/// Tells something in place of an output.
pub(super) fn refusal(text: String) -> OutputPayload {
    let parts = [head(Duration::ZERO), text].map(|text| ContentItem::InputText { text });
    OutputPayload::Content(parts.into())
}

/// An output of a size that a model is shown, with the time that it took before it.
fn bounded(output: OutputPayload, time: Duration, max_tokens: usize) -> Rendered {
    let head = head(time);
    let bytes = text_bytes(&output);
    let (output, cut_from) = match bound_output(&output, max_tokens.saturating_mul(TOKEN_BYTES)) {
        Cow::Borrowed(_) => (output, None),
        Cow::Owned(cut) => (cut, Some(bytes)),
    };
    let output = match output {
        OutputPayload::Text(text) => OutputPayload::Text(format!("{head}\n{text}")),
        OutputPayload::Content(mut parts) => {
            parts.insert(0, ContentItem::InputText { text: head });
            OutputPayload::Content(parts)
        }
    };
    Rendered { output, cut_from, is_error: false }
}

fn head(time: Duration) -> String {
    format!("Wall time: {:.4} seconds\nOutput:", time.as_secs_f64())
}

fn text_bytes(output: &OutputPayload) -> usize {
    match output {
        OutputPayload::Text(text) => text.len(),
        OutputPayload::Content(parts) => {
            parts.iter().filter_map(ContentItem::text).map(str::len).sum()
        }
    }
}

/// One part; none for an empty text. What is neither text nor picture is told as its JSON.
fn part(block: ContentBlock) -> Option<ContentItem> {
    let text = match block {
        ContentBlock::Text(text) if text.text.is_empty() => return None,
        ContentBlock::Text(text) => text.text,
        ContentBlock::Image(image) => {
            let image_url = if image.data.starts_with("data:") {
                image.data
            } else {
                format!("data:{};base64,{}", image.mime_type, image.data)
            };
            return Some(ContentItem::InputImage { image_url, detail: Some(ImageDetail::High) });
        }
        ContentBlock::Audio(_) => {
            "<audio content omitted because you do not support audio input>".to_owned()
        }
        other => serde_json::to_string(&other).unwrap_or_default(),
    };
    Some(ContentItem::InputText { text })
}
