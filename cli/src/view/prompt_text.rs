//! `prompt` for people: every part under a line that says what it is, where it came from and what it costs.

use recto_context_fragments::approximate_tokens;
use recto_core::session::{Origin, Provenance, provenance};
use recto_protocol::{
    BaseInstructionsSource, ContentItem, ContentKind, Item, Prompt, ResponseItem,
};

use super::layout::{WIDTH, approximately, counted, one_line, readable, width};
use super::names::PathNames;
use super::page::Page;
use super::palette::{HEADING, PROJECT, QUIET, paint};
use crate::engine::Captured;

/// The whole view.
pub(crate) fn render(captured: &Captured, prompt: &Prompt) -> String {
    let names = PathNames::of(captured);
    let base = &prompt.base_instructions;
    let mut page = Page::default();
    page.line(rule("base instructions", &cost(&base.text)));
    page.line(paint(QUIET, base_source(&base.source, captured, &names)));
    page.gap();
    page.block(&readable(&base.text));
    for (at, item) in prompt.input.iter().enumerate() {
        page.gap();
        add_item(&mut page, captured, &names, (at + 1, item));
    }
    page.gap();
    page.line(totals(prompt));
    page.into()
}

fn base_source(source: &BaseInstructionsSource, captured: &Captured, names: &PathNames) -> String {
    match source {
        BaseInstructionsSource::Config => match captured.instructions_file() {
            Some(path) => format!("from {}", names.short(path)),
            None => "from the configuration".to_owned(),
        },
        BaseInstructionsSource::Session => "recorded with the session".to_owned(),
        BaseInstructionsSource::Model => {
            format!("the text for the model {}", one_line(&captured.model.info.slug))
        }
    }
}

fn add_item(
    page: &mut Page,
    captured: &Captured,
    names: &PathNames,
    (number, item): (usize, &Item),
) {
    let ResponseItem::Message(message) = item.view() else {
        page.line(rule(&format!("{number} item"), &cost(&item.wire_json())));
        page.block(&readable(&item.wire_json()));
        return;
    };
    let texts: Vec<&str> = message.content.iter().filter_map(ContentItem::text).collect();
    page.line(rule(&format!("{number} {}", message.role), &cost(&texts.concat())));
    let sources = provenance(&captured.step.facts, item);
    for (at, part) in message.content.iter().enumerate() {
        if at > 0 {
            page.gap();
        }
        let spans = sources.get(at).map_or(&[][..], Vec::as_slice);
        let kind = item.kinds().get(at).map_or("unknown", ContentKind::as_str);
        let text = part.text().unwrap_or("[not a text]");
        let cost = if texts.len() > 1 { format!(" · {}", cost(text)) } else { String::new() };
        let note = origins(spans, names) + &cost;
        page.line(format!("{} {}", paint(PROJECT, kind), paint(QUIET, format!("· {note}"))));
        page.gap();
        page.block(&with_quiet_engine_words(text, spans));
    }
}

/// Where a part came from: its files, or the one thing that made it.
fn origins(spans: &[Provenance], names: &PathNames) -> String {
    let files: Vec<String> = spans
        .iter()
        .filter_map(|span| match &span.origin {
            Origin::File(path) => Some(names.short(path)),
            _ => None,
        })
        .collect();
    if !files.is_empty() {
        return format!("from {}", files.join(", "));
    }
    match spans.first().map(|span| &span.origin) {
        Some(Origin::Setting(key)) => format!("from the setting {key}"),
        Some(Origin::Captured) => "captured now".to_owned(),
        Some(Origin::Person) => "typed".to_owned(),
        Some(Origin::Outside(key)) => format!("given as context {key}"),
        Some(Origin::File(_) | Origin::Engine) | None => "written here".to_owned(),
    }
}

/// A text with what no file said in the background, where files and our words are mixed.
fn with_quiet_engine_words(text: &str, spans: &[Provenance]) -> String {
    let is_mixed = spans.iter().any(|span| matches!(span.origin, Origin::File(_)));
    if !is_mixed {
        return readable(text).into_owned();
    }
    spans
        .iter()
        .filter_map(|span| Some((text.get(span.range.clone())?, &span.origin)))
        .map(|(piece, origin)| match origin {
            Origin::Engine => paint(QUIET, readable(piece)),
            _ => readable(piece).into_owned(),
        })
        .collect()
}

/// `── title ───────── note ──`
pub(super) fn rule(title: &str, note: &str) -> String {
    let dashes = WIDTH.saturating_sub(width(title) + width(note) + 8).max(2);
    let (end, middle) = (paint(QUIET, "──"), paint(QUIET, "─".repeat(dashes)));
    format!("{end} {} {middle} {note} {end}", paint(HEADING, title))
}

pub(super) fn totals(prompt: &Prompt) -> String {
    let lengths = prompt.input.iter().map(|item| match item.view() {
        ResponseItem::Message(message) => {
            message.content.iter().filter_map(ContentItem::text).map(str::len).sum()
        }
        _ => item.wire_json().len(),
    });
    let bytes = prompt.base_instructions.text.len() + lengths.sum::<usize>();
    let items = counted(prompt.input.len() as u64, "item");
    let tokens = approximately(approximate_tokens(bytes));
    format!("{items} and base instructions: {}, {tokens} tokens", counted(bytes as u64, "byte"))
}

pub(super) fn cost(text: &str) -> String {
    format!("{} tokens", approximately(approximate_tokens(text.len())))
}
