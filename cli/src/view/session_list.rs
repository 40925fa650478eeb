//! `rollout list`, for people and for programs.

use std::time::SystemTime;

use recto_core::rollout::{ListedSession, Skipped};
use serde::Serialize;

use super::json::SCHEMA_VERSION;
use super::layout::{WIDTH, counted, left, right, shortened, width};
use super::moment;
use super::names::{PathNames, shown};
use super::page::Page;
use super::palette::{HEADING, PROJECT, QUIET, paint};

/// The fewest characters of an id that are shown.
const SHORTEST: usize = 8;

const AGE: usize = 7;
const SIZE: usize = 8;
const CWD: usize = 22;

/// One session of the list.
#[derive(Debug)]
pub(crate) struct Row {
    /// The shortest beginning of its id that names it.
    pub(crate) prefix: String,
    /// Turns of a person; none where nobody counted or they cannot be told.
    pub(crate) turns: Option<usize>,
    pub(crate) session: ListedSession,
}

/// The ids of all sessions, sorted.
#[derive(Debug)]
pub(crate) struct Prefixes(Vec<String>);

/// Finds out how much of each id has to be given.
pub(crate) fn shortest_prefixes(sessions: &[ListedSession]) -> Prefixes {
    let mut ids: Vec<String> = sessions.iter().map(|it| it.file.id.clone()).collect();
    ids.sort_unstable();
    Prefixes(ids)
}

impl Prefixes {
    /// The shortest beginning of a session's id that no other session has.
    pub(crate) fn of(&self, session: &ListedSession) -> String {
        let id = &session.file.id;
        let Ok(at) = self.0.binary_search(id) else { return id.clone() };
        let neighbours = [at.checked_sub(1), Some(at + 1)];
        let needed = neighbours
            .into_iter()
            .filter_map(|at| self.0.get(at?))
            .map(|other| id.bytes().zip(other.bytes()).take_while(|(a, b)| a == b).count() + 1)
            .max();
        let mut length = needed.unwrap_or(0).max(SHORTEST).min(id.len());
        // A hyphen at the end says nothing.
        if id.as_bytes().get(length - 1) == Some(&b'-') {
            length = (length + 1).min(id.len());
        }
        id.get(..length).unwrap_or(id).to_owned()
    }
}

/// The list for people, made for 80 columns.
pub(crate) fn render(rows: &[Row], long: bool, names: &PathNames, now: SystemTime) -> String {
    let mut page = Page::default();
    if rows.is_empty() {
        page.line("No session is recorded here.");
        return page.into();
    }
    let id = rows.iter().map(|row| width(&row.prefix)).max().unwrap_or(0).max(SHORTEST) + 2;
    let title = WIDTH.saturating_sub(id + AGE + SIZE + 2 + CWD + 2).max(16);
    let heading = left("session", id) + &right("age", AGE) + &right("size", SIZE);
    page.line(paint(HEADING, format!("{heading}  {}  directory", left("title", title))));
    for row in rows {
        let summary = &row.session.summary;
        let words = match &summary.title {
            Some(text) => shortened(text, title),
            None => paint(QUIET, shortened(neutral_title(row), title)),
        };
        let cwd = summary.cwd.as_deref().map(|cwd| end_of(&names.full(cwd.as_ref()), CWD));
        let age = right(&moment::age(summary.modified, now), AGE);
        let size = right(&moment::size(summary.bytes), SIZE);
        let start = paint(PROJECT, &row.prefix);
        let line = format!("{}{age}{size}  {}  ", left(&start, id), left(&words, title));
        page.line((line + &cwd.unwrap_or_default()).trim_end());
        if long {
            page.indented(id, paint(QUIET, details(row, names)));
        }
    }
    page.into()
}

/// What stands for a title where the person wrote no words.
fn neutral_title(row: &Row) -> &'static str {
    if row.session.summary.from_person { "(no text)" } else { "(nothing said)" }
}

fn details(row: &Row, names: &PathNames) -> String {
    let turns = match row.turns {
        Some(turns) => counted(turns as u64, "turn"),
        None => "turns unknown".to_owned(),
    };
    format!("{turns} · {}", names.full(&row.session.file.path))
}

/// The end of a text, with `…` where it was longer.
fn end_of(text: &str, columns: usize) -> String {
    if width(text) <= columns {
        return text.to_owned();
    }
    let mut out = String::new();
    for character in text.chars().rev() {
        if width(&out) + width(&character.to_string()) + 1 > columns {
            break;
        }
        out.insert(0, character);
    }
    format!("…{out}")
}

/// The list for programs. Times are RFC 3339; `modified` is in seconds since 1970.
#[derive(Debug, Serialize)]
pub(crate) struct ListDocument<'a> {
    schema_version: u32,
    sessions: Vec<SessionMember<'a>>,
    skipped: Vec<SkippedMember>,
}

#[derive(Debug, Serialize)]
struct SessionMember<'a> {
    id: &'a str,
    prefix: &'a str,
    path: String,
    title: Option<&'a str>,
    cwd: Option<&'a str>,
    started: Option<&'a str>,
    last_record: Option<&'a str>,
    modified: Option<u64>,
    bytes: u64,
    archived: bool,
    forked_from: Option<&'a str>,
    originator: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    turns: Option<usize>,
}

#[derive(Debug, Serialize)]
struct SkippedMember {
    path: String,
    reason: String,
}

/// The whole list as one document.
pub(crate) fn document<'a>(rows: &'a [Row], skipped: &[Skipped]) -> ListDocument<'a> {
    ListDocument {
        schema_version: SCHEMA_VERSION,
        sessions: rows.iter().map(member).collect(),
        skipped: skipped
            .iter()
            .map(|it| SkippedMember { path: shown(&it.path), reason: it.reason.to_string() })
            .collect(),
    }
}

fn member(row: &Row) -> SessionMember<'_> {
    let (file, summary) = (&row.session.file, &row.session.summary);
    SessionMember {
        id: &file.id,
        prefix: &row.prefix,
        path: file.path.to_string_lossy().into_owned(),
        title: summary.title.as_deref(),
        cwd: summary.cwd.as_deref(),
        started: summary.started.as_deref(),
        last_record: summary.last_record.as_deref(),
        modified: moment::seconds(summary.modified),
        bytes: summary.bytes,
        archived: file.archived,
        forked_from: summary.forked_from.as_deref(),
        originator: summary.originator.as_deref(),
        turns: row.turns,
    }
}
