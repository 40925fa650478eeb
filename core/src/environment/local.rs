//! This machine's files.

#![expect(clippy::disallowed_methods, reason = "this is the place where local files are read")]

use std::ffi::OsString;
use std::fs::{self, File, FileType, OpenOptions};
use std::io::{self, Read};
use std::os::unix::fs::{FileTypeExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use async_trait::async_trait;

use super::{
    FileContents, FileIdentity, FileKind, FileRead, FileSystem, FileSystemError, FileSystemResult,
    Metadata,
};

/// The files of the machine that the program runs on; nothing is confined.
///
/// A batch of calls is one task on the runtime's blocking pool, so that a slow disk never holds a turn's own thread.
#[derive(Debug, Clone, Copy, Default)]
pub struct LocalFileSystem;

#[async_trait]
impl FileSystem for LocalFileSystem {
    async fn get_metadata(&self, path: &Path) -> FileSystemResult<Metadata> {
        let path = path.to_owned();
        off_thread(move || metadata(&path)).await?
    }

    async fn read_file(&self, path: &Path, limit: u64) -> FileSystemResult<FileContents> {
        let path = path.to_owned();
        off_thread(move || read(&path, limit)).await?
    }

    async fn read_directory(&self, path: &Path) -> FileSystemResult<Vec<OsString>> {
        let path = path.to_owned();
        off_thread(move || fs::read_dir(path)?.map(|entry| Ok(entry?.file_name())).collect())
            .await?
    }

    async fn canonicalize(&self, path: &Path) -> FileSystemResult<PathBuf> {
        let path = path.to_owned();
        off_thread(move || Ok(fs::canonicalize(path)?)).await?
    }

    async fn get_metadata_all(&self, paths: &[PathBuf]) -> Vec<FileSystemResult<Metadata>> {
        let asked = paths.to_vec();
        match off_thread(move || asked.iter().map(|path| metadata(path)).collect()).await {
            Ok(answers) => answers,
            Err(error) => vec![Err(error); paths.len()],
        }
    }

    async fn read_files(&self, reads: &[FileRead]) -> Vec<FileSystemResult<FileContents>> {
        let asked = reads.to_vec();
        match off_thread(move || asked.iter().map(|it| read(&it.path, it.limit)).collect()).await {
            Ok(answers) => answers,
            Err(error) => vec![Err(error); reads.len()],
        }
    }
}

/// Runs work that waits for a disk on the runtime's blocking pool.
pub(super) async fn off_thread<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> FileSystemResult<T> {
    tokio::task::spawn_blocking(work).await.map_err(|error| FileSystemError::Io {
        kind: io::ErrorKind::Other,
        message: format!("the read did not finish: {error}"),
    })
}

fn metadata(path: &Path) -> FileSystemResult<Metadata> {
    let found = fs::symlink_metadata(path)?;
    let through_link = found.is_symlink();
    let found = if through_link {
        fs::metadata(path).map_err(|error| match FileSystemError::from(error) {
            FileSystemError::NotFound => FileSystemError::BrokenLink,
            other => other,
        })?
    } else {
        found
    };
    Ok(described(&found, through_link))
}

/// What the system says about a file, in our words.
pub(super) fn described(found: &fs::Metadata, through_link: bool) -> Metadata {
    Metadata {
        kind: kind(found.file_type()),
        len: found.len(),
        modified: found.modified().ok(),
        identity: Some(FileIdentity { device: found.dev(), inode: found.ino() }),
        through_link,
    }
}

fn kind(file_type: FileType) -> FileKind {
    if file_type.is_file() {
        FileKind::File
    } else if file_type.is_dir() {
        FileKind::Directory
    } else if file_type.is_fifo() {
        FileKind::Pipe
    } else if file_type.is_socket() {
        FileKind::Socket
    } else if file_type.is_char_device() || file_type.is_block_device() {
        FileKind::Device
    } else {
        FileKind::Other
    }
}

fn read(path: &Path, limit: u64) -> FileSystemResult<FileContents> {
    head(open_without_waiting(path).map_err(|error| why_not_open(path, error))?, limit)
}

/// The first bytes of an open file, if it is a regular one.
pub(super) fn head(file: File, limit: u64) -> FileSystemResult<FileContents> {
    let found = file.metadata()?;
    if !found.is_file() {
        return Err(FileSystemError::NotAFile(kind(found.file_type())));
    }
    let expected = usize::try_from(limit.min(found.len())).unwrap_or(usize::MAX);
    let mut bytes = Vec::new();
    bytes.try_reserve(expected).map_err(|_| io::Error::from(io::ErrorKind::OutOfMemory))?;
    file.take(limit).read_to_end(&mut bytes)?;
    let len = found.len().max(bytes.len() as u64);
    Ok(FileContents { bytes, len })
}

/// A socket cannot be opened at all, and the system's error does not say that it is one.
fn why_not_open(path: &Path, error: io::Error) -> FileSystemError {
    match metadata(path) {
        Ok(Metadata { kind: FileKind::File, .. }) => error.into(),
        Ok(Metadata { kind, .. }) => FileSystemError::NotAFile(kind),
        Err(error) => error,
    }
}

/// Opens a file so that a pipe without a writer cannot hold us, should one have taken the file's place.
fn open_without_waiting(path: &Path) -> io::Result<File> {
    let flags = rustix::fs::OFlags::NONBLOCK | rustix::fs::OFlags::NOCTTY;
    OpenOptions::new().read(true).custom_flags(flags.bits().cast_signed()).open(path)
}
