//! One pass over a file that is to be continued: what numbers its lines carry, whose it is, and how it ends.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::os::unix::fs::FileExt;

use recto_protocol::ThreadId;
use serde::Deserialize;
use serde_json::Value;

use super::ordinal::greatest_ordinal;
use super::records::{Piece, pieces};

/// Bytes that are read at once.
const CHUNK: usize = 1 << 18;

/// What has to be known before a line can be appended.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Scan {
    /// Bytes of the file.
    pub(super) len: u64,
    /// Where the last line end stands behind; 0 where there is none.
    pub(super) end_of_lines: u64,
    /// What follows it, without NUL bytes at the end of the file.
    pub(super) tail: Vec<u8>,
    /// What the first `session_meta` says.
    pub(super) meta: Option<Meta>,
    /// The greatest ordinal of any line.
    pub(super) greatest_ordinal: Option<u64>,
}

/// What the first `session_meta` says of the whole file.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Meta {
    /// The thread.
    pub(super) id: Option<ThreadId>,
    /// Whether every line must carry an ordinal.
    pub(super) paginated: bool,
}

/// Reads a file once, line by line; memory follows its longest line.
pub(super) fn scan(file: &File) -> io::Result<Scan> {
    let len = file.metadata()?.len();
    let data = end_of_data(file, len)?;
    let mut found = Scan { len, ..Scan::default() };
    let mut lines = BufReader::with_capacity(CHUNK, Positioned { file, at: 0 }).take(data);
    let mut line = Vec::new();
    loop {
        line.clear();
        let read = lines.read_until(b'\n', &mut line)?;
        if read == 0 {
            return Ok(found);
        }
        found.look_at(&line);
        if line.last() == Some(&b'\n') {
            found.end_of_lines += read as u64;
        } else {
            found.tail = std::mem::take(&mut line);
        }
    }
}

impl Scan {
    fn look_at(&mut self, line: &[u8]) {
        self.greatest_ordinal = self.greatest_ordinal.max(greatest_ordinal(line));
        if self.meta.is_none() {
            self.meta = meta(line);
        }
    }

    /// The ordinal of the next line, where lines of this file carry one.
    pub(super) fn next_ordinal(&self) -> Option<u64> {
        let paginated = self.meta.as_ref().is_some_and(|meta| meta.paginated);
        match self.greatest_ordinal {
            Some(greatest) => Some(greatest.saturating_add(1)),
            None => paginated.then_some(0),
        }
    }
}

/// What a line says of the file, where it is a `session_meta`.
pub(super) fn meta(line: &[u8]) -> Option<Meta> {
    #[derive(Deserialize)]
    struct Line {
        r#type: String,
        payload: Payload,
    }
    #[derive(Deserialize)]
    struct Payload {
        #[serde(default)]
        id: Value,
        #[serde(default)]
        history_mode: Value,
    }

    memchr::memmem::find(line, b"\"session_meta\"")?;
    pieces(line).iter().find_map(|piece| {
        let Piece::Record(range) = piece else { return None };
        let line: Line = serde_json::from_slice(&line[range.clone()]).ok()?;
        (line.r#type == "session_meta").then(|| Meta {
            id: line.payload.id.as_str().and_then(|id| id.parse().ok()),
            paginated: line.payload.history_mode == "paginated",
        })
    })
}

/// Where the NUL bytes at the end of a file begin, as a power cut can leave them; read backwards, so that a tail of
/// gigabytes costs no memory.
fn end_of_data(file: &File, len: u64) -> io::Result<u64> {
    let mut end = len;
    let mut chunk = vec![0; CHUNK];
    while end > 0 {
        let size = CHUNK.min(usize::try_from(end).unwrap_or(CHUNK));
        let start = end - size as u64;
        file.read_exact_at(&mut chunk[..size], start)?;
        if let Some(last) = chunk[..size].iter().rposition(|byte| *byte != 0) {
            return Ok(start + last as u64 + 1);
        }
        end = start;
    }
    Ok(0)
}

/// Reads a file from a place of its own.
struct Positioned<'a> {
    file: &'a File,
    at: u64,
}

impl Read for Positioned<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read_at(buffer, self.at)?;
        self.at += read as u64;
        Ok(read)
    }
}
