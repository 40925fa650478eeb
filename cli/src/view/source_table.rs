//! The files that the model reads, with what they cost.

use anstyle::Style;
use recto_core::agents_md::ProjectDocs;

use super::budget_bar;
use super::layout::{WIDTH, approximately, counted, grouped, left, right, shortened, width, wrap};
use super::page::Page;
use super::palette::{FAULT, HEADING, HOST, NOTICE, PROJECT, QUIET, paint};
use super::report::{Cut, Report, Scope, Source};

/// Columns before a file's name: its number and whose it is.
const BEFORE_NAME: usize = 13;
/// Columns of the three numbers.
const BYTES: usize = 9;
const TOKENS: usize = 9;
const SHARE: usize = 9;
/// Columns of a file's name.
const NAME: usize = WIDTH - BEFORE_NAME - BYTES - TOKENS - SHARE;

/// The files in the order in which the model reads them.
pub(super) fn source_table(report: &Report) -> Page {
    let mut page = Page::default();
    if report.sources.is_empty() {
        page.line(paint(HEADING, "The model reads no instructions here."));
        if report.unused.is_empty() {
            page.line(
                "An AGENTS.md here is for this project, one in Codex's home for every project.",
            );
        }
        return page;
    }
    let title = left("What the model reads, in this order", BEFORE_NAME + NAME);
    page.line(paint(HEADING, title + &numbers("bytes", "tokens", "budget")));
    for (at, source) in report.sources.iter().enumerate() {
        row(&mut page, report, at, source);
        for (style, line) in notes(report, source) {
            page.indented(BEFORE_NAME, paint(style, line));
        }
    }
    if report.sources.len() > 1 {
        page.indented(BEFORE_NAME, paint(QUIET, total(&report.sources)));
    }
    page
}

fn numbers(bytes: &str, tokens: &str, share: &str) -> String {
    [right(bytes, BYTES), right(tokens, TOKENS), right(share, SHARE)].concat()
}

fn row(page: &mut Page, report: &Report, at: usize, source: &Source) {
    let style = if source.scope == Scope::Host { HOST } else { PROJECT };
    let start = format!("{} {}", right(&(at + 1).to_string(), 3), source.scope.as_str());
    let start = left(&paint(style, start), BEFORE_NAME);
    let projects = &report.captured.step.agents_md.projects;
    let is_its =
        |it: &&ProjectDocs| source.environment.as_deref() == Some(it.environment_id.as_str());
    let share = match (source.scope, projects.iter().find(is_its)) {
        (Scope::Project, Some(project)) => budget_bar::percent(source.bytes_read, project.budget),
        _ => "outside".to_owned(),
    };
    let numbers = numbers(&grouped(source.bytes_read), &approximately(source.tokens), &share);
    let name = name(report, source);
    if width(&name) <= NAME {
        page.line(start + &left(&name, NAME) + &numbers);
    } else {
        page.line(start + &name);
        page.indented(BEFORE_NAME + NAME, numbers);
    }
}

fn total(sources: &[Source]) -> String {
    let files = counted(sources.len() as u64, "file");
    let bytes: u64 = sources.iter().map(|it| it.bytes_read).sum();
    let tokens = sources.iter().map(|it| it.tokens).sum();
    left(&files, NAME) + &right(&grouped(bytes), BYTES) + &right(&approximately(tokens), TOKENS)
}

fn name(report: &Report, source: &Source) -> String {
    match source.scope {
        Scope::Host => report.names.full(&source.path),
        Scope::Project => report.name_in(source.environment.as_deref(), &source.path),
    }
}

/// What is to be said about a file that the model reads, line by line.
fn notes(report: &Report, source: &Source) -> Vec<(Style, String)> {
    let mut lines = Vec::new();
    let mut note = |style, text: &str| {
        lines.extend(wrap(text, WIDTH - BEFORE_NAME).into_iter().map(|line| (style, line)));
    };
    if let Some(target) = &source.link_target {
        note(QUIET, &format!("a link to {}", report.names.short(target)));
    }
    if let Some(at) = source.same_as {
        let first = &report.sources[at];
        let (scope, name) = (first.scope.as_str(), name(report, first));
        note(
            NOTICE,
            &format!("the same file as {}, {scope} {name}: the model reads it twice", at + 1),
        );
    }
    if source.lossy {
        note(NOTICE, "holds bytes that are not UTF-8; the model reads U+FFFD in their place");
    }
    if let Some(cut) = &source.cut {
        note(FAULT, &cut_words(source, cut));
        let line = shortened(cut.first_lost_line.text.trim(), WIDTH - BEFORE_NAME - 2);
        lines.push((QUIET, format!("\"{line}\"")));
    }
    lines
}

fn cut_words(source: &Source, cut: &Cut) -> String {
    format!(
        "cut: {} of {} bytes read, {} lost from line {} on:",
        grouped(source.bytes_read),
        grouped(source.bytes_on_disk),
        grouped(cut.lost),
        cut.first_lost_line.number
    )
}
