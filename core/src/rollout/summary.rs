//! What a listing says about a session, from the head and the tail of its file.

use std::io::{self, Read};
use std::path::Path;
use std::time::SystemTime;

use memchr::{memchr, memmem, memrchr_iter};
use recto_protocol::Item;
use recto_protocol::rollout::{LineKind, RolloutLine, SessionMeta};
use serde::Deserialize;

use super::fault::Faults;
use super::open;
use super::reader::{Record, RolloutReader};
use super::speaker::{Speaker, title_of};

/// How long a title may be, in characters.
const TITLE_CHARACTERS: usize = 200;

/// The bytes of a file that are looked through for the first thing that a person said.
const HEAD_BYTES: u64 = 16 << 20;

/// The bytes that a line of the head may have.
const HEAD_LINE_BYTES: usize = 8 << 20;

/// The bytes of the tail that are looked through for the settings of the last turn; the next size is taken where the
/// one before did not hold them.
const TAIL_BYTES: [u64; 4] = [32 << 10, 256 << 10, 2 << 20, 16 << 20];

/// What a listing says about a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionSummary {
    /// The thread: the first meta's, else the one in the file's name.
    pub id: Option<String>,
    /// What the person said first; none where that were only pictures, or nothing.
    pub title: Option<String>,
    /// Whether a person said anything, as far as the head of the file goes.
    pub from_person: bool,
    /// Where the last turn worked.
    pub cwd: Option<String>,
    /// When the session began, as its meta says it.
    pub started: Option<String>,
    /// When the last record was written, as it says itself.
    pub last_record: Option<String>,
    /// When the file was written last.
    pub modified: SystemTime,
    /// Its bytes on disk.
    pub bytes: u64,
    /// The session that it was forked from.
    pub forked_from: Option<String>,
    /// The program that recorded it.
    pub originator: Option<String>,
    /// The faults of the lines that were looked at.
    pub faults: Faults,
}

impl SessionSummary {
    /// Reads the head and the tail of a file; none where nothing in it says who it is.
    pub fn of_file(path: &Path) -> io::Result<Option<Self>> {
        let facts = open::facts(path)?;
        let mut head = Head::default();
        let compressed = open::is_compressed(path);
        // A compressed file has no tail that could be read without the middle.
        let bytes = if compressed { u64::MAX } else { HEAD_BYTES };
        let to_the_end = head.read(open::open_known(path)?, bytes, compressed)?;
        let Some(meta) = head.meta else { return Ok(None) };
        let tail = if compressed || (to_the_end && facts.bytes <= HEAD_BYTES) {
            Tail { cwd: head.last_cwd, last_record: head.last_record }
        } else {
            let mut tail = Tail::of_file(path, facts.bytes)?;
            tail.cwd = tail.cwd.or(head.last_cwd);
            tail
        };
        Ok(Some(Self {
            id: meta.id.or(meta.session_id),
            title: head.title,
            from_person: head.from_person,
            cwd: tail.cwd.or(meta.cwd),
            started: meta.timestamp,
            last_record: tail.last_record,
            modified: facts.modified,
            bytes: facts.bytes,
            forked_from: meta.forked_from_id,
            originator: meta.originator,
            faults: head.faults,
        }))
    }
}

/// Where the last turn of a session worked, from the tail of its file; its first cwd where it had no turn.
pub(super) fn last_cwd(path: &Path) -> io::Result<Option<String>> {
    let bytes = open::facts(path)?.bytes;
    if !open::is_compressed(path)
        && let Some(cwd) = Tail::of_file(path, bytes)?.cwd
    {
        return Ok(Some(cwd));
    }
    Ok(SessionSummary::of_file(path)?.and_then(|summary| summary.cwd))
}

#[derive(Default)]
struct Head {
    meta: Option<SessionMeta>,
    title: Option<String>,
    from_person: bool,
    last_cwd: Option<String>,
    last_record: Option<String>,
    faults: Faults,
}

impl Head {
    /// Reads up to the first thing that a person said; with `to_the_end` on to the end. Whether it came to an end.
    fn read(&mut self, source: impl Read, bytes: u64, to_the_end: bool) -> io::Result<bool> {
        let source = source.take(bytes);
        let mut reader = RolloutReader::with_line_limit(source, HEAD_LINE_BYTES);
        while let Some(record) = reader.next_record()? {
            match record {
                Record::Line(_, line) => self.line(&line),
                Record::Fault(fault) if fault.place.offset + fault.place.bytes >= bytes => {}
                Record::Fault(fault) => self.faults.push(fault),
            }
            if self.from_person && self.meta.is_some() && !to_the_end {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn line(&mut self, line: &RolloutLine<'_>) {
        match line.kind() {
            LineKind::SessionMeta if self.meta.is_none() => {
                self.meta = SessionMeta::identity_from_json(line.payload().get());
            }
            LineKind::ResponseItem if !self.from_person => self.item(line),
            LineKind::TurnContext => {
                self.last_cwd = cwd_of(line).or(self.last_cwd.take());
            }
            _ => {}
        }
        self.last_record = line.timestamp().map(Into::into).or(self.last_record.take());
    }

    fn item(&mut self, line: &RolloutLine<'_>) {
        let from_user = memmem::find(line.payload().get().as_bytes(), b"\"user\"").is_some();
        if !from_user {
            return;
        }
        let Ok(item) = Item::from_raw(line.payload()) else { return };
        if Speaker::of(&item) == Speaker::Person {
            self.from_person = true;
            self.title = title_of(&item, TITLE_CHARACTERS);
        }
    }
}

#[derive(Default)]
struct Tail {
    cwd: Option<String>,
    last_record: Option<String>,
}

impl Tail {
    fn of_file(path: &Path, length: u64) -> io::Result<Self> {
        let mut tail = Self::default();
        for size in TAIL_BYTES {
            let start = length.saturating_sub(size);
            let bytes = open::read_known(path, start, length - start)?;
            tail.look_through(if start == 0 { &bytes } else { behind_first_line(&bytes) });
            if tail.cwd.is_some() || start == 0 {
                break;
            }
        }
        Ok(tail)
    }

    /// Takes the last settings and the last time from some whole lines.
    fn look_through(&mut self, bytes: &[u8]) {
        self.last_record = lines_from_end(bytes).find_map(|line| {
            let (line, _) = RolloutLine::parse_prefix(line).ok()?;
            line.timestamp().map(Into::into)
        });
        let settings = memmem::Finder::new("\"turn_context\"");
        self.cwd =
            lines_from_end(bytes).filter(|line| settings.find(line).is_some()).find_map(|line| {
                let (line, _) = RolloutLine::parse_prefix(line).ok()?;
                if line.kind() == LineKind::TurnContext { cwd_of(&line) } else { None }
            });
    }
}

/// The lines, the last one first.
fn lines_from_end(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut end = bytes.len();
    memrchr_iter(b'\n', bytes).map(Some).chain([None]).map(move |newline| {
        let line = &bytes[newline.map_or(0, |at| at + 1)..end];
        end = newline.unwrap_or_default();
        line
    })
}

/// What stands behind the first line end: before it is the rest of a line.
fn behind_first_line(bytes: &[u8]) -> &[u8] {
    memchr(b'\n', bytes).map_or(&[], |at| &bytes[at + 1..])
}

/// The directory in a turn's settings, of which nothing else is decoded.
fn cwd_of(line: &RolloutLine<'_>) -> Option<String> {
    #[derive(Deserialize)]
    struct Settings {
        cwd: Option<String>,
    }

    serde_json::from_str::<Settings>(line.payload().get()).ok()?.cwd
}
