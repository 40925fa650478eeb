//! Why no recorded session is meant.

use std::error::Error;
use std::fmt;
use std::path::{Path, PathBuf};

use recto_core::rollout::LocateError;

/// Why no session is meant.
#[derive(Debug)]
pub(crate) struct FindError {
    error: LocateError,
    /// Where sessions were looked for.
    searched: Vec<PathBuf>,
}

impl fmt::Display for FindError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(f)
    }
}

impl Error for FindError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.error.source()
    }
}

impl FindError {
    /// No session in these homes.
    pub(crate) fn new(error: LocateError, homes: &[&Path]) -> Self {
        let folders = |home: &&Path| ["sessions", "archived_sessions"].map(|it| home.join(it));
        Self { error, searched: homes.iter().flat_map(folders).collect() }
    }

    /// A way out.
    pub(crate) fn hint(&self) -> Option<String> {
        match &self.error {
            LocateError::NotFound(_) | LocateError::NoneOf(_) => {
                let searched = self.searched.iter().map(|path| path.display().to_string());
                let searched: Vec<String> = searched.collect();
                Some(format!("searched in {}", searched.join(", ")))
            }
            LocateError::Ambiguous { .. } => {
                Some("give more of the id; `recto rollout list` shows the shortest that do".into())
            }
            LocateError::Unreadable { .. } => None,
        }
    }
}
