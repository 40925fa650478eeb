//! What stands above and below the turns of a session.

use recto_core::history::tokens::{Tokenizer, usage};
use recto_core::rollout::{ReplayedSession, SessionFile};

use super::layout::{approximately, counted, left, one_line, right};
use super::moment;
use super::names::PathNames;
use super::page::Page;
use super::palette::{HEADING, QUIET, paint};

const LABEL: usize = 9;
const KIND: usize = 44;
const TOKENS: usize = 9;

/// Who the session is.
pub(crate) fn render(file: &SessionFile, session: &ReplayedSession, names: &PathNames) -> String {
    let mut page = Page::default();
    let mut row = |label: &str, text: String| {
        page.line(left(&paint(HEADING, label), LABEL) + &text);
    };
    let meta = &session.meta;
    row("session", one_line(meta.id.as_deref().unwrap_or(&file.id)));
    row("file", names.full(&file.path));
    let program = match (&meta.originator, &meta.cli_version) {
        (Some(name), Some(version)) => format!(", {name} {version}"),
        (Some(name), None) => format!(", {name}"),
        (None, _) => String::new(),
    };
    if let Some(began) = &meta.timestamp {
        row("began", moment::recorded(began) + &one_line(&program));
    }
    if let Some(parent) = &meta.forked_from_id {
        row("fork of", one_line(parent));
    }
    if let Some(cwd) = session.cwd() {
        row("cwd", names.full(cwd.as_ref()));
    }
    row("turns", turns(session));
    page.into()
}

fn turns(session: &ReplayedSession) -> String {
    let taken_back = session.turns.iter().filter(|turn| turn.taken_back).count();
    let turns = counted(session.turns.len() as u64, "turn");
    if taken_back == 0 { turns } else { format!("{turns}, {taken_back} of them taken back") }
}

/// What the conversation costs as it stands, by what it is made of.
pub(crate) fn totals(session: &ReplayedSession) -> String {
    let mut parts: Vec<(String, u64)> =
        usage(&session.items, Tokenizer::Bytes).into_iter().collect();
    parts.sort_by(|a, b| (b.1, &a.0).cmp(&(a.1, &b.0)));
    let number =
        |tokens: u64| right(&approximately(usize::try_from(tokens).unwrap_or(usize::MAX)), TOKENS);
    let mut page = Page::default();
    page.gap();
    page.line(paint(
        HEADING,
        left("The conversation as it stands, by what it is", KIND + LABEL) + "   tokens",
    ));
    for (kind, tokens) in &parts {
        page.line(left(&format!("  {}", one_line(kind)), KIND + LABEL) + &number(*tokens));
    }
    let total = parts.iter().map(|part| part.1).sum();
    let words = left(&format!("  {}", counted(session.items.len() as u64, "item")), KIND + LABEL);
    page.line(paint(QUIET, words + &number(total)));
    page.into()
}
