//! A file system that stands far away.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;

use crate::environment::{FileContents, FileRead, FileSystem, FileSystemResult, Metadata};

/// How long a round trip to a [`DistantFileSystem`] takes.
pub const LATENCY: Duration = Duration::from_millis(10);

/// Answers every single call and every batch after one [`LATENCY`] of the runtime's clock.
///
/// With that clock paused (`#[tokio::test(start_paused = true)]`) nobody waits, and the time that passed on it is the
/// number of round trips, calls that were made together counted once.
#[derive(Debug)]
pub struct DistantFileSystem(Arc<dyn FileSystem>);

impl DistantFileSystem {
    /// Moves a file system away.
    pub fn new(inner: Arc<dyn FileSystem>) -> Self {
        Self(inner)
    }
}

#[async_trait]
impl FileSystem for DistantFileSystem {
    async fn get_metadata(&self, path: &Path) -> FileSystemResult<Metadata> {
        travel().await;
        self.0.get_metadata(path).await
    }

    async fn read_file(&self, path: &Path, limit: u64) -> FileSystemResult<FileContents> {
        travel().await;
        self.0.read_file(path, limit).await
    }

    async fn read_directory(&self, path: &Path) -> FileSystemResult<Vec<OsString>> {
        travel().await;
        self.0.read_directory(path).await
    }

    async fn canonicalize(&self, path: &Path) -> FileSystemResult<PathBuf> {
        travel().await;
        self.0.canonicalize(path).await
    }

    async fn get_metadata_all(&self, paths: &[PathBuf]) -> Vec<FileSystemResult<Metadata>> {
        travel().await;
        self.0.get_metadata_all(paths).await
    }

    async fn read_files(&self, reads: &[FileRead]) -> Vec<FileSystemResult<FileContents>> {
        travel().await;
        self.0.read_files(reads).await
    }
}

async fn travel() {
    tokio::time::sleep(LATENCY).await;
}
