//! `rollout show --json`.

use recto_core::rollout::{Happened, ReplayedSession, SessionFile, TranscriptEntry};
use recto_protocol::TokenUsage;
use recto_protocol::rollout::TurnContext;
use serde::Serialize;

use super::json::SCHEMA_VERSION;
use super::record_json::{ChangeMember, ItemMember};

/// A session and what happened in it, in the order of the record.
#[derive(Debug, Serialize)]
pub(crate) struct TranscriptDocument<'a> {
    schema_version: u32,
    id: &'a str,
    path: String,
    cwd: Option<&'a str>,
    turns: Vec<TurnMember<'a>>,
    entries: Vec<EntryMember<'a>>,
}

#[derive(Debug, Serialize)]
struct TurnMember<'a> {
    number: usize,
    turn_id: Option<&'a str>,
    from_person: bool,
    taken_back: bool,
}

/// `file` counts the files of the session from 0, `line` from 1, `byte` from 0; turn 0 is before the first.
#[derive(Debug, Serialize)]
struct EntryMember<'a> {
    turn: usize,
    time: Option<&'a str>,
    file: usize,
    line: u64,
    byte: u64,
    what: WhatMember<'a>,
}

#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum WhatMember<'a> {
    Told(ItemMember<'a>),
    Said(ItemMember<'a>),
    Did(ItemMember<'a>),
    State { full: bool, readable: bool, changes: Vec<ChangeMember<'a>> },
    Settings { settings: &'a TurnContext },
    SettingsApplied,
    Compacted { message: &'a str, items: Option<usize> },
    TakenBack { turns: u64 },
    Ended,
    Failed { error: &'a str },
    Aborted { reason: Option<&'a str> },
    Usage { usage: &'a TokenUsage },
    Fault { message: String },
}

/// All of it as one document.
pub(crate) fn document<'a>(
    file: &'a SessionFile,
    session: &'a ReplayedSession,
    entries: &'a [TranscriptEntry],
) -> TranscriptDocument<'a> {
    TranscriptDocument {
        schema_version: SCHEMA_VERSION,
        id: session.meta.id.as_deref().unwrap_or(&file.id),
        path: file.path.to_string_lossy().into_owned(),
        cwd: session.cwd(),
        turns: session
            .turns
            .iter()
            .map(|turn| TurnMember {
                number: turn.number,
                turn_id: turn.turn_id.as_deref(),
                from_person: turn.from_person,
                taken_back: turn.taken_back,
            })
            .collect(),
        entries: entries.iter().map(entry).collect(),
    }
}

fn entry(entry: &TranscriptEntry) -> EntryMember<'_> {
    EntryMember {
        turn: entry.turn,
        time: entry.time.as_deref(),
        file: entry.place.file,
        line: entry.place.line,
        byte: entry.place.offset,
        what: what(&entry.what),
    }
}

fn what(what: &Happened) -> WhatMember<'_> {
    match what {
        Happened::Told(it) => WhatMember::Told(ItemMember::of(it)),
        Happened::Said(it) => WhatMember::Said(ItemMember::of(it)),
        Happened::Did(it) => WhatMember::Did(ItemMember::of(it)),
        Happened::State { full, changes } => WhatMember::State {
            full: *full,
            readable: changes.is_some(),
            changes: changes.iter().flatten().map(ChangeMember::of).collect(),
        },
        Happened::Settings(settings) => WhatMember::Settings { settings },
        Happened::SettingsApplied => WhatMember::SettingsApplied,
        Happened::Compacted { message, items } => {
            WhatMember::Compacted { message, items: items.as_ref().map(Vec::len) }
        }
        Happened::TakenBack { turns } => WhatMember::TakenBack { turns: *turns },
        Happened::Ended => WhatMember::Ended,
        Happened::Failed(error) => WhatMember::Failed { error },
        Happened::Aborted(reason) => WhatMember::Aborted { reason: reason.as_deref() },
        Happened::Usage(usage) => WhatMember::Usage { usage },
        Happened::Fault(fault) => WhatMember::Fault { message: fault.to_string() },
    }
}
