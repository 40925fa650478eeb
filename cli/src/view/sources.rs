//! `explain` for people: made for 80 columns, and as clear without colour as with it.

use anstyle::Style;
use recto_core::agents_md::{CandidateOutcome, ProjectDocs};
use recto_core::config::{LayerReport, LayerSource, LayerStanding};
use recto_core::environment::{FileKind, RootMarker};
use recto_protocol::TrustLevel;

use super::budget_bar;
use super::diagnostics::{Diagnostic, Subject};
use super::environments::EnvironmentReport;
use super::layout::{WIDTH, left, one_line, width, wrap};
use super::names::shown;
use super::outcome;
use super::page::Page;
use super::palette::{FAULT, HEADING, NOTICE, QUIET, paint};
use super::report::{Report, Scope, Unused, UnusedReason};
use super::source_table::source_table;

/// Columns of the labels at the left.
const LABEL: usize = 8;
/// Columns of the longest name that has its reason beside it.
const LONGEST_NAME: usize = 36;

/// A name, and what is said of it.
type Row = (String, Style, String);

/// The whole view.
pub(crate) fn render(report: &Report) -> String {
    let mut page = place(report);
    page.gap();
    page.page(&source_table(report));
    let projects = &report.captured.step.agents_md.projects;
    if !projects.is_empty() {
        page.gap();
    }
    for project in projects {
        let mut bar = budget_bar::render(project.spent(), project.budget);
        if let (Some(line), true) = (bar.first_mut(), projects.len() > 1) {
            *line = format!("{line}  {}", one_line(project.environment_id.as_str()));
        }
        labelled(&mut page, "budget", &bar);
    }
    for (heading, section) in [
        ("Environments", environments(report)),
        ("Not read", table(&unused(report))),
        ("Worth a look", table(&near_misses(report))),
        ("Configuration", configuration(report)),
    ] {
        if !section.is_empty() {
            page.gap();
            page.line(paint(HEADING, heading));
            page.page(&section);
        }
    }
    page.into()
}

/// Where the walk began and ended, and who trusts what is there.
fn place(report: &Report) -> Page {
    let mut page = Page::default();
    let mut fact = |label, text: &str| {
        labelled(&mut page, label, &wrap(text, WIDTH - LABEL));
    };
    if let Some(project) = report.project() {
        fact("cwd", &report.names.full(&project.cwd));
        fact("root", &root(report, project));
    }
    fact("trust", &trust(report));
    page
}

fn labelled(page: &mut Page, label: &str, lines: &[String]) {
    for (at, line) in lines.iter().enumerate() {
        let label = if at == 0 { paint(HEADING, label) } else { String::new() };
        page.line(left(&label, LABEL) + line);
    }
}

fn root(report: &Report, project: &ProjectDocs) -> String {
    let markers = &report.captured.config.agents_md.project_root_markers;
    let path = report.names.full(&project.root.path);
    match &project.root.marker {
        Some(marker) => {
            format!("{path}, where the walk up ended because of {}", marker_words(marker))
        }
        None if markers.is_empty() => {
            format!("{path}, as project_root_markers is empty: only this directory counts")
        }
        None => {
            let markers: Vec<String> = markers.iter().map(|it| one_line(it)).collect();
            let markers = markers.join(" or ");
            format!("{path}, as there is no {markers} here or above: only this directory counts")
        }
    }
}

fn marker_words(marker: &RootMarker) -> String {
    let kind = match marker.kind {
        FileKind::File if marker.name == ".git" => {
            "a file, as in submodules and linked worktrees".to_owned()
        }
        FileKind::File => "a file".to_owned(),
        kind => kind.to_string(),
    };
    format!("{} ({kind})", one_line(&marker.name))
}

fn trust(report: &Report) -> String {
    let trust = &report.captured.config.trust;
    let level = match trust.level {
        Some(TrustLevel::Trusted) => "trusted",
        Some(TrustLevel::Untrusted) => "untrusted",
        None => "not decided",
    };
    let Some(key) = &trust.key else {
        return format!("{level}: no entry of [projects] names this directory or its git root");
    };
    let source =
        trust.location.as_ref().map_or_else(String::new, |location| match location.source.path() {
            Some(path) => format!(" in {}, line {}", report.names.full(path), location.line),
            None => " in a -c".to_owned(),
        });
    format!("{level}, by [projects.\"{}\"]{source}", shown(key))
}

/// What each environment gave; nothing where there is this machine alone.
fn environments(report: &Report) -> Page {
    let environments = &report.environments;
    let rows: Vec<Row> = environments.iter().map(EnvironmentReport::row).collect();
    if rows.len() > 1 { table(&rows) } else { Page::default() }
}

