//! Reads a rollout record by record, and passes over what is no record without losing what stands beside it.
//!
//! Synchronous, because a rollout is a local file that is read once from front to back; an async caller puts it on a
//! thread for blocking work. Memory follows the longest line that is kept, not the file.

use std::io::{self, Read};
use std::ops::Range;

use memchr::{memchr, memmem};
use recto_protocol::rollout::{LineError, RolloutLine};

use super::fault::{FaultCause, LineFault, Place};
use super::open::is_cut_off;
use super::records::{BYTE_ORDER_MARK, Salvage};

/// The bytes that a line may have where the caller says nothing: far above any record that a model could read.
pub const MAX_LINE_BYTES: usize = 64 << 20;

/// The bytes asked for at first: a listing reads no more of most files than a few such pieces.
const FIRST_CHUNK: usize = 16 << 10;

/// The bytes asked for at once later on.
const CHUNK: usize = 128 << 10;

/// One record, or what stands where one should.
#[derive(Debug)]
pub enum Record<'a> {
    /// A line.
    Line(Place, RolloutLine<'a>),
    /// Something that is none; reading goes on behind it.
    Fault(LineFault),
}

/// Reads records from any source of bytes.
#[derive(Debug)]
pub struct RolloutReader<R> {
    source: R,
    limit: usize,
    buffer: Vec<u8>,
    /// What of the buffer is filled and belongs to no line yet.
    unread: Range<usize>,
    /// The byte in the file at which the buffer begins.
    base: u64,
    line: CurrentLine,
    at_end: bool,
    /// Whether the end is none that the file has, and nobody was told yet.
    cut_off: bool,
    started: bool,
}

/// The line that records are taken off.
#[derive(Debug, Default)]
struct CurrentLine {
    number: u64,
    /// What is left of it in the buffer.
    rest: Range<usize>,
    shares_line: bool,
    terminated: bool,
}

impl<R: Read> RolloutReader<R> {
    /// Reads a source from its first byte.
    pub fn new(source: R) -> Self {
        Self::with_line_limit(source, MAX_LINE_BYTES)
    }

    /// Reads a source, and passes over lines of more than `limit` bytes.
    pub fn with_line_limit(source: R, limit: usize) -> Self {
        Self {
            source,
            limit,
            buffer: Vec::new(),
            unread: 0..0,
            base: 0,
            line: CurrentLine::default(),
            at_end: false,
            cut_off: false,
            started: false,
        }
    }

