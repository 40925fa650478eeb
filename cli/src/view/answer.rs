//! `explain PATH`: one file, for people and for programs.

use serde::Serialize;

use super::finding::{Answer, Finding};
use super::json::SCHEMA_VERSION;
use super::layout::{WIDTH, one_line, wrap};
use super::page::Page;
use super::palette::{HEADING, NOTICE, PROJECT, paint};
use super::report::Report;

/// The document of one path.
#[derive(Debug, Serialize)]
pub(crate) struct AnswerDocument<'a> {
    schema_version: u32,
    path: String,
    reaches_model: bool,
    findings: &'a [Finding],
}

/// The answer for programs.
pub(crate) fn document(answer: &Answer) -> AnswerDocument<'_> {
    AnswerDocument {
        schema_version: SCHEMA_VERSION,
        path: answer.path.to_string_lossy().into_owned(),
        reaches_model: answer.reaches_model,
        findings: &answer.findings,
    }
}

/// The answer for people: yes or no first, then why.
pub(crate) fn render(report: &Report, answer: &Answer) -> String {
    let (style, verdict) = if answer.reaches_model {
        (PROJECT, "reaches the model")
    } else {
        (NOTICE, "does not reach the model")
    };
    let name = paint(HEADING, report.names.short(&answer.path));
    let mut page = Page::default();
    page.line(format!("{name} {}", paint(style, verdict)));
    for finding in &answer.findings {
        for line in wrap(&one_line(&finding.text), WIDTH - 2) {
            page.indented(2, line);
        }
    }
    page.into()
}
