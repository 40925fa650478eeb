//! `rollout prompt` for people: every part under a line that says what it is and what it costs.

use recto_protocol::{BaseInstructionsSource, ContentItem, Item, Prompt, ResponseItem};

use super::layout::{one_line, readable};
use super::page::Page;
use super::palette::{PROJECT, QUIET, paint};
use super::prompt_text::{cost, rule, totals};

/// The whole view.
pub(crate) fn render(model: &str, prompt: &Prompt) -> String {
    let base = &prompt.base_instructions;
    let mut page = Page::default();
    page.line(rule("base instructions", &cost(&base.text)));
    page.line(paint(QUIET, base_source(&base.source, model)));
    page.gap();
    page.block(&readable(&base.text));
    for (at, item) in prompt.input.iter().enumerate() {
        page.gap();
        add_item(&mut page, at + 1, item);
    }
    page.gap();
    page.line(totals(prompt));
    page.into()
}

fn base_source(source: &BaseInstructionsSource, model: &str) -> String {
    match source {
        BaseInstructionsSource::Config => "from the configuration".to_owned(),
        BaseInstructionsSource::Session => "recorded with the session".to_owned(),
        BaseInstructionsSource::Model => {
            format!("the record holds none; the text for the model {}", one_line(model))
        }
    }
}

fn add_item(page: &mut Page, number: usize, item: &Item) {
    let ResponseItem::Message(message) = item.view() else {
        page.line(rule(&format!("{number} item"), &cost(&item.wire_json())));
        page.block(&readable(&item.wire_json()));
        return;
    };
    let texts: Vec<&str> = message.content.iter().filter_map(ContentItem::text).collect();
    page.line(rule(&format!("{number} {}", message.role), &cost(&texts.concat())));
    for (at, part) in message.content.iter().enumerate() {
        if at > 0 {
            page.gap();
        }
        let text = part.text().unwrap_or("[not a text]");
        let note = if texts.len() > 1 { format!(" · {}", cost(text)) } else { String::new() };
        // What the model said has no kind.
        if let Some(kind) = item.kinds().get(at).filter(|kind| kind.as_str() != "unknown") {
            page.line(paint(PROJECT, one_line(kind.as_str())) + &paint(QUIET, note));
            page.gap();
        }
        page.block(&readable(text));
    }
}
