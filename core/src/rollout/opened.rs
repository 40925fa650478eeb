//! A file that is open for lines, with the locks that are kept while it is; all of it blocks.

use std::io;
use std::path::{Path, PathBuf};

use recto_protocol::ThreadId;

use super::draft::Draft;
use super::file::{LocalRolloutFile, RolloutFile, make_directories, sync_directory};
use super::lock::{LockError, LockHolder, ThreadLock, lock};
use super::scan::scan;
use super::settings::{RecorderSettings, SyncPolicy};
use super::tail::{Mended, mend};
use super::writer::{LineWriter, Numbering};

/// Why a session cannot be recorded in a file.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// Another recorder writes to it; it may be read meanwhile.
    #[error(
        "{} is being recorded by {}; it can be read meanwhile",
        path.display(),
        holder.as_ref().map_or_else(|| "another program".to_owned(), ToString::to_string)
    )]
    Locked {
        /// The file.
        path: PathBuf,
        /// Who holds the lock, where the system tells.
        holder: Option<LockHolder>,
    },
    /// A compressed file cannot be continued.
    #[error("{} is compressed; decompress it to continue it", path.display())]
    Compressed {
        /// The file.
        path: PathBuf,
    },
    /// The system refused.
    #[error("{}: {doing}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What was tried.
        doing: &'static str,
        /// The system's words.
        source: io::Error,
    },
}

/// A writer with the lock that it keeps; fields are dropped in this order.
pub(super) struct Opened {
    pub(super) writer: LineWriter,
    /// The file's other name, where it is no session yet.
    draft: Option<Draft>,
    syncs_names: bool,
    _thread_lock: Option<ThreadLock>,
}

impl Opened {
    /// Gives the file its own name, where it does not have it yet.
    pub(super) fn publish(&mut self) -> Result<(), OpenError> {
        let Some(draft) = &mut self.draft else { return Ok(()) };
        let name = draft.name().to_owned();
        draft.publish(self.syncs_names).map_err(io_error(&name, "it could not get its name"))
    }
}

pub(super) fn create(
    home: &Path,
    path: &Path,
    thread_id: ThreadId,
    settings: RecorderSettings,
    draft: Option<Draft>,
) -> Result<Opened, OpenError> {
    let directory = path.parent().unwrap_or(home);
    make_directories(home, directory)
        .map_err(io_error(path, "its directories could not be made"))?;
    let thread_lock = ThreadLock::take(home, thread_id).map_err(lock_error(path))?;
    let stands_at = draft.as_ref().map_or(path, Draft::path);
    let file = LocalRolloutFile::create(stands_at, path)
        .map_err(io_error(path, "it could not be created"))?;
    lock(file.handle()).map_err(lock_error(path))?;
    let syncs_names = settings.sync != SyncPolicy::None;
    if syncs_names {
        sync_directory(directory).map_err(io_error(path, "its directory could not be synced"))?;
    }
    let writer = LineWriter::new(Box::new(file), settings, 0, Numbering::Undecided);
    Ok(Opened { writer, draft, syncs_names, _thread_lock: Some(thread_lock) })
}

/// A file that is to be continued, which nobody else writes to from now on; nothing of it was read yet.
pub(super) struct Locked {
    path: PathBuf,
    file: LocalRolloutFile,
}

impl Locked {
    /// Opens a file and locks it; that does not wait for anybody.
    pub(super) fn take(path: &Path) -> Result<Self, OpenError> {
        let path = path.to_owned();
        if path.extension().is_some_and(|extension| extension == "zst") {
            return Err(OpenError::Compressed { path });
        }
        let file =
            LocalRolloutFile::open(&path).map_err(io_error(&path, "it could not be opened"))?;
        lock(file.handle()).map_err(lock_error(&path))?;
        Ok(Self { path, file })
    }

    /// Where it stands.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Reads it once, and makes it ready for the next line.
    pub(super) fn open(
        self,
        home: Option<&Path>,
        settings: RecorderSettings,
        wrap: impl FnOnce(LocalRolloutFile) -> Box<dyn RolloutFile>,
    ) -> Result<(Opened, Option<Mended>), OpenError> {
        let Self { path, file } = self;
        let scan = scan(file.handle()).map_err(io_error(&path, "it could not be read"))?;
        let id = scan.meta.as_ref().and_then(|meta| meta.id);
        let thread_lock = home
            .zip(id)
            .map(|(home, id)| ThreadLock::take(home, id))
            .transpose()
            .map_err(lock_error(&path))?;
        let numbering = match scan.next_ordinal() {
            Some(next) => Numbering::Next(next),
            None if scan.end_of_lines == 0 && scan.tail.is_empty() => Numbering::Undecided,
            None => Numbering::Plain,
        };
        let mut file = wrap(file);
        let (mended, end) =
            mend(file.as_mut(), &scan).map_err(io_error(&path, "its end could not be mended"))?;
        let writer = LineWriter::new(file, settings, end, numbering);
        let opened = Opened { writer, draft: None, syncs_names: false, _thread_lock: thread_lock };
        Ok((opened, mended))
    }
}

pub(super) fn io_error(path: &Path, doing: &'static str) -> impl FnOnce(io::Error) -> OpenError {
    let path = path.to_owned();
    move |source| OpenError::Io { path, doing, source }
}

fn lock_error(path: &Path) -> impl FnOnce(LockError) -> OpenError {
    let path = path.to_owned();
    move |error| match error {
        LockError::Held(holder) => OpenError::Locked { path, holder },
        LockError::Io(source) => OpenError::Io { path, doing: "it could not be locked", source },
    }
}
