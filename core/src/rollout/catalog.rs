//! Which recorded files there are.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use super::draft::is_draft;
use super::open;

/// The directories below a home that hold sessions.
const PLACES: [(&str, bool); 2] = [("sessions", false), ("archived_sessions", true)];

/// Sessions stand under `YYYY/MM/DD`; archived ones under nothing.
const MAX_DEPTH: usize = 4;

const NAME_START: &str = "rollout-";
const TIME_LENGTH: usize = "YYYY-MM-DDTHH-MM-SS".len();
const ID_LENGTH: usize = "00000000-0000-0000-0000-000000000000".len();

/// One recorded file, by its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionFile {
    /// Where it is.
    pub path: PathBuf,
    /// The thread, as the name says it.
    pub id: String,
    /// When it was begun, as the name says it: `YYYY-MM-DDTHH-MM-SS`, local time.
    pub started: String,
    /// Whether it stands in the archive.
    pub archived: bool,
}

/// Something beside the sessions that is none, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skipped {
    /// Where it is.
    pub path: PathBuf,
    /// Why it does not count.
    pub reason: SkipReason,
}

/// Why a file does not count as a session.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SkipReason {
    /// Its name is not `rollout-TIME-ID.jsonl`.
    #[error("its name is not that of a recorded session")]
    OddName,
    /// The copy of a session's past that a fork was to begin with, and that never became whole.
    #[error("the copy of a session that did not come to its end; it can be removed")]
    Unfinished,
    /// It is empty.
    #[error("it is empty")]
    Empty,
    /// A directory with the name of a file.
    #[error("it is a directory")]
    Directory,
    /// It cannot be read.
    #[error("it cannot be read: {0}")]
    Unreadable(String),
    /// It holds no record that says who it is.
    #[error("nothing in it says which session it is")]
    NoMeta,
    /// Another file stands for the same session.
    #[error("{} stands for the same session", .0.display())]
    Superseded(PathBuf),
}

impl fmt::Display for Skipped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path.display(), self.reason)
    }
}

/// The recorded files of some homes; of each session the one that stands for it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Catalog {
    /// One file for each session, in the order of their names, the newest first.
    pub sessions: Vec<SessionFile>,
    /// Files of sessions that a newer file stands for, the newest first; they may hold the past of others.
    pub older: Vec<SessionFile>,
    /// What is no session.
    pub skipped: Vec<Skipped>,
}

impl Catalog {
    /// Looks through `sessions` and `archived_sessions` of each home; names only, no file is opened.
    pub fn of_homes<P: AsRef<Path>>(homes: impl IntoIterator<Item = P>) -> Self {
        let mut catalog = Self::default();
        for home in homes {
            for (place, archived) in PLACES {
                catalog.walk(&home.as_ref().join(place), archived, 0);
            }
        }
        catalog.keep_one_of_each();
        catalog
    }

    /// All files of a thread, the one that stands for it first.
    pub fn files_of(&self, id: &str) -> Vec<PathBuf> {
        let all = self.sessions.iter().chain(&self.older);
        all.filter(|file| file.id == id).map(|file| file.path.clone()).collect()
    }

    fn walk(&mut self, directory: &Path, archived: bool, depth: usize) {
        let entries = match open::entries(directory) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound && depth == 0 => return,
            Err(error) => {
                self.skip(directory.to_owned(), SkipReason::Unreadable(error.to_string()));
                return;
            }
        };
        for entry in entries {
            let file = file_of(&entry.path, archived);
            match (entry.is_directory, file) {
                (true, Some(_)) => self.skip(entry.path, SkipReason::Directory),
                (true, None) if depth + 1 < MAX_DEPTH => {
                    self.walk(&entry.path, archived, depth + 1);
                }
                (false, Some(file)) => self.sessions.push(file),
                (false, None) if is_draft(&entry.path) => {
                    self.skip(entry.path, SkipReason::Unfinished);
                }
                (true | false, None) => self.skip(entry.path, SkipReason::OddName),
            }
        }
    }

    fn skip(&mut self, path: PathBuf, reason: SkipReason) {
        self.skipped.push(Skipped { path, reason });
    }

    /// A session that was taken back has several files, and one that was archived or compressed may have two: the
    /// newest stands for it, before an archived one, before a compressed one.
    fn keep_one_of_each(&mut self) {
        let rank = |file: &SessionFile| {
            (
                !file.archived,
                file.started.clone(),
                !open::is_compressed(&file.path),
                file.path.clone(),
            )
        };
        self.sessions.sort_by(|a, b| (&a.id, rank(b)).cmp(&(&b.id, rank(a))));
        let mut kept: Vec<SessionFile> = Vec::with_capacity(self.sessions.len());
        for file in self.sessions.drain(..) {
            match kept.last() {
                Some(newer) if newer.id == file.id => {
                    let reason = SkipReason::Superseded(newer.path.clone());
                    self.skipped.push(Skipped { path: file.path.clone(), reason });
                    self.older.push(file);
                }
                _ => kept.push(file),
            }
        }
        kept.sort_by(|a, b| (&b.started, &b.id).cmp(&(&a.started, &a.id)));
        self.sessions = kept;
    }
}

/// A file, if its name is `rollout-TIME-ID.jsonl`, `rollout-TIME-ID_UUID.jsonl`, or one of them with `.zst`.
pub(super) fn file_of(path: &Path, archived: bool) -> Option<SessionFile> {
    let name = path.file_name()?.to_str()?;
    let stem = name.strip_suffix(".zst").unwrap_or(name).strip_suffix(".jsonl")?;
    let rest = stem.strip_prefix(NAME_START)?;
    let (started, rest) = rest.split_at_checked(TIME_LENGTH)?;
    let (id, suffix) = rest.strip_prefix('-')?.split_at_checked(ID_LENGTH)?;
    let suffix_is_id = suffix.is_empty() || suffix.strip_prefix('_').is_some_and(is_id);
    (is_time(started) && is_id(id) && suffix_is_id).then(|| SessionFile {
        path: path.to_owned(),
        id: id.to_owned(),
        started: started.to_owned(),
        archived,
    })
}

fn is_time(text: &str) -> bool {
    text.bytes().zip(b"0000-00-00T00-00-00").all(|(byte, form)| match form {
        b'0' => byte.is_ascii_digit(),
        separator => byte == *separator,
    })
}

fn is_id(text: &str) -> bool {
    text.len() == ID_LENGTH
        && text.bytes().enumerate().all(|(at, byte)| match at {
            8 | 13 | 18 | 23 => byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
}
