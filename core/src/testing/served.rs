//! A file system that tells, when it goes, how many calls it served.

use std::ffi::OsString;
use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;

use crate::environment::{FileContents, FileRead, FileSystem, FileSystemResult, Metadata};

/// Counts the calls of one test and adds a line `WORDS CALLS` to a file when it is dropped.
#[derive(Debug)]
pub(super) struct ServedFileSystem {
    inner: Arc<dyn FileSystem>,
    calls: AtomicUsize,
    notes: PathBuf,
    words: String,
}

impl ServedFileSystem {
    pub(super) fn new(inner: Arc<dyn FileSystem>, notes: PathBuf, words: String) -> Self {
        Self { inner, calls: AtomicUsize::new(0), notes, words }
    }

    fn serve(&self, calls: usize) -> &dyn FileSystem {
        self.calls.fetch_add(calls, Ordering::Relaxed);
        &*self.inner
    }
}

impl Drop for ServedFileSystem {
    fn drop(&mut self) {
        let line = format!("{} {}\n", self.words, self.calls.load(Ordering::Relaxed));
        #[expect(clippy::disallowed_methods, reason = "a note for the recipe that runs the tests")]
        let file = OpenOptions::new().create(true).append(true).open(&self.notes);
        if let Err(error) = file.and_then(|mut file| file.write_all(line.as_bytes())) {
            panic!("{} cannot be written: {error}", self.notes.display());
        }
    }
}

#[async_trait]
impl FileSystem for ServedFileSystem {
    async fn get_metadata(&self, path: &Path) -> FileSystemResult<Metadata> {
        self.serve(1).get_metadata(path).await
    }

    async fn read_file(&self, path: &Path, limit: u64) -> FileSystemResult<FileContents> {
        self.serve(1).read_file(path, limit).await
    }

    async fn read_directory(&self, path: &Path) -> FileSystemResult<Vec<OsString>> {
        self.serve(1).read_directory(path).await
    }

    async fn canonicalize(&self, path: &Path) -> FileSystemResult<PathBuf> {
        self.serve(1).canonicalize(path).await
    }

    async fn get_metadata_all(&self, paths: &[PathBuf]) -> Vec<FileSystemResult<Metadata>> {
        self.serve(paths.len()).get_metadata_all(paths).await
    }

    async fn read_files(&self, reads: &[FileRead]) -> Vec<FileSystemResult<FileContents>> {
        self.serve(reads.len()).read_files(reads).await
    }
}
