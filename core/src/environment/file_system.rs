//! The one door to files.

use std::ffi::OsString;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use async_trait::async_trait;
use futures_util::future::join_all;

/// What a file-system call gives.
pub type FileSystemResult<T> = Result<T, FileSystemError>;

/// The files of one environment; paths are absolute and may hold any bytes.
///
/// Implement the single calls. The calls over many paths send all of them at once; where a batch can be cheaper
/// than its parts, implement those too. Answers stand in the order of the questions.
#[async_trait]
pub trait FileSystem: fmt::Debug + Send + Sync {
    /// What stands at a path, links followed.
    async fn get_metadata(&self, path: &Path) -> FileSystemResult<Metadata>;

    /// Reads a regular file, links followed, but no more than `limit` bytes of it.
    ///
    /// Never waits for a pipe or a device: what is no regular file is [`FileSystemError::NotAFile`].
    async fn read_file(&self, path: &Path, limit: u64) -> FileSystemResult<FileContents>;

    /// The names in a directory, in no order.
    async fn read_directory(&self, path: &Path) -> FileSystemResult<Vec<OsString>>;

    /// The path with every link in it resolved.
    async fn canonicalize(&self, path: &Path) -> FileSystemResult<PathBuf>;

    /// [`get_metadata`](Self::get_metadata) for many paths, in one round trip where the file system is far away.
    async fn get_metadata_all(&self, paths: &[PathBuf]) -> Vec<FileSystemResult<Metadata>> {
        join_all(paths.iter().map(|path| self.get_metadata(path))).await
    }

    /// [`read_file`](Self::read_file) for many files, in one round trip where the file system is far away.
    async fn read_files(&self, reads: &[FileRead]) -> Vec<FileSystemResult<FileContents>> {
        join_all(reads.iter().map(|read| self.read_file(&read.path, read.limit))).await
    }

    /// Why the file system is gone for good, as a phrase for people; none while it may serve.
    ///
    /// Never waits. Calls to one that is gone fail.
    fn lost(&self) -> Option<String> {
        None
    }
}

/// [`FileSystem::get_metadata_all`] with one answer a path, whatever the file system gives.
///
/// An implementation that answers less than it was asked must cost its own paths and nothing else.
pub async fn metadata_of(
    file_system: &dyn FileSystem,
    paths: &[PathBuf],
) -> Vec<FileSystemResult<Metadata>> {
    let mut answers = file_system.get_metadata_all(paths).await;
    answers.resize_with(paths.len(), || Err(FileSystemError::unanswered()));
    answers
}

/// [`FileSystem::read_files`] with one answer a read, no longer than its limit, whatever the file system gives.
pub async fn contents_of(
    file_system: &dyn FileSystem,
    reads: &[FileRead],
) -> Vec<FileSystemResult<FileContents>> {
    let mut answers = file_system.read_files(reads).await;
    answers.resize_with(reads.len(), || Err(FileSystemError::unanswered()));
    for (read, contents) in reads.iter().zip(answers.iter_mut().map(Result::as_mut)) {
        let Ok(contents) = contents else { continue };
        contents.len = contents.len.max(contents.bytes.len() as u64);
        contents.bytes.truncate(usize::try_from(read.limit).unwrap_or(usize::MAX));
    }
    answers
}

/// One file to read and how much of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileRead {
    /// The file.
    pub path: PathBuf,
    /// Bytes at most.
    pub limit: u64,
}

/// What stands at a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Metadata {
    /// What it is, links followed.
    pub kind: FileKind,
    /// Bytes.
    pub len: u64,
    /// When it was last written, where the file system says.
    pub modified: Option<SystemTime>,
    /// Which file it is, however it was reached, where the file system says.
    pub identity: Option<FileIdentity>,
    /// Whether the path itself is a symbolic link.
    pub through_link: bool,
}

/// What kind of thing stands at a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileKind {
    /// A regular file.
    File,
    /// A directory.
    Directory,
    /// A named pipe.
    Pipe,
    /// A socket.
    Socket,
    /// A device.
    Device,
    /// Something else.
    Other,
}

impl fmt::Display for FileKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::File => "a regular file",
            Self::Directory => "a directory",
            Self::Pipe => "a named pipe",
            Self::Socket => "a socket",
            Self::Device => "a device",
            Self::Other => "not a regular file",
        })
    }
}

/// Which file it is on its machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct FileIdentity {
    /// The file system.
    pub device: u64,
    /// The file on it.
    pub inode: u64,
}

/// The head of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileContents {
    /// The bytes that were read.
    pub bytes: Vec<u8>,
    /// Bytes of the whole file when it was opened; never less than were read.
    pub len: u64,
}

/// Why a file-system call gave nothing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FileSystemError {
    /// Nothing stands at the path, or a directory on the way is none.
    #[error("no such file or directory")]
    NotFound,
    /// The path is a link that leads nowhere.
    #[error("a link that leads nowhere")]
    BrokenLink,
    /// The path is no regular file.
    #[error("{0}, not a regular file")]
    NotAFile(FileKind),
    /// A sandbox policy forbids it; unlike the others this one stops a step.
    #[error("{} may not be read: {policy}", path.display())]
    Denied {
        /// What was asked for.
        path: PathBuf,
        /// The policy, as a phrase for people.
        policy: String,
    },
    /// The operating system or the way to it failed.
    #[error("{message}")]
    Io {
        /// The kind, as the standard library sorts it.
        kind: io::ErrorKind,
        /// The system's own words.
        message: String,
    },
}

impl FileSystemError {
    fn unanswered() -> Self {
        let message = "the file system gave no answer".to_owned();
        Self::Io { kind: io::ErrorKind::UnexpectedEof, message }
    }

    /// Whether the path just has nothing to read: no fault, nobody need be told.
    pub fn is_absence(&self) -> bool {
        matches!(self, Self::NotFound | Self::BrokenLink | Self::NotAFile(_))
    }
}

impl From<io::Error> for FileSystemError {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => Self::NotFound,
            kind => Self::Io { kind, message: without_code(&error.to_string()) },
        }
    }
}

/// The message of an operating-system error without its `(os error N)`.
fn without_code(message: &str) -> String {
    message.split(" (os error").next().unwrap_or(message).to_lowercase()
}
