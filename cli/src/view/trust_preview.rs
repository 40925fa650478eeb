//! `explain --if-trusted`, for people and for programs.

use std::path::PathBuf;

use recto_context_fragments::approximate_tokens;
use recto_core::session::{NewSource, NewText};
use recto_protocol::TrustLevel;
use serde::Serialize;

use super::json::SCHEMA_VERSION;
use super::layout::{WIDTH, approximately, grouped, left, one_line, right, width, wrap};
use super::names::{PathNames, shown};
use super::page::Page;
use super::palette::{FAULT, HEADING, PROJECT, QUIET, paint};

/// What would change if the project were trusted.
#[derive(Debug)]
pub(crate) struct TrustPreview {
    /// What is decided now.
    pub(crate) level: Option<TrustLevel>,
    /// What the model would newly read.
    pub(crate) texts: Vec<NewText>,
    /// Files of settings that would newly count.
    pub(crate) settings: Vec<PathBuf>,
    pub(crate) names: PathNames,
}

impl TrustPreview {
    /// Whether somebody should look at a text before the project is trusted.
    pub(crate) fn is_odd(&self) -> bool {
        self.texts.iter().any(|text| {
            text.leaves_root.is_some() || !text.hidden.is_empty() || !text.markers.is_empty()
        })
    }
}

/// Columns of what a text is.
const WHAT: usize = 13;
const BYTES: usize = 9;
const TOKENS: usize = 9;
const NAME: usize = WIDTH - WHAT - BYTES - TOKENS;

/// The view for people.
pub(crate) fn render(preview: &TrustPreview) -> String {
    let mut page = Page::default();
    let level = match preview.level {
        Some(TrustLevel::Trusted) => "trusted already",
        Some(TrustLevel::Untrusted) => "untrusted",
        None => "not decided",
    };
    page.line(left(&paint(HEADING, "trust"), 8) + level);
    page.gap();
    if preview.texts.is_empty() && preview.settings.is_empty() {
        page.line("The model would read the same if the project were trusted.");
        return page.into();
    }
    if !preview.texts.is_empty() {
        let title = left("If the project were trusted, the model would newly read", WHAT + NAME);
        page.line(paint(HEADING, title + &right("bytes", BYTES) + &right("tokens", TOKENS)));
        for text in &preview.texts {
            row(&mut page, text, &preview.names);
        }
    }
    settings(&mut page, preview);
    oddities(&mut page, preview);
    page.into()
}

fn row(page: &mut Page, text: &NewText, names: &PathNames) {
    let (what, name) = named(&text.source, names);
    let start = left(&paint(PROJECT, format!("  {what}")), WHAT);
    let tokens = approximate_tokens(text.text.len());
    let numbers =
        right(&grouped(text.text.len() as u64), BYTES) + &right(&approximately(tokens), TOKENS);
    if width(&name) <= NAME {
        page.line(start + &left(&name, NAME) + &numbers);
    } else {
        page.line(start + &name);
        page.indented(WHAT + NAME, numbers);
    }
}

fn settings(page: &mut Page, preview: &TrustPreview) {
    if preview.settings.is_empty() {
        return;
    }
    page.gap();
    page.line(paint(HEADING, "Its settings would count"));
    for path in &preview.settings {
        page.indented(2, preview.names.short(path));
    }
}

fn oddities(page: &mut Page, preview: &TrustPreview) {
    page.gap();
    if !preview.is_odd() {
        page.line(paint(
            QUIET,
            "Nothing hidden in it, no marker of the engine, no link out of the project.",
        ));
        return;
    }
    page.line(paint(HEADING, "Look at this first"));
    for text in &preview.texts {
        let odd = oddities_of(text);
        if odd.is_empty() {
            continue;
        }
        page.indented(2, named(&text.source, &preview.names).1);
        for line in odd.iter().flat_map(|it| wrap(&one_line(it), WIDTH - 4)) {
            page.indented(4, paint(FAULT, line));
        }
    }
}

/// What is odd about a text, a sentence each.
fn oddities_of(text: &NewText) -> Vec<String> {
    let outside = text.leaves_root.iter();
    let mut odd: Vec<String> = outside
        .map(|place| format!("is not in the project: a link leads to {}", shown(place)))
        .collect();
    odd.extend(text.hidden.iter().map(ToString::to_string));
    odd.extend(text.markers.iter().map(|it| {
        format!(
            "holds {} in line {}; the model may take what follows for the engine's words",
            it.marker, it.line
        )
    }));
    odd
}

/// What a text is, and its name.
fn named(source: &NewSource, names: &PathNames) -> (&'static str, String) {
    match source {
        NewSource::Instructions(path) => ("AGENTS.md", names.short(path)),
        NewSource::Skill(path) => ("skill", names.short(path)),
        NewSource::BaseInstructions => ("base", "base instructions".to_owned()),
        NewSource::Told(kind) => ("context", kind.as_str().to_owned()),
    }
}

/// The document for programs.
#[derive(Debug, Serialize)]
pub(crate) struct PreviewDocument<'a> {
    schema_version: u32,
    trust: Option<TrustLevel>,
    texts: Vec<TextDocument<'a>>,
    settings: Vec<String>,
}

#[derive(Debug, Serialize)]
struct TextDocument<'a> {
    what: &'static str,
    path: Option<String>,
    kind: Option<&'a str>,
    text: &'a str,
    tokens: usize,
    leaves_root: Option<String>,
    hidden: Vec<HiddenDocument<'a>>,
    markers: Vec<MarkerDocument>,
}

#[derive(Debug, Serialize)]
struct HiddenDocument<'a> {
    what: String,
    line: usize,
    count: usize,
    spelled: &'a str,
}

#[derive(Debug, Serialize)]
struct MarkerDocument {
    marker: &'static str,
    line: usize,
}

/// The preview for programs.
pub(crate) fn document(preview: &TrustPreview) -> PreviewDocument<'_> {
    PreviewDocument {
        schema_version: SCHEMA_VERSION,
        trust: preview.level,
        texts: preview.texts.iter().map(text_document).collect(),
        settings: preview.settings.iter().map(|it| it.to_string_lossy().into_owned()).collect(),
    }
}

fn text_document(text: &NewText) -> TextDocument<'_> {
    let (what, path, kind) = match &text.source {
        NewSource::Instructions(path) => ("instructions", Some(path), None),
        NewSource::Skill(path) => ("skill", Some(path), None),
        NewSource::BaseInstructions => ("base_instructions", None, None),
        NewSource::Told(kind) => ("context", None, Some(kind.as_str())),
    };
    TextDocument {
        what,
        path: path.map(|it| it.to_string_lossy().into_owned()),
        kind,
        text: &text.text,
        tokens: approximate_tokens(text.text.len()),
        leaves_root: text.leaves_root.as_ref().map(|it| it.to_string_lossy().into_owned()),
        hidden: text
            .hidden
            .iter()
            .map(|it| HiddenDocument {
                what: it.kind.to_string(),
                line: it.line,
                count: it.count,
                spelled: &it.spelled,
            })
            .collect(),
        markers: text
            .markers
            .iter()
            .map(|it| MarkerDocument { marker: it.marker, line: it.line })
            .collect(),
    }
}
