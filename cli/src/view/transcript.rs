//! `rollout show` for people: a turn under a line that names it, one line for most of what happened.

use anstyle::Style;
use recto_core::context::recognize;
use recto_core::history::tokens::estimate;
use recto_core::rollout::{Happened, RecordedTurn, TranscriptEntry};
use recto_protocol::{ContentItem, ContentKind, Item, Message, ResponseItem, Role, TokenUsage};

use super::item_words;
use super::layout::{
    WIDTH, approximately, counted, grouped, left, readable, right, shortened, wrap,
};
use super::moment;
use super::names::PathNames;
use super::page::Page;
use super::palette::{FAULT, HOST, NOTICE, PROJECT, QUIET, paint};
use super::prompt_text::rule;
use super::section_words;

const LABEL: usize = 9;
const KIND: usize = 30;
const TOKENS: usize = 7;

/// Lines that are shown of what was said.
const SAID_LINES: usize = 12;

/// How much is shown of what was said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Detail {
    /// The first lines.
    Short,
    /// Everything.
    All,
}

/// One turn; `entries` are all of the same.
pub(crate) fn render(
    entries: &[TranscriptEntry],
    turns: &[RecordedTurn],
    detail: Detail,
    names: &PathNames,
) -> String {
    let mut rows = Rows { page: Page::default(), detail, names };
    rows.page.gap();
    rows.heading(entries, turns);
    for entry in entries {
        rows.add(&entry.what);
    }
    rows.page.into()
}

struct Rows<'a> {
    page: Page,
    detail: Detail,
    names: &'a PathNames,
}

