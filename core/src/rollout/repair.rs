//! A copy of a rollout in which every line is one record.

use std::fs;
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};

use super::file::new_file;
use super::open;
use super::records::{Piece, pieces};

/// How a copy differs from the file that it was made from.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Repaired {
    /// Records in the copy.
    pub records: u64,
    /// What was dropped or changed, in the order of the file.
    pub changes: Vec<Change>,
    /// Blank lines that were left out.
    pub blank_lines: u64,
    /// Lines that end in CRLF or have white space around their record; the copy has neither.
    pub respaced_lines: u64,
}

/// One place where the copy differs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Change {
    /// The line of the original, from 1.
    pub line: u64,
    /// The first byte in the original.
    pub byte: u64,
    /// Bytes of the original.
    pub len: u64,
    /// What was done, and why.
    pub kind: ChangeKind,
}

/// What was done in one place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ChangeKind {
    /// A record that breaks off, or no record.
    #[error("dropped: it is no whole JSON object")]
    Broken,
    /// The same, at the end of the file.
    #[error("dropped: the file breaks off in the middle of a record")]
    TornTail,
    /// NUL bytes, as a power cut leaves them.
    #[error("dropped: NUL bytes")]
    Nuls,
    /// A mark that an editor put there.
    #[error("dropped: a byte order mark")]
    ByteOrderMark,
    /// A second record on one line.
    #[error("put on a line of its own: it stood behind another record")]
    Split,
    /// Bytes that are no UTF-8.
    #[error("mended: bytes that are no UTF-8 were replaced by U+FFFD")]
    InvalidUtf8,
    /// The file is compressed, and nothing behind this place can be decompressed.
    #[error("lost: the compressed data breaks off here")]
    CutOff,
    /// The last record had no line end.
    #[error("closed: the last line had no line end")]
    Closed,
}

/// Why there is no copy.
#[derive(Debug, thiserror::Error)]
pub enum RepairError {
    /// The original could not be read.
    #[error("{} could not be read", path.display())]
    Read {
        /// The original.
        path: PathBuf,
        /// The system's words.
        source: io::Error,
    },
    /// The copy could not be made; what was written of it is gone.
    #[error("{} could not be written", path.display())]
    Write {
        /// The copy.
        path: PathBuf,
        /// The system's words.
        source: io::Error,
    },
}

/// Copies a rollout, leaving out what is no whole record, and says what became of every byte that is not in the copy.
///
/// The original is only read, also a compressed one. The copy is a new file for its owner alone; nothing is replaced. Blocks.
pub fn repair(from: &Path, to: &Path) -> Result<Repaired, RepairError> {
    let read_error = |source| RepairError::Read { path: from.to_owned(), source };
    let write_error = |source| RepairError::Write { path: to.to_owned(), source };
    let original = open::open(from).map_err(read_error)?;
    let copy = new_file(to).map_err(write_error)?;
    let result = repair_lines(BufReader::new(original), BufWriter::new(&copy))
        .map_err(|error| match error {
            CopyError::Read(source) => read_error(source),
            CopyError::Write(source) => write_error(source),
        })
        .and_then(|repaired| copy.sync_all().map(|()| repaired).map_err(write_error));
    if result.is_err() {
        let _ = fs::remove_file(to);
    }
    result
}

/// On which side a copy failed.
#[derive(Debug, thiserror::Error)]
pub enum CopyError {
    /// Reading.
    #[error("reading failed: {0}")]
    Read(io::Error),
    /// Writing.
    #[error("writing failed: {0}")]
    Write(io::Error),
}

/// Does what [`repair`] does, from and to anything; memory follows the longest line.
pub fn repair_lines(mut from: impl BufRead, mut to: impl Write) -> Result<Repaired, CopyError> {
    let mut copy = Copy { repaired: Repaired::default(), line: 0, byte: 0 };
    let mut line = Vec::new();
    loop {
        line.clear();
        let cut_off = match from.read_until(b'\n', &mut line) {
            Ok(_) => false,
            Err(error) if open::is_cut_off(&error) => true,
            Err(error) => return Err(CopyError::Read(error)),
        };
        copy.line += 1;
        if !line.is_empty() {
            copy.take(&line, &mut to).map_err(CopyError::Write)?;
        }
        if cut_off {
            copy.note(line.len(), 0, ChangeKind::CutOff);
        }
        if cut_off || line.is_empty() {
            to.flush().map_err(CopyError::Write)?;
            return Ok(copy.repaired);
        }
        copy.byte += line.len() as u64;
    }
}

/// A copy that is being made.
struct Copy {
    repaired: Repaired,
    /// The line that is looked at, from 1.
    line: u64,
    /// Where it starts.
    byte: u64,
}

impl Copy {
    fn take(&mut self, line: &[u8], to: &mut impl Write) -> io::Result<()> {
        let closed = line.last() == Some(&b'\n');
        let text = line.strip_suffix(b"\n").unwrap_or(line);
        let pieces = pieces(text);
        if pieces.is_empty() {
            self.repaired.blank_lines += 1;
            return Ok(());
        }
        let taken: usize = pieces.iter().map(|piece| piece.range().len()).sum();
        self.repaired.respaced_lines += u64::from(taken < text.len());
        let last_record = pieces.iter().rposition(|piece| matches!(piece, Piece::Record(_)));
        let mut records = 0;
        for (at, piece) in pieces.iter().enumerate() {
            let behind_records = last_record.is_none_or(|last| at > last);
            let kind = match piece {
                Piece::Record(range) => {
                    self.write(&text[range.clone()], range.start, to)?;
                    records += 1;
                    if records == 1 {
                        continue;
                    }
                    ChangeKind::Split
                }
                Piece::Broken(_) if !closed && behind_records => ChangeKind::TornTail,
                Piece::Broken(_) => ChangeKind::Broken,
                Piece::Nuls(_) => ChangeKind::Nuls,
                Piece::Mark(_) => ChangeKind::ByteOrderMark,
            };
            self.note(piece.range().start, piece.range().len(), kind);
        }
        if !closed && last_record == Some(pieces.len() - 1) {
            self.note(line.len(), 0, ChangeKind::Closed);
        }
        Ok(())
    }

    fn write(&mut self, record: &[u8], start: usize, to: &mut impl Write) -> io::Result<()> {
        let text = String::from_utf8_lossy(record);
        if text.len() != record.len() || text.as_bytes() != record {
            self.note(start, record.len(), ChangeKind::InvalidUtf8);
        }
        self.repaired.records += 1;
        to.write_all(text.as_bytes())?;
        to.write_all(b"\n")
    }

    fn note(&mut self, start: usize, len: usize, kind: ChangeKind) {
        let byte = self.byte + start as u64;
        self.repaired.changes.push(Change { line: self.line, byte, len: len as u64, kind });
    }
}
