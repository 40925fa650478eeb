//! Records a session in a file of this machine.
//!
//! One thread of its own writes; callers wait for it without holding a thread of the runtime.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::thread;

use async_trait::async_trait;
use recto_protocol::ThreadId;
use tokio::sync::{mpsc, oneshot};

use super::file::{LocalRolloutFile, RolloutFile, make_directories, sync_directory};
use super::lock::{LockError, LockHolder, ThreadLock, lock};
use super::scan::scan;
use super::settings::{RecorderSettings, SessionStart, SyncPolicy};
use super::sink::{AppendError, RolloutSink};
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

/// A file that is continued.
#[derive(Debug)]
pub struct Reopened {
    /// Appends to it.
    pub recorder: FileRecorder,
    /// What had to be changed at its end, to be told to the user.
    pub mended: Option<Mended>,
}

/// Records one session in one file, of which it is the only writer.
///
/// Dropping it writes what was handed over and then lets the locks go, at some time; [`close`](Self::close) waits.
pub struct FileRecorder {
    path: PathBuf,
    requests: mpsc::UnboundedSender<Request>,
}

enum Request {
    Append(Vec<String>, oneshot::Sender<Result<(), AppendError>>),
    EndTurn(oneshot::Sender<Result<(), AppendError>>),
    Close(oneshot::Sender<Result<(), AppendError>>),
}

/// A writer with the lock that it keeps; fields are dropped in this order.
struct Opened {
    writer: LineWriter,
    _thread_lock: Option<ThreadLock>,
}

impl FileRecorder {
    /// Makes the file of a new session in a home, with the directories that are missing.
    ///
    /// Files are for their owner alone (0600, directories 0700) whatever the umask; what exists is never replaced,
    /// and no link is followed to make the file. Where the first line is a `session_meta` with
    /// `"history_mode":"paginated"`, every line gets an ordinal.
    pub async fn create(
        home: &Path,
        start: SessionStart,
        thread_id: ThreadId,
        settings: RecorderSettings,
    ) -> Result<Self, OpenError> {
        let home = home.to_owned();
        let path = home.join(start.rollout_path(thread_id));
        let (recorder, ()) =
            Self::start(path.clone(), move || Ok((create(&home, &path, thread_id, settings)?, ())))
                .await?;
        Ok(recorder)
    }

    /// Continues a file that exists; `home` is the home that it lies in, if it lies in one.
    ///
    /// The file is read once. A line that breaks off is cut and kept aside, a whole one is closed, and lines get
    /// ordinals where the file has them.
    pub async fn open(
        path: &Path,
        home: Option<&Path>,
        settings: RecorderSettings,
    ) -> Result<Reopened, OpenError> {
        Self::open_through(path, home, settings, |file| Box::new(file)).await
    }

    /// Does what [`open`](Self::open) does, and writes through another file, which may fail when a test wants it.
    pub async fn open_through(
        path: &Path,
        home: Option<&Path>,
        settings: RecorderSettings,
        wrap: impl FnOnce(LocalRolloutFile) -> Box<dyn RolloutFile> + Send + 'static,
    ) -> Result<Reopened, OpenError> {
        let (path, home) = (path.to_owned(), home.map(Path::to_owned));
        let (recorder, mended) =
            Self::start(path.clone(), move || open(&path, home.as_deref(), settings, wrap)).await?;
        Ok(Reopened { recorder, mended })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes what waits, syncs it where the policy is not [`SyncPolicy::None`], and lets the locks go.
    ///
    /// The locks are let go even where an error is returned.
    pub async fn close(&self) -> Result<(), AppendError> {
        self.ask(Request::Close).await
    }

    /// Opens a file on a new thread, which then serves it.
    async fn start<T: Send + 'static>(
        path: PathBuf,
        open: impl FnOnce() -> Result<(Opened, T), OpenError> + Send + 'static,
    ) -> Result<(Self, T), OpenError> {
        let (requests, receiver) = mpsc::unbounded_channel();
        let (ready, opened) = oneshot::channel();
        let serve = move || match open() {
            Ok((writer, more)) => {
                let _ = ready.send(Ok(more));
                serve(writer, receiver);
            }
            Err(error) => {
                let _ = ready.send(Err(error));
            }
        };
        thread::Builder::new()
            .name("rollout".to_owned())
            .spawn(serve)
            .map_err(io_error(&path, "its thread did not start"))?;
        let more = opened.await.unwrap_or_else(|_| {
            Err(io_error(&path, "its thread ended")(io::ErrorKind::Other.into()))
        })?;
        Ok((Self { path, requests }, more))
    }

