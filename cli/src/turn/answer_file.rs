//! The file that gets the last message.

#![expect(clippy::disallowed_methods, reason = "the person names a file for the answer")]

use std::fs::File;
use std::io::Write;
use std::path::PathBuf;

use crate::turn_error::TurnError;

/// A file that gets the last message; it is empty until the turn has one.
#[derive(Debug)]
pub(super) struct AnswerFile {
    path: PathBuf,
    file: File,
}

impl AnswerFile {
    /// Opens the file before anything is asked: an old answer must not be taken for the new one.
    pub(super) fn open(path: PathBuf) -> Result<Self, TurnError> {
        match File::create(&path) {
            Ok(file) => Ok(Self { path, file }),
            Err(cause) => Err(TurnError::AnswerFile { path, cause }),
        }
    }

    /// Writes the message as it is.
    pub(super) fn write(mut self, message: &str) -> Result<(), TurnError> {
        self.file
            .write_all(message.as_bytes())
            .map_err(|cause| TurnError::AnswerFile { path: self.path, cause })
    }
}
