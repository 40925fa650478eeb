//! A file that is made when its first line comes.

use std::future::Future;
use std::path::PathBuf;
use std::pin::Pin;

use recto_protocol::ThreadId;

use super::entry::RecordError;
use super::opened::OpenError;
use super::recorder::FileRecorder;
use super::settings::{RecorderSettings, SessionStart};

/// Where a new session's file is to be.
#[derive(Debug, Clone)]
pub(super) struct NewFile {
    pub(super) home: PathBuf,
    pub(super) start: SessionStart,
    pub(super) thread_id: ThreadId,
    pub(super) settings: RecorderSettings,
}

type Creation = Pin<Box<dyn Future<Output = Result<FileRecorder, OpenError>> + Send>>;

pub(super) enum LateFile {
    /// There is none yet.
    Missing(NewFile),
    /// It is being made.
    Coming(NewFile, Creation),
    Open(FileRecorder),
}

impl LateFile {
    /// The file, made where there is none; where that fails it is tried again with the next call.
    ///
    /// What was begun for a caller who went away is waited for and not begun again.
    pub(super) async fn opened(&mut self) -> Result<&FileRecorder, RecordError> {
        if let Self::Missing(new) = self {
            *self = Self::Coming(new.clone(), new.clone().create());
        }
        if let Self::Coming(new, coming) = self {
            let made = coming.await;
            let new = new.clone();
            *self = match made {
                Ok(file) => Self::Open(file),
                Err(error) => {
                    *self = Self::Missing(new);
                    return Err(RecordError { message: error.to_string() });
                }
            };
        }
        match self {
            Self::Open(file) => Ok(file),
            Self::Missing(_) | Self::Coming(..) => unreachable!("it was opened above"),
        }
    }
}

impl NewFile {
    fn create(self) -> Creation {
        Box::pin(async move {
            FileRecorder::create(&self.home, self.start, self.thread_id, self.settings).await
        })
    }
}
