//! Why a recorded session cannot be gone on with.

use std::io;
use std::path::{Path, PathBuf};

use super::opened::OpenError;
use super::replay::ReplayError;
use super::sink::AppendError;

/// Why a recorded session cannot be gone on with.
#[derive(Debug, thiserror::Error)]
pub enum ContinueError {
    /// Its file cannot be written.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// It cannot be rebuilt.
    #[error(transparent)]
    Replay(#[from] ReplayError),
    /// Nothing in it says how it is called; it can be forked.
    #[error("{} does not say which session it is; fork it to go on with it", path.display())]
    NoId {
        /// The file.
        path: PathBuf,
    },
    /// Its past could not be copied.
    #[error("the past of the session could not be copied: {0}")]
    Copy(#[from] AppendError),
    /// The system gave no thread to read on.
    #[error("the session was not read to its end")]
    NotRead,
}

impl ContinueError {
    pub(super) fn unreadable(path: &Path, source: io::Error) -> Self {
        Self::Replay(ReplayError::Read { path: path.to_owned(), source })
    }
}
