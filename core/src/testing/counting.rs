//! A file system that remembers what it was asked.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;

use crate::environment::{FileContents, FileRead, FileSystem, FileSystemResult, Metadata};

/// One question to a file system.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Call {
    /// What was asked.
    pub kind: CallKind,
    /// About which path.
    pub path: PathBuf,
}

/// What a file system was asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CallKind {
    /// What stands at a path.
    Metadata,
    /// The bytes of a file.
    Read,
    /// The names in a directory.
    Directory,
    /// A path without links.
    Canonicalize,
}

/// Passes every call on to another file system and remembers it.
///
/// A batch counts as one call for each of its paths, and as one round trip.
#[derive(Debug)]
pub struct CountingFileSystem {
    inner: Arc<dyn FileSystem>,
    calls: Mutex<Vec<Call>>,
    round_trips: AtomicUsize,
}

impl CountingFileSystem {
    /// Counts the calls to `inner`.
    pub fn new(inner: Arc<dyn FileSystem>) -> Self {
        Self { inner, calls: Mutex::default(), round_trips: AtomicUsize::new(0) }
    }

    /// All calls, in the order in which they came.
    pub fn calls(&self) -> Vec<Call> {
        self.calls.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The paths of all calls of one kind, in the order in which they came.
    pub fn paths(&self, kind: CallKind) -> Vec<PathBuf> {
        self.calls().into_iter().filter(|call| call.kind == kind).map(|call| call.path).collect()
    }

    /// How many calls of one kind came.
    pub fn count(&self, kind: CallKind) -> usize {
        self.paths(kind).len()
    }

    /// How many batches and single calls came.
    pub fn round_trips(&self) -> usize {
        self.round_trips.load(Ordering::Relaxed)
    }

    /// Forgets everything.
    pub fn reset(&self) {
        self.calls.lock().unwrap_or_else(PoisonError::into_inner).clear();
        self.round_trips.store(0, Ordering::Relaxed);
    }

    /// Notes one round trip; none for a batch of nothing.
    fn note<'a>(&self, kind: CallKind, paths: impl IntoIterator<Item = &'a Path>) {
        let asked: Vec<Call> =
            paths.into_iter().map(|path| Call { kind, path: path.to_owned() }).collect();
        if !asked.is_empty() {
            self.round_trips.fetch_add(1, Ordering::Relaxed);
            self.calls.lock().unwrap_or_else(PoisonError::into_inner).extend(asked);
        }
    }
}

#[async_trait]
impl FileSystem for CountingFileSystem {
    async fn get_metadata(&self, path: &Path) -> FileSystemResult<Metadata> {
        self.note(CallKind::Metadata, [path]);
        self.inner.get_metadata(path).await
    }

    async fn read_file(&self, path: &Path, limit: u64) -> FileSystemResult<FileContents> {
        self.note(CallKind::Read, [path]);
        self.inner.read_file(path, limit).await
    }

    async fn read_directory(&self, path: &Path) -> FileSystemResult<Vec<OsString>> {
        self.note(CallKind::Directory, [path]);
        self.inner.read_directory(path).await
    }

    async fn canonicalize(&self, path: &Path) -> FileSystemResult<PathBuf> {
        self.note(CallKind::Canonicalize, [path]);
        self.inner.canonicalize(path).await
    }

    async fn get_metadata_all(&self, paths: &[PathBuf]) -> Vec<FileSystemResult<Metadata>> {
        self.note(CallKind::Metadata, paths.iter().map(PathBuf::as_path));
        self.inner.get_metadata_all(paths).await
    }

    async fn read_files(&self, reads: &[FileRead]) -> Vec<FileSystemResult<FileContents>> {
        self.note(CallKind::Read, reads.iter().map(|read| read.path.as_path()));
        self.inner.read_files(reads).await
    }
}
