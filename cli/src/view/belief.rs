//! `rollout why` for people: the checks in their order, which of them applies, and the texts side by side.

use std::path::Path;

use anstyle::{AnsiColor, Style};
use recto_core::agents_md::{FileComparison, ProjectDocs};
use recto_core::rollout::{Belief, Cause, NoStep, SessionFile};
use similar::TextDiff;

use super::layout::{WIDTH, left, one_line, readable, wrap};
use super::names::PathNames;
use super::outcome;
use super::page::Page;
use super::palette::{FAULT, HEADING, NOTICE, PROJECT, QUIET, paint};

const LABEL: usize = 9;
const ADDED: Style = AnsiColor::Green.on_default();
const REMOVED: Style = AnsiColor::Red.on_default();

/// The checks, in the order in which they are made.
const CHECKS: [&str; 5] = [
    "the file is not on the chain of the directory that was used",
    "the selection did not change, so what was loaded before was used again",
    "what is on disk never reached a step",
    "the model was told what is on disk",
    "the session goes by its record until its next turn",
];

/// What is asked about.
#[derive(Debug)]
pub(crate) struct Scene<'a> {
    pub(crate) file: &'a SessionFile,
    /// Where the session worked.
    pub(crate) cwd: &'a Path,
    /// What is looked for there today.
    pub(crate) project: Option<&'a ProjectDocs>,
    /// The last turn that counts.
    pub(crate) turn: Option<usize>,
    pub(crate) names: &'a PathNames,
}

/// The whole view.
pub(crate) fn render(scene: &Scene<'_>, belief: &Belief) -> String {
    let mut page = Page::default();
    let turn = scene.turn.map_or("no turn".to_owned(), |turn| format!("up to turn {turn}"));
    let session = format!("{}, {turn}", one_line(&scene.file.id));
    page.line(left(&paint(HEADING, "session"), LABEL) + &session);
    page.line(left(&paint(HEADING, "cwd"), LABEL) + &scene.names.full(scene.cwd));
    page.gap();
    let applies = check(&belief.cause);
    for (at, words) in CHECKS.iter().enumerate() {
        let number = at + 1;
        if applies == Some(number) {
            page.line(format!("{} {number} {}", paint(NOTICE, "→"), paint(HEADING, words)));
        } else {
            // What comes behind the one that applies is not asked any more.
            let is_asked = applies.is_none_or(|applies| number < applies);
            let answer = if is_asked { ": no" } else { "" };
            page.line(paint(QUIET, format!("  {number} {words}{answer}")));
        }
    }
    page.gap();
    for line in wrap(&words(scene, &belief.cause), WIDTH) {
        page.line(line);
    }
    for file in &belief.files {
        add_file(&mut page, scene.names, file);
    }
    page.into()
}

/// The number of the check that a cause is the outcome of; none where it is none of the five.
pub(crate) const fn check(cause: &Cause) -> Option<usize> {
    match cause {
        Cause::NotOnChain(_) | Cause::NotRead(..) => Some(1),
        Cause::SameSelection { .. } => Some(2),
        Cause::NeverReachedStep(_) => Some(3),
        Cause::Equal => Some(4),
        Cause::GoesByRecord => Some(5),
        Cause::NotRecorded | Cause::OtherSettings { .. } => None,
    }
}

/// What applies, in sentences.
pub(crate) fn words(scene: &Scene<'_>, cause: &Cause) -> String {
    let names = scene.names;
    match cause {
        Cause::NotOnChain(path) => {
            let root = scene.project.map(|project| names.full(&project.root.path));
            format!(
                "{} is not looked for: the session works in {}, and only the directories from its root {} down to \
                 there count.",
                names.full(path),
                names.full(scene.cwd),
                root.unwrap_or_else(|| names.full(scene.cwd)),
            )
        }
        Cause::NotRead(path, outcome) => {
            format!("{} is on the chain, but: {}.", names.full(path), outcome::words(outcome, names))
        }
        Cause::SameSelection { turn } => format!(
            "Turn {turn} began after the change, with the directory and the settings of the turn before, so what had \
             been loaded was used again. Another directory, another sandbox or a new start of the program loads the \
             files anew."
        ),
        Cause::NeverReachedStep(NoStep::None) => {
            "The session had no turn yet; its first step tells what is there.".to_owned()
        }
        Cause::NeverReachedStep(NoStep::During(turn)) => format!(
            "The files changed while turn {turn} ran, after it had loaded them; no step has looked since."
        ),
        Cause::NeverReachedStep(NoStep::EndedBefore(turn)) => format!(
            "Turn {turn} began after the change and ended before its first step, so nothing was told."
        ),
        Cause::Equal => {
            "The model was told exactly what is on disk today, so there was nothing more to say.".to_owned()
        }
        Cause::GoesByRecord => {
            "Nothing ran since the change. A session that is resumed goes by its record; what differs is told once, \
             when its next turn begins."
                .to_owned()
        }
        Cause::NotRecorded => {
            "None of the five: the record does not hold what the model was told. The next turn tells it whole."
                .to_owned()
        }
        Cause::OtherSettings { turn } => format!(
            "None of the five: turn {turn} loaded the files after their last change. What counts is set otherwise \
             today (trust, project_doc_max_bytes, markers, CODEX_HOME), or a file was put back with its old time."
        ),
    }
}

fn add_file(page: &mut Page, names: &PathNames, file: &FileComparison) {
    let paths: Vec<String> = file.paths.iter().map(|path| names.full(path)).collect();
    let name = match paths.as_slice() {
        [] => "a file that is not there any more".to_owned(),
        paths => paths.join(", "),
    };
    page.gap();
    match (&file.told, &file.today) {
        _ if file.is_equal() => page.line(format!("{} {name}", paint(PROJECT, "same"))),
        (None, _) => page.line(format!("{} {name}", paint(FAULT, "never told"))),
        (_, None) => page.line(format!("{} {name}", paint(FAULT, "told, and gone today"))),
        _ => page.line(format!("{} {name}", paint(FAULT, "differs"))),
    }
    if !file.is_equal() {
        let (told, today) = (file.told.as_deref(), file.today.as_deref());
        add_diff(page, told.unwrap_or_default(), today.unwrap_or_default());
    }
}

fn add_diff(page: &mut Page, told: &str, today: &str) {
    let diff = TextDiff::from_lines(told, today);
    let mut unified = diff.unified_diff();
    let text =
        unified.context_radius(3).missing_newline_hint(false).header("told", "today").to_string();
    for line in text.lines() {
        let style = match line.as_bytes().first() {
            Some(b'+') => ADDED,
            Some(b'-') => REMOVED,
            Some(b'@') => QUIET,
            _ => Style::new(),
        };
        page.indented(2, paint(style, readable(line)));
    }
}
