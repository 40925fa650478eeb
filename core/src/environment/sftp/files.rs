//! The file system at the other end of a connection.

use std::ffi::{OsStr, OsString};
use std::io::{self, SeekFrom};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use bytes::BytesMut;
use futures_util::StreamExt;
use openssh_sftp_client::error::SftpErrorKind;
use openssh_sftp_client::file::File;
use openssh_sftp_client::metadata::MetaData;
use openssh_sftp_client::{Error, Sftp, SftpOptions, UnixTimeStamp};
use tokio::io::{AsyncRead, AsyncSeekExt, AsyncWrite};
use tokio::time::timeout;

use super::guard::{ClientEnds, Guard, Line, guard};
use super::names::{as_bytes, as_text};
use crate::environment::{
    FileContents, FileKind, FileSystem, FileSystemError, FileSystemResult, Metadata,
};

/// Bytes that are asked for at once; every server gives as much.
const CHUNK: u32 = 32 * 1024;

/// Names of one directory; a server that lists more than that has no end in mind.
const MOST_NAMES: usize = 1_000_000;

/// How long the other side may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SftpLimits {
    /// Until it is ready.
    pub start: Duration,
    /// For one call; who takes longer is taken for dead.
    pub call: Duration,
}

impl Default for SftpLimits {
    fn default() -> Self {
        Self { start: Duration::from_secs(10), call: Duration::from_secs(30) }
    }
}

/// The files of another machine.
///
/// Questions are sent without waiting for the answers of others, so that a batch takes one round trip, and one more
/// for each that follows from an answer: to read a file takes three, to look one. Which file it is on its machine
/// SFTP does not tell.
#[derive(Debug)]
pub struct SftpFileSystem {
    sftp: Sftp,
    line: Arc<Line>,
    limit: Duration,
    _guard: Guard,
}

impl SftpFileSystem {
    /// Shakes hands over a connection; an error is a phrase for people.
    ///
    /// `last_words` is awaited for a moment when the connection has ended, and added to the reason.
    pub async fn connect(
        reader: impl AsyncRead + Send + Unpin + 'static,
        writer: impl AsyncWrite + Send + Unpin + 'static,
        last_words: impl Future<Output = String> + Send + 'static,
        limits: SftpLimits,
    ) -> Result<Self, String> {
        let (ClientEnds { questions, answers }, line, guard) = guard(reader, writer, last_words);
        let options = SftpOptions::new().flush_interval(Duration::ZERO);
        let shaken = timeout(limits.start, Sftp::new(questions, answers, options)).await;
        match shaken {
            Ok(Ok(sftp)) => Ok(Self { sftp, line, limit: limits.call, _guard: guard }),
            Ok(Err(error)) => Err(line.lost().map_or_else(|| error.to_string(), str::to_owned)),
            Err(_) => Err(format!("it did not answer for {} seconds", limits.start.as_secs_f32())),
        }
    }

    /// Waits for an answer, as long as there can be one.
    async fn within_limit<T>(
        &self,
        work: impl Future<Output = FileSystemResult<T>>,
    ) -> FileSystemResult<T> {
        if let Some(reason) = self.line.lost() {
            return Err(gone(reason));
        }
        let Ok(answer) = timeout(self.limit, work).await else {
            self.line.lose(format!("it did not answer for {} seconds", self.limit.as_secs_f32()));
            return Err(gone(self.line.lost().unwrap_or_default()));
        };
        match self.line.lost() {
            // What the client says then is only that its task is gone.
            Some(reason) if answer.is_err() => Err(gone(reason)),
            _ => answer,
        }
    }

    async fn look(&self, path: &Path) -> FileSystemResult<Metadata> {
        let path = sendable(path)?;
        let (mut itself, mut behind) = (self.sftp.fs(), self.sftp.fs());
        let (itself, behind) = tokio::join!(itself.symlink_metadata(&path), behind.metadata(&path));
        let itself = itself.map_err(in_our_words)?;
        if kind(&itself) != Some(Kind::Link) {
            return Ok(described(&itself, false));
        }
        match behind.map_err(in_our_words) {
            Ok(behind) => Ok(described(&behind, true)),
            Err(FileSystemError::NotFound) => Err(FileSystemError::BrokenLink),
            Err(error) => Err(error),
        }
    }

    /// Looks first, for to open a pipe would hold the other side for good.
    async fn read(&self, path: &Path, limit: u64) -> FileSystemResult<FileContents> {
        let found = self.look(path).await?;
        if found.kind != FileKind::File {
            return Err(FileSystemError::NotAFile(found.kind));
        }
        let mut file = self.sftp.open(sendable(path)?).await.map_err(in_our_words)?;
        let mut same = file.clone();
        let (first, now) = tokio::join!(read_at(&mut file, 0, limit), same.metadata());
        let known = now.ok().and_then(|now| now.len()).unwrap_or(found.len);
        let mut bytes = first?;
        let mut is_end = bytes.is_empty();
        while !is_end && (bytes.len() as u64) < limit && bytes.len() as u64 != known {
            let at = bytes.len() as u64;
            let more = read_at(&mut file, at, limit - at).await?;
            is_end = more.is_empty();
            bytes.extend_from_slice(&more);
        }
        bytes.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
        let len = known.max(bytes.len() as u64);
        Ok(FileContents { bytes: bytes.into(), len })
    }