    async fn ask(
        &self,
        request: impl FnOnce(oneshot::Sender<Result<(), AppendError>>) -> Request,
    ) -> Result<(), AppendError> {
        let (sender, answer) = oneshot::channel();
        self.requests.send(request(sender)).map_err(|_| AppendError::Closed)?;
        answer.await.unwrap_or(Err(AppendError::Closed))
    }
}

#[async_trait]
impl RolloutSink for FileRecorder {
    async fn append(&self, lines: Vec<String>) -> Result<(), AppendError> {
        self.ask(|answer| Request::Append(lines, answer)).await
    }

    async fn end_turn(&self) -> Result<(), AppendError> {
        self.ask(Request::EndTurn).await
    }
}

impl fmt::Debug for FileRecorder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FileRecorder").field("path", &self.path).finish_non_exhaustive()
    }
}

/// Does what is asked, in the order in which it was asked; a caller that went away changes nothing.
fn serve(mut opened: Opened, mut requests: mpsc::UnboundedReceiver<Request>) {
    while let Some(request) = requests.blocking_recv() {
        let writer = &mut opened.writer;
        let (result, answer) = match request {
            Request::Append(lines, answer) => (writer.append(lines), answer),
            Request::EndTurn(answer) => (writer.end_turn(), answer),
            Request::Close(answer) => {
                let result = writer.end_turn();
                drop(opened);
                let _ = answer.send(result);
                return;
            }
        };
        let _ = answer.send(result);
    }
}

fn create(
    home: &Path,
    path: &Path,
    thread_id: ThreadId,
    settings: RecorderSettings,
) -> Result<Opened, OpenError> {
    let directory = path.parent().unwrap_or(home);
    make_directories(home, directory)
        .map_err(io_error(path, "its directories could not be made"))?;
    let thread_lock = ThreadLock::take(home, thread_id).map_err(lock_error(path))?;
    let file = LocalRolloutFile::create(path).map_err(io_error(path, "it could not be created"))?;
    lock(file.handle()).map_err(lock_error(path))?;
    if settings.sync != SyncPolicy::None {
        sync_directory(directory).map_err(io_error(path, "its directory could not be synced"))?;
    }
    let writer = LineWriter::new(Box::new(file), settings, 0, Numbering::Undecided);
    Ok(Opened { writer, _thread_lock: Some(thread_lock) })
}

fn open(
    path: &Path,
    home: Option<&Path>,
    settings: RecorderSettings,
    wrap: impl FnOnce(LocalRolloutFile) -> Box<dyn RolloutFile>,
) -> Result<(Opened, Option<Mended>), OpenError> {
    if path.extension().is_some_and(|extension| extension == "zst") {
        return Err(OpenError::Compressed { path: path.to_owned() });
    }
    let file = LocalRolloutFile::open(path).map_err(io_error(path, "it could not be opened"))?;
    lock(file.handle()).map_err(lock_error(path))?;
    let scan = scan(file.handle()).map_err(io_error(path, "it could not be read"))?;
    let id = scan.meta.as_ref().and_then(|meta| meta.id);
    let thread_lock = home
        .zip(id)
        .map(|(home, id)| ThreadLock::take(home, id))
        .transpose()
        .map_err(lock_error(path))?;
    let numbering = match scan.next_ordinal() {
        Some(next) => Numbering::Next(next),
        None if scan.end_of_lines == 0 && scan.tail.is_empty() => Numbering::Undecided,
        None => Numbering::Plain,
    };
    let mut file = wrap(file);
    let (mended, end) =
        mend(file.as_mut(), &scan).map_err(io_error(path, "its end could not be mended"))?;
    let writer = LineWriter::new(file, settings, end, numbering);
    Ok((Opened { writer, _thread_lock: thread_lock }, mended))
}

fn io_error(path: &Path, doing: &'static str) -> impl FnOnce(io::Error) -> OpenError {
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
