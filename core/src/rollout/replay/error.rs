//! Why a session cannot be rebuilt.

use std::io;
use std::path::PathBuf;

/// Why a session cannot be rebuilt.
#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    /// A file cannot be read.
    #[error("cannot read the session file {path}")]
    Read {
        /// The file.
        path: PathBuf,
        /// The system's words.
        source: io::Error,
    },
    /// Nothing in it is a record.
    #[error("{path} holds no record of a session")]
    Empty {
        /// The file.
        path: PathBuf,
    },
    /// The past stands in a file that is not there.
    #[error("{path} goes on from session {thread_id}, of which there is no file")]
    MissingBase {
        /// The file.
        path: PathBuf,
        /// The session that holds its past.
        thread_id: String,
    },
    /// The session has no such turn.
    #[error("there is no turn {asked}: the session has {held}")]
    NoSuchTurn {
        /// The turn that was asked for.
        asked: usize,
        /// How many it has.
        held: usize,
    },
}
