//! Lines go to a file in their order: each whole, none twice, and what failed first.

use std::collections::VecDeque;
use std::io;

use super::file::RolloutFile;
use super::ordinal::with_ordinal;
use super::scan::meta;
use super::settings::{RecorderSettings, SyncPolicy};
use super::sink::AppendError;

/// Appends lines to one file; blocks, and belongs to one thread.
///
/// Between two calls the file ends with a line end, or `torn` says how many bytes must go before the next write.
#[derive(Debug)]
pub(crate) struct LineWriter {
    file: Box<dyn RolloutFile>,
    settings: RecorderSettings,
    /// Where the last whole line ends.
    end: u64,
    /// Bytes of a line behind it that failed and could not be cut.
    torn: u64,
    numbering: Numbering,
    /// Lines that are not written yet, the oldest first.
    pending: VecDeque<String>,
    unsynced: bool,
}

/// Whether lines carry ordinals.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Numbering {
    /// The first line of the file decides.
    Undecided,
    /// They do not.
    Plain,
    /// They do, and this is the next one.
    Next(u64),
}

impl LineWriter {
    /// Goes on at `end`, which is the file's length and stands behind a line end.
    pub(crate) fn new(
        file: Box<dyn RolloutFile>,
        settings: RecorderSettings,
        end: u64,
        numbering: Numbering,
    ) -> Self {
        let pending = VecDeque::new();
        Self { file, settings, end, torn: 0, numbering, pending, unsynced: end > 0 }
    }

    /// Writes what waits and then these lines.
    pub(crate) fn append(&mut self, lines: Vec<String>) -> Result<(), AppendError> {
        for (number, line) in lines.iter().enumerate() {
            self.check(number, line)?;
        }
        self.pending.extend(lines);
        if self.pending.is_empty() {
            return Ok(());
        }
        self.prepare()?;
        while let Some(line) = self.pending.front() {
            let (text, numbering) = numbered(line, self.numbering);
            self.write(text)?;
            self.numbering = numbering;
            self.pending.pop_front();
        }
        match self.settings.sync {
            SyncPolicy::EachAppend => self.sync(),
            SyncPolicy::None | SyncPolicy::EachTurn => Ok(()),
        }
    }

    /// Writes what waits, and syncs where the policy wants it after a turn.
    pub(crate) fn end_turn(&mut self) -> Result<(), AppendError> {
        self.append(Vec::new())?;
        match self.settings.sync {
            SyncPolicy::EachAppend | SyncPolicy::EachTurn => self.sync(),
            SyncPolicy::None => Ok(()),
        }
    }

    fn check(&self, number: usize, line: &str) -> Result<(), AppendError> {
        let limit = self.settings.max_line_bytes;
        if line.len() > limit {
            return Err(AppendError::TooLong { line: number, bytes: line.len(), limit });
        }
        let is_object = line.starts_with('{') && line.ends_with('}');
        if !is_object || memchr::memchr2(b'\n', b'\r', line.as_bytes()).is_some() {
            return Err(AppendError::NotOneLine { line: number });
        }
        Ok(())
    }

    /// Cuts what an earlier failure left, and looks whether the file is still ours alone.
    fn prepare(&mut self) -> Result<(), AppendError> {
        let state = self.file.state().map_err(|error| self.failed(&error))?;
        let path = || self.file.path().to_owned();
        if !state.named {
            return Err(AppendError::Removed { path: path() });
        }
        if state.len != self.end + self.torn {
            let (expected, found) = (self.end, state.len);
            return Err(AppendError::ChangedByOther { path: path(), expected, found });
        }
        if self.torn > 0 {
            self.file.set_len(self.end).map_err(|error| self.failed(&error))?;
            self.torn = 0;
        }
        Ok(())
    }

    /// Writes one line with its end; a part that was written of a line that failed is cut again.
    fn write(&mut self, mut line: String) -> Result<(), AppendError> {
        line.push('\n');
        let bytes = line.as_bytes();
        let mut written = 0;
        while written < bytes.len() {
            let error = match self.file.append(&bytes[written..]) {
                Ok(0) => io::ErrorKind::WriteZero.into(),
                Ok(taken) => {
                    written += taken;
                    continue;
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => error,
            };
            if written > 0 && self.file.set_len(self.end).is_err() {
                self.torn = written as u64;
            }
            return Err(self.failed(&error));
        }
        self.end += bytes.len() as u64;
        self.unsynced = true;
        Ok(())
    }

    fn sync(&mut self) -> Result<(), AppendError> {
        if !self.unsynced {
            return Ok(());
        }
        self.file.sync().map_err(|error| AppendError::NotSynced {
            path: self.file.path().to_owned(),
            message: error.to_string(),
        })?;
        self.unsynced = false;
        Ok(())
    }

    fn failed(&self, error: &io::Error) -> AppendError {
        AppendError::Failed {
            path: self.file.path().to_owned(),
            kind: error.kind(),
            message: error.to_string(),
            pending: self.pending.len(),
        }
    }
}

/// The line as it is written, and the numbering after it.
fn numbered(line: &str, numbering: Numbering) -> (String, Numbering) {
    let next = match numbering {
        Numbering::Next(next) => next,
        Numbering::Undecided if meta(line.as_bytes()).is_some_and(|meta| meta.paginated) => 0,
        Numbering::Undecided | Numbering::Plain => return (line.to_owned(), Numbering::Plain),
    };
    let (line, ordinal) = with_ordinal(line, next);
    (line, Numbering::Next(ordinal.saturating_add(1)))
}
