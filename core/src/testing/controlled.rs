//! A file system whose answers a test releases one by one.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::pin::pin;
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use futures_util::future::{Either, select};
use tokio::sync::{Notify, oneshot};

use super::CallKind;
use crate::environment::{
    FileContents, FileRead, FileSystem, FileSystemError, FileSystemResult, Metadata,
};

/// Holds every call until the test lets it go, in whatever order the test wants.
///
/// ```text
/// let file_system = Arc::new(ControlledFileSystem::new(inner));
/// let load = tokio::spawn(load(file_system.clone()));
/// let held = file_system.next_call(path).await;     // the load has got so far and waits
/// held.release();                                   // or: held.fail(path, error)
/// ```
#[derive(Debug)]
pub struct ControlledFileSystem {
    inner: Arc<dyn FileSystem>,
    held: Mutex<Vec<HeldCall>>,
    arrived: Notify,
}

/// A call that waits for its answer; a batch is one call.
#[derive(Debug)]
#[must_use = "whoever made the call waits until it is released"]
pub struct HeldCall {
    kind: CallKind,
    paths: Vec<PathBuf>,
    release: oneshot::Sender<Release>,
}

/// How a call is answered: by the inner file system, but with these errors.
type Release = Option<(PathBuf, FileSystemError)>;

impl ControlledFileSystem {
    /// Answers come from `inner`, where the test does not give another.
    pub fn new(inner: Arc<dyn FileSystem>) -> Self {
        Self { inner, held: Mutex::default(), arrived: Notify::new() }
    }

    /// Waits until somebody asks about a path, and takes the oldest such call.
    pub async fn next_call(&self, path: impl AsRef<Path>) -> HeldCall {
        let path = path.as_ref();
        loop {
            let arrived = self.arrived.notified();
            if let Some(call) = self.take(|call| call.paths.iter().any(|it| it == path)) {
                return call;
            }
            arrived.await;
        }
    }

    /// Lets every call go until `work` is done.
    pub async fn release_during<T>(&self, work: impl Future<Output = T>) -> T {
        let mut work = pin!(work);
        loop {
            let arrived = pin!(self.arrived.notified());
            while let Some(call) = self.take(|_| true) {
                call.release();
            }
            if let Either::Left((done, _)) = select(&mut work, arrived).await {
                return done;
            }
        }
    }

    /// The paths of all calls that wait, the oldest first; none while nothing was asked.
    pub fn waiting(&self) -> Vec<PathBuf> {
        let held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        held.iter().filter(|call| call.is_wanted()).flat_map(|call| call.paths.clone()).collect()
    }

    /// Takes the oldest call of this sort whose caller still waits.
    fn take(&self, is_meant: impl Fn(&HeldCall) -> bool) -> Option<HeldCall> {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        held.retain(HeldCall::is_wanted);
        let at = held.iter().position(is_meant)?;
        Some(held.remove(at))
    }

    async fn hold(&self, kind: CallKind, paths: Vec<PathBuf>) -> Release {
        let (release, released) = oneshot::channel();
        self.held.lock().unwrap_or_else(PoisonError::into_inner).push(HeldCall {
            kind,
            paths,
            release,
        });
        self.arrived.notify_waiters();
        released.await.expect("a held call was dropped and not released")
    }

    async fn hold_one(&self, kind: CallKind, path: &Path) -> FileSystemResult<()> {
        match self.hold(kind, vec![path.to_owned()]).await {
            Some((_, error)) => Err(error),
            None => Ok(()),
        }
    }
}

impl HeldCall {
    /// What is asked.
    pub fn kind(&self) -> CallKind {
        self.kind
    }

    /// About which paths.
    pub fn paths(&self) -> &[PathBuf] {
        &self.paths
    }

    /// Lets the inner file system answer.
    pub fn release(self) {
        self.answer(None);
    }

    /// Answers one of the paths with an error; the inner file system answers the others.
    ///
    /// # Panics
    ///
    /// Where the call does not ask about the path.
    pub fn fail(self, path: impl Into<PathBuf>, error: FileSystemError) {
        let path = path.into();
        assert!(self.paths.contains(&path), "the call does not ask about {}", path.display());
        self.answer(Some((path, error)));
    }

    fn answer(self, release: Release) {
        // A caller that was cancelled meanwhile wants no answer.
        let _ = self.release.send(release);
    }

    fn is_wanted(&self) -> bool {
        !self.release.is_closed()
    }
}

#[async_trait]
impl FileSystem for ControlledFileSystem {
    async fn get_metadata(&self, path: &Path) -> FileSystemResult<Metadata> {
        self.hold_one(CallKind::Metadata, path).await?;
        self.inner.get_metadata(path).await
    }

    async fn read_file(&self, path: &Path, limit: u64) -> FileSystemResult<FileContents> {
        self.hold_one(CallKind::Read, path).await?;
        self.inner.read_file(path, limit).await
    }

    async fn read_directory(&self, path: &Path) -> FileSystemResult<Vec<OsString>> {
        self.hold_one(CallKind::Directory, path).await?;
        self.inner.read_directory(path).await
    }

    async fn canonicalize(&self, path: &Path) -> FileSystemResult<PathBuf> {
        self.hold_one(CallKind::Canonicalize, path).await?;
        self.inner.canonicalize(path).await
    }

    async fn get_metadata_all(&self, paths: &[PathBuf]) -> Vec<FileSystemResult<Metadata>> {
        let release = self.hold(CallKind::Metadata, paths.to_vec()).await;
        with_error(release, paths, self.inner.get_metadata_all(paths).await)
    }

    async fn read_files(&self, reads: &[FileRead]) -> Vec<FileSystemResult<FileContents>> {
        let paths: Vec<PathBuf> = reads.iter().map(|read| read.path.clone()).collect();
        let release = self.hold(CallKind::Read, paths.clone()).await;
        with_error(release, &paths, self.inner.read_files(reads).await)
    }
}

fn with_error<T>(
    release: Release,
    paths: &[PathBuf],
    mut answers: Vec<FileSystemResult<T>>,
) -> Vec<FileSystemResult<T>> {
    if let Some((path, error)) = release {
        for (asked, answer) in paths.iter().zip(&mut answers) {
            if *asked == path {
                *answer = Err(error.clone());
            }
        }
    }
    answers
}