impl Rows<'_> {
    fn heading(&mut self, entries: &[TranscriptEntry], turns: &[RecordedTurn]) {
        let number = entries.first().map_or(0, |entry| entry.turn);
        let turn = number.checked_sub(1).and_then(|at| turns.get(at));
        let title = match turn {
            None => "before the first turn".to_owned(),
            Some(turn) if turn.taken_back => format!("turn {number}, taken back later"),
            Some(_) => format!("turn {number}"),
        };
        let time = entries.iter().find_map(|entry| entry.time.as_deref());
        self.page.line(rule(&title, &time.map(moment::recorded).unwrap_or_default()));
    }

    fn add(&mut self, what: &Happened) {
        match what {
            Happened::Told(item) => self.told(item),
            Happened::Said(item) => self.message(item, "person", HOST),
            Happened::Did(item) => self.did(item),
            Happened::State { full, changes } => match changes {
                None => self.row("state", FAULT, "cannot be read: from here on it is unknown"),
                Some(changes) => {
                    let lines = section_words::lines(*full, changes);
                    for (at, line) in lines.iter().enumerate() {
                        self.row(if at == 0 { "state" } else { "" }, NOTICE, line);
                    }
                }
            },
            Happened::Settings(context) => {
                let model = context.model.as_deref().unwrap_or("model unknown");
                let cwd = context.cwd.as_deref().map(|cwd| self.names.full(cwd.as_ref()));
                let cwd = cwd.unwrap_or_else(|| "directory unknown".to_owned());
                self.row("with", QUIET, &format!("{model} in {cwd}"));
            }
            Happened::Compacted { message, items } => {
                let items = items.as_ref().map_or(String::new(), |items| {
                    format!(" by {}", counted(items.len() as u64, "item"))
                });
                let words = format!("the conversation was replaced{items}");
                self.row("compact", NOTICE, &words);
                self.row("", QUIET, message);
            }
            Happened::TakenBack { turns } => {
                let words = match turns {
                    1 => "the last turn was taken back".to_owned(),
                    turns => format!("the last {} were taken back", counted(*turns, "turn")),
                };
                self.row("back", NOTICE, &words);
            }
            Happened::Failed(error) => self.row("failed", FAULT, error),
            Happened::Aborted(reason) => {
                let reason = reason.as_deref().unwrap_or("no reason recorded");
                self.row("aborted", FAULT, reason);
            }
            Happened::Usage(usage) => self.row("tokens", QUIET, &usage_words(usage)),
            Happened::Fault(fault) => self.row("fault", FAULT, &fault.to_string()),
            Happened::SettingsApplied | Happened::Ended => {}
        }
    }

    /// A label and the start of a text.
    fn row(&mut self, label: &str, style: Style, text: &str) {
        let line = left(&paint(style, label), LABEL) + &shortened(text.trim(), WIDTH - LABEL);
        self.page.line(line.trim_end());
    }

    /// What the program told, part by part: what it is, what it costs, how it begins.
    fn told(&mut self, item: &Item) {
        let ResponseItem::Message(message) = &*item.decoded() else {
            return self.row("told", PROJECT, &item_words::one(item));
        };
        for (at, part) in message.content.iter().enumerate() {
            let text = part.text().unwrap_or("[not a text]");
            let kind = left(&shortened(&kind_of(item, at, message.role, text), KIND - 1), KIND);
            let cost = part.text().map_or(0, |text| text.len().div_ceil(4));
            let start = LABEL + KIND + TOKENS + 2;
            self.page.line(format!(
                "{}{kind}{}  {}",
                left(&paint(PROJECT, if at == 0 { "told" } else { "" }), LABEL),
                right(&approximately(cost), TOKENS),
                paint(QUIET, shortened(first_words(text), WIDTH - start)),
            ));
        }
    }

    fn did(&mut self, item: &Item) {
        match &*item.decoded() {
            ResponseItem::Message(_) => self.message(item, "model", PROJECT),
            view => {
                let cost = format!("  {}", approximately(tokens(view)));
                let columns = WIDTH - LABEL - super::layout::width(&cost);
                let words = shortened(&item_words::one(item), columns);
                let label = left(&paint(QUIET, item_words::label(view)), LABEL);
                self.page.line(label + &left(&words, columns) + &paint(QUIET, cost));
            }
        }
    }

    /// What was said, in lines; in short no more than a dozen of them.
    fn message(&mut self, item: &Item, label: &str, style: Style) {
        let view = item.decoded();
        let ResponseItem::Message(Message { content, .. }) = &*view else { return };
        let mut lines: Vec<String> = Vec::new();
        for part in content {
            match part {
                ContentItem::InputText { text } | ContentItem::OutputText { text } => {
                    let text = readable(text);
                    lines.extend(text.trim_end().lines().flat_map(|it| wrap(it, WIDTH - LABEL)));
                }
                ContentItem::InputImage { .. } => lines.push("[a picture]".to_owned()),
                ContentItem::Other(_) => lines.push("[a part of another kind]".to_owned()),
            }
        }
        let shown = if self.detail == Detail::All { lines.len() } else { SAID_LINES };
        for (at, line) in lines.iter().take(shown).enumerate() {
            let label = left(&paint(style, if at == 0 { label } else { "" }), LABEL);
            self.page.line((label + line).trim_end());
        }
        if lines.len() > shown {
            let more = counted((lines.len() - shown) as u64, "more line");
            self.page.indented(LABEL, paint(QUIET, format!("… {more}")));
        }
        if lines.is_empty() {
            self.page.line(left(&paint(style, label), LABEL) + &paint(QUIET, "(nothing)"));
        }
    }
}

/// The kind that is recorded beside a part, else the one that its markers say, else who speaks.
fn kind_of(item: &Item, at: usize, role: Role, text: &str) -> String {
    let recorded = item.kinds().get(at).map(ContentKind::as_str).filter(|it| *it != "unknown");
    match (recorded, recognize(text)) {
        (Some(kind), _) => kind.to_owned(),
        (None, Some(spec)) => spec.kind.to_string(),
        (None, None) => role.to_string(),
    }
}

/// The first line that says something; tags and the heading of AGENTS.md say only what the kind says already.
fn first_words(text: &str) -> &str {
    let lines = || text.lines().map(str::trim).filter(|line| !line.is_empty());
    let is_frame = |line: &&str| {
        (line.starts_with('<') && line.ends_with('>') && !line.contains("</"))
            || line.starts_with("# AGENTS.md instructions")
    };
    lines().find(|line| !is_frame(line)).or_else(|| lines().next()).unwrap_or_default()
}

fn tokens(view: &ResponseItem) -> usize {
    usize::try_from(estimate(view)).unwrap_or(usize::MAX)
}

fn usage_words(usage: &TokenUsage) -> String {
    format!(
        "{} read ({} of them cached), {} written",
        grouped(usage.input_tokens),
        grouped(usage.cached_input_tokens),
        grouped(usage.output_tokens)
    )
}
