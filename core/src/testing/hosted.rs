//! A file system that lives on a runtime of its own, so that tests may ask it from any.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use async_trait::async_trait;
use futures_util::future::BoxFuture;
use tokio::runtime::Handle;
use tokio::task::spawn_blocking;

use crate::environment::{FileContents, FileRead, FileSystem, FileSystemResult, Metadata};

/// Passes calls on to another file system on another runtime.
///
/// The waiting is done on a blocking thread, so that a paused clock stands still meanwhile.
#[derive(Debug)]
pub(super) struct HostedFileSystem {
    inner: Arc<dyn FileSystem>,
    runtime: Handle,
}

impl HostedFileSystem {
    pub(super) fn new(inner: Arc<dyn FileSystem>, runtime: Handle) -> Self {
        Self { inner, runtime }
    }

    async fn there<T: Send + 'static>(
        &self,
        work: impl FnOnce(Arc<dyn FileSystem>) -> BoxFuture<'static, T> + Send + 'static,
    ) -> T {
        let (inner, runtime) = (Arc::clone(&self.inner), self.runtime.clone());
        let answer = spawn_blocking(move || runtime.block_on(work(inner)));
        answer.await.expect("a file system does not panic")
    }
}

#[async_trait]
impl FileSystem for HostedFileSystem {
    async fn get_metadata(&self, path: &Path) -> FileSystemResult<Metadata> {
        let path = path.to_owned();
        self.there(|it| Box::pin(async move { it.get_metadata(&path).await })).await
    }

    async fn read_file(&self, path: &Path, limit: u64) -> FileSystemResult<FileContents> {
        let path = path.to_owned();
        self.there(move |it| Box::pin(async move { it.read_file(&path, limit).await })).await
    }

    async fn read_directory(&self, path: &Path) -> FileSystemResult<Vec<OsString>> {
        let path = path.to_owned();
        self.there(|it| Box::pin(async move { it.read_directory(&path).await })).await
    }

    async fn canonicalize(&self, path: &Path) -> FileSystemResult<PathBuf> {
        let path = path.to_owned();
        self.there(|it| Box::pin(async move { it.canonicalize(&path).await })).await
    }

    async fn get_metadata_all(&self, paths: &[PathBuf]) -> Vec<FileSystemResult<Metadata>> {
        let paths = paths.to_vec();
        self.there(|it| Box::pin(async move { it.get_metadata_all(&paths).await })).await
    }

    async fn read_files(&self, reads: &[FileRead]) -> Vec<FileSystemResult<FileContents>> {
        let reads = reads.to_vec();
        self.there(|it| Box::pin(async move { it.read_files(&reads).await })).await
    }
}
