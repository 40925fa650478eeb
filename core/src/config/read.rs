//! How a file of the configuration is read.

use std::path::Path;

use super::error::ConfigError;
use crate::environment::{FileContents, FileRead, FileSystemError, FileSystemResult};

/// Bytes that a file of the configuration may have.
pub(super) const LARGEST_FILE: u64 = 1024 * 1024;

/// One byte more than may be there, so that a file that grows while it is read cannot pass as a whole one.
pub(super) fn config_read(path: &Path) -> FileRead {
    FileRead { path: path.to_owned(), limit: LARGEST_FILE + 1 }
}

/// The bytes of a file of the configuration; none where it is not there.
pub(super) fn read_of(
    path: &Path,
    contents: FileSystemResult<FileContents>,
) -> Result<Option<Vec<u8>>, ConfigError> {
    match contents {
        Ok(FileContents { len, .. }) if len > LARGEST_FILE => {
            Err(ConfigError::TooLarge { path: path.to_owned(), len, limit: LARGEST_FILE })
        }
        Ok(FileContents { bytes, .. }) => Ok(Some(bytes)),
        Err(FileSystemError::NotFound | FileSystemError::BrokenLink) => Ok(None),
        Err(cause) => Err(ConfigError::Unreadable { path: path.to_owned(), cause }),
    }
}
