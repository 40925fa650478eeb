//! Why no turn can run, or why what came of it is lost.

use std::io;
use std::path::PathBuf;

use recto_core::http::HttpError;
use recto_core::model::ProviderError;
use recto_core::rollout::{ContinueError, RecordError};
use recto_core::tools::mcp::RequiredServersFailed;

/// Why no turn can run, or why what came of it is lost.
#[derive(Debug, thiserror::Error)]
pub(crate) enum TurnError {
    /// Where the session is to work there is no directory.
    #[error("{} {problem}, so no turn can run in it", path.display())]
    Directory {
        /// Where.
        path: PathBuf,
        /// What is there instead.
        problem: String,
        /// Whether a record says so.
        is_recorded: bool,
    },
    /// The shape of the answer cannot be read.
    #[error("the schema in {} cannot be used", path.display())]
    Schema {
        /// The file.
        path: PathBuf,
        /// Why.
        #[source]
        cause: io::Error,
    },
    /// A picture cannot be shown; a sentence names it and the cause.
    #[error("{0}")]
    Picture(String),
    /// The last message has no place.
    #[error("the last message cannot be written to {}", path.display())]
    AnswerFile {
        /// The file.
        path: PathBuf,
        /// The system's words.
        #[source]
        cause: io::Error,
    },
    /// A recorded session cannot go on.
    #[error(transparent)]
    Continue(#[from] ContinueError),
    /// The record is not whole.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// The provider cannot be asked.
    #[error(transparent)]
    Provider(#[from] ProviderError),
    /// Nothing can be asked over HTTP.
    #[error(transparent)]
    Http(#[from] HttpError),
    /// The configuration wants no session without these servers.
    #[error(transparent)]
    Servers(#[from] RequiredServersFailed),
    /// Nobody would hear that the turn is to stop.
    #[error("signals cannot be heard")]
    Signals(#[source] io::Error),
}

impl TurnError {
    /// A way out, where there is one.
    pub(crate) fn hint(&self) -> Option<String> {
        match self {
            Self::Directory { is_recorded: true, .. } => {
                Some("the session worked there last; name another directory with -C".to_owned())
            }
            Self::Directory { is_recorded: false, .. } => {
                Some("name a directory that exists with -C".to_owned())
            }
            Self::Schema { .. } => Some("--output-schema takes a file with a JSON schema".into()),
            Self::Picture(_)
            | Self::AnswerFile { .. }
            | Self::Continue(_)
            | Self::Record(_)
            | Self::Provider(_)
            | Self::Http(_)
            | Self::Servers(_)
            | Self::Signals(_) => None,
        }
    }
}
