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

use super::draft::Draft;
use super::file::{LocalRolloutFile, RolloutFile};
use super::opened::{Locked, OpenError, Opened, create, io_error};
use super::settings::{RecorderSettings, SessionStart};
use super::sink::{AppendError, RolloutSink};
use super::tail::Mended;

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
    Publish(oneshot::Sender<Result<(), OpenError>>),
    Close(oneshot::Sender<Result<(), AppendError>>),
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
        let (home, path) = (home.to_owned(), home.join(start.rollout_path(thread_id)));
        let (recorder, ()) = Self::start(path.clone(), move || {
            Ok((create(&home, &path, thread_id, settings, None)?, ()))
        })
        .await?;
        Ok(recorder)
    }

    /// Does what [`create`](Self::create) does, but the file is no session before [`publish`](Self::publish): what
    /// is to stand in it from the start is written first.
    pub(super) async fn draft(
        home: &Path,
        start: SessionStart,
        thread_id: ThreadId,
        settings: RecorderSettings,
    ) -> Result<Self, OpenError> {
        let (home, path) = (home.to_owned(), home.join(start.rollout_path(thread_id)));
        let (recorder, ()) = Self::start(path.clone(), move || {
            let draft = Draft::of(&path);
            Ok((create(&home, &path, thread_id, settings, Some(draft))?, ()))
        })
        .await?;
        Ok(recorder)
    }

    /// Makes the file a session.
    pub(super) async fn publish(&self) -> Result<(), OpenError> {
        let (sender, answer) = oneshot::channel();
        let ended = || io_error(&self.path, "its thread ended")(io::ErrorKind::Other.into());
        self.requests.send(Request::Publish(sender)).map_err(|_| ended())?;
        answer.await.unwrap_or_else(|_| Err(ended()))
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
        let (recorder, mended) = Self::start(path.clone(), move || {
            Locked::take(&path)?.open(home.as_deref(), settings, wrap)
        })
        .await?;
        Ok(Reopened { recorder, mended })
    }

    /// Does what [`open`](Self::open) does with a file that the caller locked.
    pub(super) async fn open_locked(
        locked: Locked,
        home: Option<&Path>,
        settings: RecorderSettings,
    ) -> Result<Reopened, OpenError> {
        let home = home.map(Path::to_owned);
        let (recorder, mended) = Self::start(locked.path().to_owned(), move || {
            locked.open(home.as_deref(), settings, |file| Box::new(file))
        })
        .await?;
        Ok(Reopened { recorder, mended })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes what waits, syncs it unless the policy is to sync nothing, and lets the locks go.
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
            Request::Publish(answer) => {
                let _ = answer.send(opened.publish());
                continue;
            }
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
