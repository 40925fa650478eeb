//! Where complete lines go, and what can keep them from getting there.

use std::fmt;
use std::io;
use std::path::PathBuf;

use async_trait::async_trait;

use super::RecordError;

/// Takes the lines of one session, in their order.
#[async_trait]
pub trait RolloutSink: fmt::Debug + Send + Sync {
    /// Appends complete lines, each without its line end, and returns well once all of them are in the file.
    ///
    /// Lines that did not get there are kept and written, in order, before those of the next call; a call without
    /// lines tries them again. Dropping the future never tears a line: what was handed over is still written.
    async fn append(&self, lines: Vec<String>) -> Result<(), AppendError>;

    /// Says that a turn is complete; syncs the file where the policy wants it then.
    async fn end_turn(&self) -> Result<(), AppendError>;
}

/// Why lines are not acknowledged.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AppendError {
    /// The system did not take them; they are kept for the next call, and the file ends with a whole line.
    #[error(
        "{} could not be written: {message}; {pending} line(s) are kept and written with the next one",
        path.display()
    )]
    Failed {
        /// The file.
        path: PathBuf,
        /// The system's kind of error.
        kind: io::ErrorKind,
        /// The system's words.
        message: String,
        /// Lines that wait, those of earlier calls included.
        pending: usize,
    },
    /// They are in the file, but the system could not say that they are on the disk; they are not written again.
    #[error("{} was written, but it is not certain that it is on the disk: {message}", path.display())]
    NotSynced {
        /// The file.
        path: PathBuf,
        /// The system's words.
        message: String,
    },
    /// Somebody else wrote to the file or cut it, past the lock; it has to be opened again.
    #[error(
        "{} was changed by another program: it has {found} bytes and {expected} were left there; \
         resume the session again",
        path.display()
    )]
    ChangedByOther {
        /// The file.
        path: PathBuf,
        /// Its length after our last line.
        expected: u64,
        /// Its length now.
        found: u64,
    },
    /// The file has no name any more, so what is written would be lost.
    #[error("{} was removed while it was being recorded", path.display())]
    Removed {
        /// Where it was.
        path: PathBuf,
    },
    /// A line is over the limit; no line of the call was taken.
    #[error("a line of {bytes} bytes is over the limit of {limit}; cut what it carries")]
    TooLong {
        /// Which line of the call, from 0.
        line: usize,
        /// Its bytes.
        bytes: usize,
        /// Bytes at most.
        limit: usize,
    },
    /// A text is not one JSON object on one line; no line of the call was taken.
    #[error("line {line} is not one JSON object on one line")]
    NotOneLine {
        /// Which line of the call, from 0.
        line: usize,
    },
    /// The recorder was closed.
    #[error("the recorder is closed")]
    Closed,
}

impl From<AppendError> for RecordError {
    fn from(error: AppendError) -> Self {
        Self { message: error.to_string() }
    }
}