    /// The next record; none at the end. Only the source's own errors are errors here, and of those not that compressed
    /// data breaks off.
    pub fn next_record(&mut self) -> io::Result<Option<Record<'_>>> {
        loop {
            let bytes = &self.buffer[self.line.rest.clone()];
            self.line.rest.start += bytes.len() - bytes.trim_ascii_start().len();
            if !self.line.rest.is_empty() {
                break;
            }
            match self.next_line()? {
                NextLine::Held => {}
                NextLine::TooLong(fault) => return Ok(Some(Record::Fault(fault))),
                NextLine::End if std::mem::take(&mut self.cut_off) => {
                    return Ok(Some(Record::Fault(self.end_that_is_none())));
                }
                NextLine::End => return Ok(None),
            }
        }
        Ok(Some(self.next_on_line()))
    }

    /// Takes the next record off the current line, of which something is left.
    fn next_on_line(&mut self) -> Record<'_> {
        let bytes = &self.buffer[self.line.rest.clone()];
        let zeros = bytes.iter().take_while(|byte| **byte == 0).count();
        let (cause, length) = if zeros > 0 {
            (FaultCause::ZeroBytes, zeros)
        } else {
            match first_record(bytes, self.line.shares_line) {
                Ok((line, length)) => return Record::Line(self.line.take(length, self.base), line),
                Err(error) => {
                    let length = Salvage::default().next_record(bytes).unwrap_or(bytes.len());
                    (cause_of(&error, &bytes[..length], self.line.terminated), length)
                }
            }
        };
        let type_name = guess_type(&bytes[..length]);
        Record::Fault(LineFault { place: self.line.take(length, self.base), cause, type_name })
    }

    /// Makes the next line the current one.
    fn next_line(&mut self) -> io::Result<NextLine> {
        if !self.started {
            self.pass_byte_order_mark()?;
        }
        let mut searched = 0;
        loop {
            let unread = &self.buffer[self.unread.clone()];
            if let Some(found) = memchr(b'\n', &unread[searched..]) {
                let length = searched + found;
                if length > self.limit {
                    return self.pass_over(length);
                }
                self.take(length, 1);
                return Ok(NextLine::Held);
            }
            searched = unread.len();
            if searched > self.limit {
                return self.pass_over(searched);
            }
            if self.at_end {
                if searched == 0 {
                    return Ok(NextLine::End);
                }
                self.take(searched, 0);
                return Ok(NextLine::Held);
            }
            self.fill()?;
        }
    }

    fn pass_byte_order_mark(&mut self) -> io::Result<()> {
        while self.unread.len() < BYTE_ORDER_MARK.len() && !self.at_end {
            self.fill()?;
        }
        if self.buffer[self.unread.clone()].starts_with(BYTE_ORDER_MARK) {
            self.unread.start += BYTE_ORDER_MARK.len();
        }
        self.started = true;
        Ok(())
    }

    /// Makes the next `length` bytes the current line, and passes over `newline` bytes behind it.
    fn take(&mut self, length: usize, newline: usize) {
        let rest = self.unread.start..self.unread.start + length;
        self.unread.start = rest.end + newline;
        self.line.begin(rest, newline == 1);
    }

    /// Passes over a line that is too long, of which `held` bytes are in the buffer, without holding the rest.
    fn pass_over(&mut self, held: usize) -> io::Result<NextLine> {
        let type_name = guess_type(&self.buffer[self.unread.start..self.unread.start + held]);
        let offset = self.base + self.unread.start as u64;
        let mut bytes = 0;
        let terminated = loop {
            let unread = &self.buffer[self.unread.clone()];
            if let Some(found) = memchr(b'\n', unread) {
                bytes += found as u64;
                self.unread.start += found + 1;
                break true;
            }
            bytes += unread.len() as u64;
            self.unread.start = self.unread.end;
            if self.at_end {
                break false;
            }
            self.fill()?;
        };
        self.line.begin(0..0, terminated);
        let place = Place { line: self.line.number, offset, bytes, shares_line: false, terminated };
        let cause = FaultCause::TooLong { limit: self.limit };
        Ok(NextLine::TooLong(LineFault { place, cause, type_name }))
    }

    fn end_that_is_none(&self) -> LineFault {
        let offset = self.base + self.unread.end as u64;
        let line = self.line.number + 1;
        let place = Place { line, offset, bytes: 0, shares_line: false, terminated: false };
        LineFault { place, cause: FaultCause::CutOff, type_name: None }
    }

    /// Reads more behind what is unread; the buffer grows only while one line fills it.
    fn fill(&mut self) -> io::Result<()> {
        self.buffer.copy_within(self.unread.clone(), 0);
        self.base += self.unread.start as u64;
        self.unread = 0..self.unread.len();
        self.line.rest = 0..0;
        let size = self.buffer.len();
        if size < CHUNK || size - self.unread.end < CHUNK / 2 {
            self.buffer.resize((size * 2).max(FIRST_CHUNK), 0);
        } else if size > CHUNK * 8 && self.unread.end < CHUNK {
            self.buffer.truncate(CHUNK * 2);
            self.buffer.shrink_to_fit();
        }
        let read = loop {
            match self.source.read(&mut self.buffer[self.unread.end..]) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if is_cut_off(&error) => {
                    self.cut_off = true;
                    break 0;
                }
                read => break read?,
            }
        };
        self.unread.end += read;
        self.at_end = read == 0;
        Ok(())
    }
}

impl CurrentLine {
    fn begin(&mut self, rest: Range<usize>, terminated: bool) {
        *self = Self { number: self.number + 1, rest, shares_line: false, terminated };
    }

    /// Takes the next `length` bytes off it; `base` is where in the file the buffer begins.
    fn take(&mut self, length: usize, base: u64) -> Place {
        let place = Place {
            line: self.number,
            offset: base + self.rest.start as u64,
            bytes: length as u64,
            shares_line: self.shares_line,
            terminated: self.terminated,
        };
        self.rest.start += length;
        self.shares_line = true;
        place
    }
}

enum NextLine {
    /// It is the current line now.
    Held,
    TooLong(LineFault),
    End,
}

/// The record that some bytes begin with, and how many of them it takes.
///
/// A line is looked at as a text once, and then the parser need not do it again; a line of many records would be
/// looked at as often as it has records.
fn first_record(bytes: &[u8], shares_line: bool) -> Result<(RolloutLine<'_>, usize), LineError> {
    if !shares_line && let Ok(text) = std::str::from_utf8(bytes) {
        return RolloutLine::parse_start(text).map(|(line, rest)| (line, text.len() - rest.len()));
    }
    RolloutLine::parse_prefix(bytes).map(|(line, rest)| (line, bytes.len() - rest.len()))
}

fn cause_of(error: &LineError, bytes: &[u8], terminated: bool) -> FaultCause {
    match error {
        LineError::NotJson(error) if error.is_eof() && !terminated => FaultCause::TornTail,
        _ if std::str::from_utf8(bytes).is_err() => FaultCause::NotUtf8,
        LineError::NotJson(error) => {
            FaultCause::NotARecord(error.to_string().replace(" at line 1 column ", " at its byte "))
        }
        other => FaultCause::NotARecord(other.to_string()),
    }
}

/// The type that a broken line seems to have.
fn guess_type(bytes: &[u8]) -> Option<String> {
    let head = &bytes[..bytes.len().min(256)];
    let start = memmem::find(head, br#""type":""#)? + 8;
    let name = &head[start..start + memchr(b'"', &head[start..])?];
    let plain = name.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
    (plain && !name.is_empty()).then(|| String::from_utf8_lossy(name).into_owned())
}
