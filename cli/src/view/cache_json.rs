//! `rollout show --cache --json`.

use recto_core::rollout::{
    Break, BreakCause, Difference, ReplayedSession, SentRequest, SessionFile,
};
use recto_protocol::TokenUsage;
use serde::Serialize;

use super::json::SCHEMA_VERSION;
use super::record_json::{ChangeMember, ItemMember};

/// The requests of a session, each beside the one before it.
///
/// Bytes are those of the input: its items with one byte between them. Tokens are bytes by four, rounded up.
#[derive(Debug, Serialize)]
pub(crate) struct CacheDocument<'a> {
    schema_version: u32,
    id: &'a str,
    path: String,
    base_instructions_bytes: usize,
    requests: Vec<RequestMember<'a>>,
}

/// `file` counts the files of the session from 0, `line` from 1: where the answer begins.
#[derive(Debug, Serialize)]
struct RequestMember<'a> {
    number: usize,
    turn: usize,
    time: Option<&'a str>,
    file: usize,
    line: u64,
    items: usize,
    bytes: u64,
    tokens: u64,
    asks_for_summary: bool,
    kept: Option<KeptMember<'a>>,
    usage: Option<&'a TokenUsage>,
}

#[derive(Debug, Serialize)]
struct KeptMember<'a> {
    items: usize,
    bytes: u64,
    tokens: u64,
    of_bytes: u64,
    broken: Option<BreakMember<'a>>,
}

#[derive(Debug, Serialize)]
struct BreakMember<'a> {
    causes: Vec<CauseMember<'a>>,
    first: Option<DifferenceMember<'a>>,
    state: Vec<ChangeMember<'a>>,
}

#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum CauseMember<'a> {
    Compacted,
    TakenBack { turns: u64 },
    OtherModel { before: &'a str, now: &'a str },
    OtherProvider { before: &'a str, now: &'a str },
    LateOutput,
}

/// `item` counts from 1.
#[derive(Debug, Serialize)]
struct DifferenceMember<'a> {
    item: usize,
    before: ItemMember<'a>,
    now: Option<ItemMember<'a>>,
}

/// All of it as one document.
pub(crate) fn document<'a>(
    file: &'a SessionFile,
    session: &'a ReplayedSession,
    requests: &'a [(usize, SentRequest)],
) -> CacheDocument<'a> {
    CacheDocument {
        schema_version: SCHEMA_VERSION,
        id: session.meta.id.as_deref().unwrap_or(&file.id),
        path: file.path.to_string_lossy().into_owned(),
        base_instructions_bytes: session.base_instructions.as_ref().map_or(0, |it| it.text.len()),
        requests: requests.iter().map(|(number, it)| request(*number, it)).collect(),
    }
}

fn request(number: usize, request: &SentRequest) -> RequestMember<'_> {
    RequestMember {
        number,
        turn: request.turn,
        time: request.time.as_deref(),
        file: request.place.file,
        line: request.place.line,
        items: request.items,
        bytes: request.bytes,
        tokens: request.bytes.div_ceil(4),
        asks_for_summary: request.asks_for_summary,
        kept: request.kept.as_ref().map(|kept| KeptMember {
            items: kept.items,
            bytes: kept.bytes,
            tokens: kept.bytes.div_ceil(4),
            of_bytes: kept.of,
            broken: kept.broken.as_ref().map(broken),
        }),
        usage: request.usage.as_ref(),
    }
}

fn broken(broken: &Break) -> BreakMember<'_> {
    BreakMember {
        causes: broken.causes.iter().map(cause).collect(),
        first: broken.first.as_ref().map(|Difference { item: number, before, now }| {
            DifferenceMember {
                item: *number,
                before: ItemMember::of(before),
                now: now.as_ref().map(ItemMember::of),
            }
        }),
        state: broken.state.iter().map(ChangeMember::of).collect(),
    }
}

fn cause(cause: &BreakCause) -> CauseMember<'_> {
    match cause {
        BreakCause::Compacted => CauseMember::Compacted,
        BreakCause::TakenBack { turns } => CauseMember::TakenBack { turns: *turns },
        BreakCause::OtherModel { before, now } => CauseMember::OtherModel { before, now },
        BreakCause::OtherProvider { before, now } => CauseMember::OtherProvider { before, now },
        BreakCause::LateOutput => CauseMember::LateOutput,
    }
}
