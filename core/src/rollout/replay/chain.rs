//! The files that make up a session: its own, and those that hold its past.

use std::io;
use std::path::{Path, PathBuf};

use recto_protocol::rollout::{HistoryBase, LineKind, RolloutLine, SessionMeta};

use super::super::open;
use super::super::reader::{Record, RolloutReader};
use super::error::ReplayError;
use super::part::PartEnd;

/// How many records are looked through for the meta of a file.
const META_WITHIN: usize = 100;

/// How many bytes before the end of the past are looked at for its last line.
const LAST_LINE_BYTES: u64 = 1 << 20;

/// One file of a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChainPart {
    /// The file.
    pub path: PathBuf,
    /// How much of it counts.
    pub end: PartEnd,
}

/// The files of a session, the oldest first, its own last.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RolloutChain {
    parts: Vec<ChainPart>,
}

impl RolloutChain {
    /// A file whose past stands in it.
    pub fn single(path: impl Into<PathBuf>) -> Self {
        Self { parts: vec![ChainPart { path: path.into(), end: PartEnd::File }] }
    }

    /// Follows a file to where its past stands; `files_of` gives the files of a thread, the newest first.
    pub fn of(
        path: impl Into<PathBuf>,
        mut files_of: impl FnMut(&str) -> Vec<PathBuf>,
    ) -> Result<Self, ReplayError> {
        let mut chain = Self::single(path);
        loop {
            let path = chain.parts[0].path.clone();
            let meta = first_meta(&path)
                .map_err(|source| ReplayError::Read { path: path.clone(), source })?;
            let Some(base) = meta.and_then(|meta| meta.history_base) else { return Ok(chain) };
            let mut candidates = files_of(&base.thread_id);
            candidates.retain(|file| chain.parts.iter().all(|part| part.path != *file));
            let Some(part) = part_of(&candidates, &base) else {
                return Err(ReplayError::MissingBase { path, thread_id: base.thread_id });
            };
            chain.parts.insert(0, part);
        }
    }

    /// The files, the oldest first.
    pub fn parts(&self) -> &[ChainPart] {
        &self.parts
    }
}

/// The meta that says who a file is.
fn first_meta(path: &Path) -> io::Result<Option<SessionMeta>> {
    let mut reader = RolloutReader::new(open::open(path)?);
    for _ in 0..META_WITHIN {
        match reader.next_record()? {
            Some(Record::Line(_, line)) if line.kind() == LineKind::SessionMeta => {
                return Ok(SessionMeta::identity_from_json(line.payload().get()));
            }
            Some(_) => {}
            None => return Ok(None),
        }
    }
    Ok(None)
}

/// Which of several files of one thread holds the past, and how much of it: the newest whose line before the end has
/// the ordinal before the end. A session that was taken back has several files under one name.
fn part_of(candidates: &[PathBuf], base: &HistoryBase) -> Option<ChainPart> {
    let exact = candidates.iter().find(|path| ends_there(path, base));
    if let (Some(path), Some(end)) = (exact, base.end_byte_offset) {
        return Some(ChainPart { path: path.clone(), end: PartEnd::Byte(end) });
    }
    let end = match (base.end_ordinal_exclusive, base.end_byte_offset) {
        (Some(ordinal), _) => PartEnd::Ordinal(ordinal),
        (None, Some(byte)) => PartEnd::Byte(byte),
        (None, None) => PartEnd::File,
    };
    candidates.first().map(|path| ChainPart { path: path.clone(), end })
}

/// Whether the line before the byte at which the past ends is the one before the ordinal at which it ends.
fn ends_there(path: &Path, base: &HistoryBase) -> bool {
    let (Some(end), Some(ordinal)) = (base.end_byte_offset, base.end_ordinal_exclusive) else {
        return false;
    };
    last_ordinal_before(path, end).is_some_and(|last| last.checked_add(1) == Some(ordinal))
}

fn last_ordinal_before(path: &Path, end: u64) -> Option<u64> {
    if open::is_compressed(path) || open::facts(path).ok()?.bytes < end {
        return None;
    }
    let start = end.saturating_sub(LAST_LINE_BYTES);
    let bytes = open::read_known(path, start, end - start).ok()?;
    let text = bytes.strip_suffix(b"\n")?;
    let line = &text[memchr::memrchr(b'\n', text).map_or(0, |at| at + 1)..];
    RolloutLine::parse(std::str::from_utf8(line).ok()?).ok()?.ordinal()?.number()
}
