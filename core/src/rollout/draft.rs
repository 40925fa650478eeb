//! A file that is no session before it is whole.
//!
//! It stands under a name that nobody takes for a session, so that a program that is killed meanwhile leaves none in
//! part.

#![expect(clippy::disallowed_methods, reason = "files are written by the rollout recorder only")]

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::file::sync_directory;

/// What stands behind the name of a file that is not whole yet.
const SUFFIX: &str = ".partial";

/// A file under another name than the one that it is to have; removed when dropped before it has that.
#[derive(Debug)]
pub(super) struct Draft {
    stands_at: Option<PathBuf>,
    name: PathBuf,
}

impl Draft {
    /// Of a file that is to have this name.
    pub(super) fn of(name: &Path) -> Self {
        let mut stands_at = name.as_os_str().to_owned();
        stands_at.push(SUFFIX);
        Self { stands_at: Some(stands_at.into()), name: name.to_owned() }
    }

    /// The name that it is to have.
    pub(super) fn name(&self) -> &Path {
        &self.name
    }

    /// Where the file is.
    pub(super) fn path(&self) -> &Path {
        self.stands_at.as_deref().unwrap_or(&self.name)
    }

    /// Gives the file its name, unless something stands there; the caller keeps others from making it meanwhile.
    pub(super) fn publish(&mut self, syncs: bool) -> io::Result<()> {
        let Some(stands_at) = &self.stands_at else { return Ok(()) };
        match fs::symlink_metadata(&self.name) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
            Ok(_) => return Err(io::ErrorKind::AlreadyExists.into()),
        }
        fs::rename(stands_at, &self.name)?;
        self.stands_at = None;
        match self.name.parent() {
            Some(directory) if syncs => sync_directory(directory),
            _ => Ok(()),
        }
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        if let Some(stands_at) = &self.stands_at {
            let _ = fs::remove_file(stands_at);
        }
    }
}

/// Whether a file has the name of one that never became whole.
pub(super) fn is_draft(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.as_encoded_bytes().ends_with(SUFFIX.as_bytes()))
}
