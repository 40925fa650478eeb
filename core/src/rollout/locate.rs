//! Finds recorded sessions: by name, by directory, or all of them.

use std::cmp::Reverse;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::catalog::{Catalog, SessionFile, SkipReason, Skipped, file_of};
use super::open;
use super::replay::{ReplayError, RolloutChain};
use super::summary::{SessionSummary, last_cwd};

/// How many sessions an error names.
const NAMED: usize = 5;

/// Why no session was found.
#[derive(Debug, thiserror::Error)]
pub enum LocateError {
    /// No session has that name.
    #[error("no session is called {0}")]
    NotFound(String),
    /// Several sessions have names that begin so.
    #[error("{wanted} is the beginning of {count} sessions: {}", .first.join(", "))]
    Ambiguous {
        /// What was asked for.
        wanted: String,
        /// How many there are.
        count: usize,
        /// The first of them.
        first: Vec<String>,
    },
    /// No file stands at that path, or it cannot be read.
    #[error("cannot read the session file {path}")]
    Unreadable {
        /// The path.
        path: PathBuf,
        /// The system's words.
        source: io::Error,
    },
    /// There is no session of that directory, or none at all.
    #[error("there is no session{}", .0.as_ref().map_or_else(String::new, |cwd| format!(" of {cwd}")))]
    NoneOf(Option<String>),
}

/// A session in a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedSession {
    /// Its file.
    pub file: SessionFile,
    /// What its file says.
    pub summary: SessionSummary,
}

/// Sessions, and what beside them is none.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SessionList {
    /// The sessions, the one that was written last first.
    pub sessions: Vec<ListedSession>,
    /// What could not be listed; one bad file never hides the others.
    pub skipped: Vec<Skipped>,
}

impl Catalog {
    /// All sessions with what their files say.
    pub fn list(&self) -> SessionList {
        let mut list = SessionList { sessions: Vec::new(), skipped: self.skipped.clone() };
        for file in self.by_time(&mut list.skipped) {
            let skip = match SessionSummary::of_file(&file.path) {
                Ok(Some(summary)) => {
                    list.sessions.push(ListedSession { file: file.clone(), summary });
                    continue;
                }
                Ok(None) => SkipReason::NoMeta,
                Err(error) => SkipReason::Unreadable(error.to_string()),
            };
            list.skipped.push(Skipped { path: file.path.clone(), reason: skip });
        }
        list
    }

    /// The session with this id, with an id that begins so, or at this path.
    pub fn find(&self, wanted: impl AsRef<Path>) -> Result<SessionFile, LocateError> {
        let path = wanted.as_ref();
        let wanted = match path.to_str() {
            Some(name) if path.components().count() < 2 && path.extension().is_none() => name,
            _ => return at_path(path),
        };
        let lower = wanted.to_ascii_lowercase();
        if let Some(file) = self.sessions.iter().find(|file| file.id == lower) {
            return Ok(file.clone());
        }
        let mut found = self.sessions.iter().filter(|file| file.id.starts_with(&lower));
        match (found.next(), found.next()) {
            (Some(_), _) if lower.is_empty() => Err(LocateError::NotFound(wanted.to_owned())),
            (None, _) => Err(LocateError::NotFound(wanted.to_owned())),
            (Some(file), None) => Ok(file.clone()),
            (Some(first), Some(second)) => Err(LocateError::Ambiguous {
                wanted: wanted.to_owned(),
                count: 2 + found.clone().count(),
                first: [first, second]
                    .into_iter()
                    .chain(found)
                    .take(NAMED)
                    .map(|it| it.id.clone())
                    .collect(),
            }),
        }
    }

    /// The session that was written last, among those whose last turn worked in `cwd`; of any directory without one.
    ///
    /// Files are opened from the newest on, until one fits. What cannot be read is added to `skipped`.
    pub fn last(
        &self,
        cwd: Option<&str>,
        skipped: &mut Vec<Skipped>,
    ) -> Result<SessionFile, LocateError> {
        for file in self.by_time(skipped) {
            let fits = match cwd {
                None => SessionSummary::of_file(&file.path).map(|summary| summary.is_some()),
                Some(cwd) => last_cwd(&file.path).map(|last| last.as_deref() == Some(cwd)),
            };
            match fits {
                Ok(true) => return Ok(file.clone()),
                Ok(false) => {}
                Err(error) => skipped.push(Skipped {
                    path: file.path.clone(),
                    reason: SkipReason::Unreadable(error.to_string()),
                }),
            }
        }
        Err(LocateError::NoneOf(cwd.map(str::to_owned)))
    }

    /// The files that make up the session which a file stands for.
    pub fn chain(&self, path: &Path) -> Result<RolloutChain, ReplayError> {
        RolloutChain::of(path, |id| self.files_of(id))
    }

    /// The files, the one that was written last first; empty ones and those that are not there are skipped.
    fn by_time(&self, skipped: &mut Vec<Skipped>) -> Vec<&SessionFile> {
        let mut files: Vec<(SystemTime, &SessionFile)> = Vec::with_capacity(self.sessions.len());
        for file in &self.sessions {
            let reason = match open::facts(&file.path) {
                Ok(facts) if facts.bytes > 0 => {
                    files.push((facts.modified, file));
                    continue;
                }
                Ok(_) => SkipReason::Empty,
                Err(error) => SkipReason::Unreadable(error.to_string()),
            };
            skipped.push(Skipped { path: file.path.clone(), reason });
        }
        files.sort_by_key(|(modified, file)| {
            (Reverse(*modified), Reverse(&file.started), Reverse(&file.id))
        });
        files.into_iter().map(|(_, file)| file).collect()
    }
}

fn at_path(path: &Path) -> Result<SessionFile, LocateError> {
    let unreadable = |source| LocateError::Unreadable { path: path.to_owned(), source };
    open::facts(path).map_err(unreadable)?;
    if let Some(file) = file_of(path, false) {
        return Ok(file);
    }
    let summary = SessionSummary::of_file(path).map_err(unreadable)?;
    Ok(SessionFile {
        path: path.to_owned(),
        id: summary.as_ref().and_then(|it| it.id.clone()).unwrap_or_default(),
        started: summary.and_then(|it| it.started).unwrap_or_default(),
        archived: false,
    })
}
