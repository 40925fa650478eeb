//! `rollout show --cache` for people: a line for each request, and below it what broke off.

use recto_core::rollout::{Break, BreakCause, Difference, Kept, ReplayedSession, SentRequest};
use recto_protocol::{ContentKind, Item, ResponseItem};

use super::item_words;
use super::layout::{WIDTH, approximately, counted, grouped, left, right, shortened};
use super::page::Page;
use super::palette::{HEADING, NOTICE, QUIET, paint};
use super::section_words;

const NUMBER: usize = 7;
const TURN: usize = 6;
const BYTES: usize = 13;
const TOKENS: usize = 9;
const SHARE: usize = 7;
const CACHED: usize = 12;

/// Where what is told of a request begins.
const INDENT: usize = NUMBER + TURN - 4;

/// The requests, by their numbers from 1.
pub(crate) fn render(session: &ReplayedSession, requests: &[(usize, SentRequest)]) -> String {
    let mut page = Page::default();
    if requests.is_empty() {
        page.line("No request was answered here.");
        return page.into();
    }
    let columns = [
        ("request", NUMBER),
        ("turn", TURN),
        ("input bytes", BYTES),
        ("tokens", TOKENS),
        ("kept bytes", BYTES),
        ("tokens", TOKENS),
        ("share", SHARE),
        ("cached", CACHED),
    ];
    let heading: String = columns.iter().map(|(name, width)| right(name, *width)).collect();
    page.line(paint(HEADING, heading));
    for (number, request) in requests {
        page.line(row(*number, request).trim_end());
        if request.asks_for_summary {
            page.indented(INDENT, paint(QUIET, "asks for the summary of a compaction"));
        }
        if let Some(broken) = request.kept.as_ref().and_then(|kept| kept.broken.as_ref()) {
            tell(&mut page, broken);
        }
    }
    page.gap();
    for line in sums(session, requests) {
        page.line(paint(QUIET, line));
    }
    page.into()
}

fn row(number: usize, request: &SentRequest) -> String {
    let kept = request.kept.as_ref();
    let share = kept.map_or(String::new(), |kept| format!("{} %", percent(kept)));
    let cached = request.usage.map(|usage| grouped(usage.cached_input_tokens));
    [
        (grouped(number as u64), NUMBER),
        (request.turn.to_string(), TURN),
        (grouped(request.bytes), BYTES),
        (tokens(request.bytes), TOKENS),
        (kept.map_or("–".to_owned(), |kept| grouped(kept.bytes)), BYTES),
        (kept.map_or(String::new(), |kept| tokens(kept.bytes)), TOKENS),
        (share, SHARE),
        (cached.unwrap_or_default(), CACHED),
    ]
    .iter()
    .map(|(text, width)| right(text, *width))
    .collect()
}

/// Why a request does not go on where the one before ended.
fn tell(page: &mut Page, broken: &Break) {
    let causes: Vec<String> = broken.causes.iter().map(cause).collect();
    page.indented(INDENT, paint(NOTICE, shortened(&causes.join("; "), WIDTH - INDENT)));
    if let Some(Difference { item, before, now }) = &broken.first {
        let number = grouped(*item as u64);
        let old = format!("item {number} was  {}", words(before));
        page.indented(INDENT, shortened(&old, WIDTH - INDENT));
        let new = now.as_ref().map_or("(nothing)".to_owned(), words);
        let new = left("", format!("item {number} ").len()) + "now  " + &new;
        page.indented(INDENT, shortened(&new, WIDTH - INDENT));
    }
    for line in section_words::lines(false, &broken.state) {
        let line = shortened(&format!("state {line}"), WIDTH - INDENT);
        page.indented(INDENT, paint(QUIET, line));
    }
}

fn cause(cause: &BreakCause) -> String {
    match cause {
        BreakCause::Compacted => "the conversation was compacted".to_owned(),
        BreakCause::TakenBack { turns: 1 } => "the last turn was taken back".to_owned(),
        BreakCause::TakenBack { turns } => {
            format!("the last {} were taken back", counted(*turns, "turn"))
        }
        BreakCause::OtherModel { before, now } => {
            format!("another model reads it: {before} → {now}")
        }
        BreakCause::OtherProvider { before, now } => {
            format!("another provider serves it: {before} → {now}")
        }
        BreakCause::LateOutput => "a call that went out as aborted was answered later".to_owned(),
    }
}

/// What an item is, in a few words: its kinds, else what it says.
fn words(item: &Item) -> String {
    let kinds: Vec<&str> = item.kinds().iter().map(ContentKind::as_str).collect();
    let is_told = kinds.iter().any(|kind| *kind != "unknown" && !kind.starts_with("user."));
    match &*item.decoded() {
        ResponseItem::Message(message) if is_told => {
            format!("{}: {}", message.role, kinds.join(", "))
        }
        ResponseItem::Message(message) => format!("{}: {}", message.role, item_words::one(item)),
        ResponseItem::AdditionalTools(_) => item_words::one(item),
        view => format!("{} {}", item_words::label(view).trim(), item_words::one(item)),
    }
}

fn sums(session: &ReplayedSession, requests: &[(usize, SentRequest)]) -> Vec<String> {
    let kept: Vec<&Kept> = requests.iter().filter_map(|(_, it)| it.kept.as_ref()).collect();
    let broken = kept.iter().filter(|kept| kept.broken.is_some()).count();
    let bytes: u64 = kept.iter().map(|kept| kept.bytes).sum();
    let of: u64 = kept.iter().map(|kept| kept.of).sum();
    let base = session.base_instructions.as_ref().map_or(0, |base| base.text.len());
    vec![
        format!(
            "{}, {} broken off; {} of {} bytes kept",
            counted(requests.len() as u64, "request"),
            grouped(broken as u64),
            grouped(bytes),
            grouped(of)
        ),
        format!(
            "before each input: {} bytes of base instructions, and the tools, which are not counted",
            grouped(base as u64)
        ),
        "cached: tokens that the server says it had".to_owned(),
    ]
}

/// Whole percents; 100 only where nothing is missing.
fn percent(kept: &Kept) -> u64 {
    (kept.bytes * 100).checked_div(kept.of).unwrap_or(100)
}

fn tokens(bytes: u64) -> String {
    approximately(usize::try_from(bytes.div_ceil(4)).unwrap_or(usize::MAX))
}
