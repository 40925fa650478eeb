//! `prompt --format json`.

use std::borrow::Cow;

use recto_context_fragments::approximate_tokens;
use recto_core::session::{Origin, Provenance, provenance};
use recto_protocol::{
    BaseInstructionsSource, ContentItem, ContentKind, Item, Prompt, ResponseItem, Role,
};
use serde::Serialize;
use serde_json::value::RawValue;

use super::diagnostics::Diagnostic;
use super::json::SCHEMA_VERSION;
use crate::engine::Captured;

/// The document. Tokens are estimates: four bytes each, rounded up. Ranges are bytes of the part's text.
#[derive(Debug, Serialize)]
pub(crate) struct PromptDocument<'a> {
    schema_version: u32,
    model: &'a str,
    prompt: PromptMember<'a>,
    totals: Totals,
    diagnostics: &'a [Diagnostic],
}

#[derive(Debug, Serialize)]
struct PromptMember<'a> {
    base_instructions: BaseInstructionsMember<'a>,
    input: Vec<ItemMember<'a>>,
    tools: &'a [Box<RawValue>],
}

#[derive(Debug, Serialize)]
struct BaseInstructionsMember<'a> {
    source: &'a BaseInstructionsSource,
    path: Option<String>,
    tokens: usize,
    text: &'a str,
}

#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum ItemMember<'a> {
    Message {
        role: Role,
        parts: Vec<PartMember<'a>>,
    },
    /// Any other item, as it goes out.
    Other {
        json: Cow<'a, str>,
    },
}

#[derive(Debug, Serialize)]
struct PartMember<'a> {
    kind: Option<&'a str>,
    tokens: Option<usize>,
    text: Option<&'a str>,
    provenance: Vec<SpanMember>,
}

#[derive(Debug, Serialize)]
struct SpanMember {
    start: usize,
    end: usize,
    origin: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    key: Option<String>,
}

#[derive(Debug, Serialize)]
struct Totals {
    items: usize,
    bytes: usize,
    tokens: usize,
}

/// All of it as one document.
pub(crate) fn document<'a>(
    captured: &'a Captured,
    prompt: &'a Prompt,
    diagnostics: &'a [Diagnostic],
) -> PromptDocument<'a> {
    let base = &prompt.base_instructions;
    let file = captured.instructions_file();
    let path = file.filter(|_| base.source == BaseInstructionsSource::Config);
    let bytes = base.text.len() + prompt.input.iter().map(bytes).sum::<usize>();
    PromptDocument {
        schema_version: SCHEMA_VERSION,
        model: &captured.model.info.slug,
        prompt: PromptMember {
            base_instructions: BaseInstructionsMember {
                source: &base.source,
                path: path.map(|it| it.to_string_lossy().into_owned()),
                tokens: approximate_tokens(base.text.len()),
                text: &base.text,
            },
            input: prompt.input.iter().map(|it| item(captured, it)).collect(),
            tools: &prompt.tools,
        },
        totals: Totals { items: prompt.input.len(), bytes, tokens: approximate_tokens(bytes) },
        diagnostics,
    }
}

/// Bytes of what a model reads of an item.
fn bytes(item: &Item) -> usize {
    match item.view() {
        ResponseItem::Message(message) => {
            message.content.iter().filter_map(ContentItem::text).map(str::len).sum()
        }
        _ => item.wire_json().len(),
    }
}

fn item<'a>(captured: &Captured, item: &'a Item) -> ItemMember<'a> {
    let ResponseItem::Message(message) = item.view() else {
        return ItemMember::Other { json: item.wire_json() };
    };
    let mut sources = provenance(&captured.step.facts, item).into_iter();
    let mut kinds = item.kinds().iter();
    let parts = message.content.iter().map(|part| {
        let text = part.text();
        PartMember {
            kind: kinds.next().map(ContentKind::as_str),
            tokens: text.map(|text| approximate_tokens(text.len())),
            text,
            provenance: sources.next().unwrap_or_default().iter().map(span).collect(),
        }
    });
    ItemMember::Message { role: message.role, parts: parts.collect() }
}

fn span(span: &Provenance) -> SpanMember {
    let (origin, path, key) = match &span.origin {
        Origin::File(path) => ("file", Some(path.to_string_lossy().into_owned()), None),
        Origin::Setting(key) => ("setting", None, Some((*key).to_owned())),
        Origin::Captured => ("captured", None, None),
        Origin::Person => ("person", None, None),
        Origin::Outside(key) => ("outside", None, Some(key.clone())),
        Origin::Engine => ("engine", None, None),
    };
    SpanMember { start: span.range.start, end: span.range.end, origin, path, key }
}