    async fn list(&self, path: &Path) -> FileSystemResult<Vec<OsString>> {
        let directory = self.sftp.fs().open_dir(sendable(path)?).await.map_err(in_our_words)?;
        let mut entries = std::pin::pin!(directory.read_dir());
        let mut names = Vec::new();
        while let Some(entry) = entries.next().await {
            let entry = entry.map_err(in_our_words)?;
            let name = received(entry.filename());
            if name != "." && name != ".." {
                names.push(name);
            }
            if names.len() > MOST_NAMES {
                return Err(failure(format!("a directory of more than {MOST_NAMES} names")));
            }
        }
        Ok(names)
    }
}

#[async_trait]
impl FileSystem for SftpFileSystem {
    async fn get_metadata(&self, path: &Path) -> FileSystemResult<Metadata> {
        self.within_limit(self.look(path)).await
    }

    async fn read_file(&self, path: &Path, limit: u64) -> FileSystemResult<FileContents> {
        self.within_limit(self.read(path, limit)).await
    }

    async fn read_directory(&self, path: &Path) -> FileSystemResult<Vec<OsString>> {
        self.within_limit(self.list(path)).await
    }

    async fn canonicalize(&self, path: &Path) -> FileSystemResult<PathBuf> {
        let find = async {
            let real = self.sftp.fs().canonicalize(sendable(path)?).await;
            Ok(received(&real.map_err(in_our_words)?).into())
        };
        self.within_limit(find).await
    }

    fn lost(&self) -> Option<String> {
        self.line.lost().map(str::to_owned)
    }
}

/// One answer's worth of a file, from a place on; nothing at its end.
async fn read_at(file: &mut File, at: u64, limit: u64) -> FileSystemResult<BytesMut> {
    // The client moves on by what was asked for, not by what came.
    file.seek(SeekFrom::Start(at)).await?;
    let count = u32::try_from(limit).unwrap_or(CHUNK).min(CHUNK);
    let bytes = file.read(count, BytesMut::new()).await.map_err(in_our_words)?;
    Ok(bytes.unwrap_or_default())
}

/// What the client is given for a path.
fn sendable(path: &Path) -> FileSystemResult<PathBuf> {
    let bytes = path.as_os_str().as_bytes();
    if bytes.contains(&0) {
        let message = "file name contained an unexpected nul byte".to_owned();
        return Err(FileSystemError::Io { kind: io::ErrorKind::InvalidInput, message });
    }
    Ok(as_text(bytes).into())
}

/// The name that the client's text stands for.
fn received(path: &Path) -> OsString {
    match path.to_str() {
        Some(text) => OsString::from_vec(as_bytes(text)),
        None => AsRef::<OsStr>::as_ref(path).to_owned(),
    }
}

/// What stands at a path before links are followed.
#[derive(PartialEq, Eq)]
enum Kind {
    Link,
    Of(FileKind),
}

fn kind(found: &MetaData) -> Option<Kind> {
    let found = found.file_type()?;
    Some(if found.is_symlink() {
        Kind::Link
    } else if found.is_file() {
        Kind::Of(FileKind::File)
    } else if found.is_dir() {
        Kind::Of(FileKind::Directory)
    } else if found.is_fifo() {
        Kind::Of(FileKind::Pipe)
    } else if found.is_socket() {
        Kind::Of(FileKind::Socket)
    } else {
        Kind::Of(FileKind::Device)
    })
}

fn described(found: &MetaData, through_link: bool) -> Metadata {
    Metadata {
        kind: match kind(found) {
            Some(Kind::Of(kind)) => kind,
            Some(Kind::Link) | None => FileKind::Other,
        },
        len: found.len().unwrap_or(0),
        modified: found.modified().map(UnixTimeStamp::as_system_time),
        identity: None,
        through_link,
    }
}

#[expect(clippy::needless_pass_by_value, reason = "the shape that `map_err` takes")]
fn in_our_words(error: Error) -> FileSystemError {
    let Error::SftpError(code, message) = &error else { return failure(error.to_string()) };
    let kind = match code {
        SftpErrorKind::NoSuchFile => return FileSystemError::NotFound,
        SftpErrorKind::PermDenied => io::ErrorKind::PermissionDenied,
        SftpErrorKind::BadMessage => io::ErrorKind::InvalidInput,
        SftpErrorKind::OpUnsupported => io::ErrorKind::Unsupported,
        _ => io::ErrorKind::Other,
    };
    let message = match message.get().0 {
        "" => "the server gave no reason".to_owned(),
        words => words.to_lowercase(),
    };
    FileSystemError::Io { kind, message }
}

fn failure(message: String) -> FileSystemError {
    FileSystemError::Io { kind: io::ErrorKind::Other, message }
}

fn gone(reason: &str) -> FileSystemError {
    let message = format!("the environment is gone: {reason}");
    FileSystemError::Io { kind: io::ErrorKind::ConnectionAborted, message }
}