/// Files that are there and are not read, each with its reason.
fn unused(report: &Report) -> Vec<Row> {
    report.unused.iter().map(|it| unused_row(report, it)).collect()
}

fn unused_row(report: &Report, unused: &Unused) -> Row {
    let (style, mut reason) = match &unused.reason {
        UnusedReason::AboveRoot => (QUIET, "above the root".to_owned()),
        UnusedReason::Outcome(outcome) => {
            (outcome_style(outcome), outcome::words(outcome, &report.names))
        }
    };
    if let Some(source) = report.read_as(unused) {
        let name = report.name_in(source.environment.as_deref(), &source.path);
        reason = format!("{reason}, but the same file as {name}, which is read");
    }
    let is_broken = matches!(unused.reason, UnusedReason::Outcome(CandidateOutcome::BrokenLink));
    if unused.through_link && !is_broken {
        reason.push_str(" (a link)");
    }
    let name = match (&unused.reason, unused.scope) {
        (UnusedReason::Outcome(_), Scope::Project) => {
            report.name_in(unused.environment.as_deref(), &unused.path)
        }
        (UnusedReason::AboveRoot, _) | (_, Scope::Host) => report.names.full(&unused.path),
    };
    (name, style, reason)
}

const fn outcome_style(outcome: &CandidateOutcome) -> Style {
    match outcome {
        CandidateOutcome::Unreadable(_) => FAULT,
        CandidateOutcome::Untrusted
        | CandidateOutcome::BudgetSpent
        | CandidateOutcome::ProjectDocsOff => NOTICE,
        _ => QUIET,
    }
}

/// What an author would want to know, and values that seem to end too early.
fn near_misses(report: &Report) -> Vec<Row> {
    let misses = report.near_misses.iter();
    let mut rows: Vec<Row> = misses
        .map(|it| (report.names.short(&it.path), NOTICE, one_line(&it.kind.to_string())))
        .collect();
    rows.extend(report.ambiguous_values.iter().map(|value| {
        let marker = &value.marker;
        let text = format!("holds {marker}, which ends it; the model may think that it ends there");
        (format!("context {}", value.key), NOTICE, text)
    }));
    rows
}

/// The files that settings came from, and what should be known about this run.
fn configuration(report: &Report) -> Page {
    let layers = report.captured.config.layers.iter();
    let mut rows: Vec<Row> = layers.filter_map(|layer| layer_row(report, layer)).collect();
    if let Some(path) = report.captured.instructions_file() {
        rows.push((report.names.full(path), QUIET, "used as the base instructions".to_owned()));
    }
    let mut page = table(&rows);
    // A project's file that does not count has a row already.
    let is_told = |it: &&Diagnostic| it.subject() == Subject::Run && !it.is_about_ignored_file();
    for diagnostic in report.diagnostics.iter().filter(is_told) {
        for (at, line) in wrap(&diagnostic.to_string(), WIDTH - 4).into_iter().enumerate() {
            page.line(format!("{} {}", if at == 0 { "  !" } else { "   " }, paint(NOTICE, line)));
        }
    }
    page
}

fn layer_row(report: &Report, layer: &LayerReport) -> Option<Row> {
    let path = layer.source.path()?;
    let name = match layer.source {
        LayerSource::Project { .. } => report.names.short(path),
        _ => report.names.full(path),
    };
    let style = if layer.standing == LayerStanding::Used { QUIET } else { NOTICE };
    Some((name, style, standing_words(layer.standing).to_owned()))
}

/// What became of a file of settings.
pub(super) const fn standing_words(standing: LayerStanding) -> &'static str {
    match standing {
        LayerStanding::Used => "used",
        LayerStanding::Ignored(Some(_)) => "not used: the project is marked untrusted",
        LayerStanding::Ignored(None) => "not used: the project is not marked trusted",
    }
}

/// Names and what is said of them, in two columns; a long name has a line of its own.
fn table(rows: &[Row]) -> Page {
    let widths = rows.iter().map(|(name, ..)| width(name)).filter(|it| *it <= LONGEST_NAME);
    let column = widths.max().unwrap_or(0) + 4;
    let mut page = Page::default();
    for (name, style, text) in rows {
        let mut start = format!("  {name}");
        if width(name) > LONGEST_NAME {
            page.line(&start);
            start.clear();
        }
        for line in wrap(text, WIDTH - column) {
            page.line(left(&start, column) + &paint(*style, line));
            start.clear();
        }
    }
    page
}
