//! The file that lines are appended to, as the recorder sees it and as this machine has it.

#![expect(clippy::disallowed_methods, reason = "files are written by the rollout recorder only")]

use std::fmt;
use std::fs::{self, DirBuilder, File, OpenOptions, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use rustix::fs::OFlags;

/// Who may read a new file: its owner.
const FILE_MODE: u32 = 0o600;

/// Who may enter a new directory: its owner.
const DIRECTORY_MODE: u32 = 0o700;

/// What the recorder needs of a file; calls may block.
pub trait RolloutFile: fmt::Debug + Send {
    /// Where it is.
    fn path(&self) -> &Path;

    /// Its length and whether it still has a name.
    fn state(&self) -> io::Result<FileState>;

    /// Writes at the end, in one call of the system, as much as it takes; returns the bytes that it took.
    fn append(&mut self, bytes: &[u8]) -> io::Result<usize>;

    /// Cuts the file.
    fn set_len(&mut self, len: u64) -> io::Result<()>;

    /// Returns once what was written is on the disk.
    fn sync(&mut self) -> io::Result<()>;
}

/// What is known of a file without reading it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileState {
    /// Bytes.
    pub len: u64,
    /// Whether a directory still names it.
    pub named: bool,
}

/// A file of this machine, opened so that every write goes to its end.
#[derive(Debug)]
pub struct LocalRolloutFile {
    path: PathBuf,
    file: File,
}

impl LocalRolloutFile {
    /// Makes a file that only its owner may read, whatever the umask; no link is followed and no file replaced.
    ///
    /// `name` is the path that it is known by, which it may get later.
    pub(super) fn create(path: &Path, name: &Path) -> io::Result<Self> {
        let file = new_file(path)?;
        Ok(Self { path: name.to_owned(), file })
    }

    /// Opens a regular file that exists, and leaves its mode as it is; never waits for a pipe.
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        let flags = OFlags::NONBLOCK | OFlags::NOCTTY;
        let file = OpenOptions::new()
            .read(true)
            .append(true)
            .custom_flags(flags.bits().cast_signed())
            .open(path)?;
        if !file.metadata()?.is_file() {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file"));
        }
        Ok(Self { path: path.to_owned(), file })
    }

    /// The file itself, to be locked and read.
    pub(super) const fn handle(&self) -> &File {
        &self.file
    }
}

impl Drop for LocalRolloutFile {
    /// Lets the lock go at once: a program that is just being started can hold a copy of the open file for a moment.
    fn drop(&mut self) {
        let _ = self.file.unlock();
    }
}

impl RolloutFile for LocalRolloutFile {
    fn path(&self) -> &Path {
        &self.path
    }

    fn state(&self) -> io::Result<FileState> {
        let metadata = self.file.metadata()?;
        Ok(FileState { len: metadata.len(), named: metadata.nlink() > 0 })
    }

    fn append(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn set_len(&mut self, len: u64) -> io::Result<()> {
        self.file.set_len(len)
    }

    fn sync(&mut self) -> io::Result<()> {
        self.file.sync_data()
    }
}

/// Makes a file for its owner alone, where nothing stands, not even a link.
pub(super) fn new_file(path: &Path) -> io::Result<File> {
    let flags = OFlags::NOFOLLOW.bits().cast_signed();
    let file = OpenOptions::new()
        .read(true)
        .append(true)
        .create_new(true)
        .mode(FILE_MODE)
        .custom_flags(flags)
        .open(path)?;
    file.set_permissions(Permissions::from_mode(FILE_MODE))?;
    Ok(file)
}

/// Opens a lock file, and makes one for its owner alone where there is none; no link is followed.
pub(super) fn open_lock_file(path: &Path) -> io::Result<File> {
    match new_file(path) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => OpenOptions::new()
            .read(true)
            .write(true)
            .custom_flags((OFlags::NOFOLLOW | OFlags::NONBLOCK).bits().cast_signed())
            .open(path),
        made => made,
    }
}

/// Makes those directories from `base` down to `path` that are missing, for their owner alone, whatever the umask.
///
/// Directories that stand there keep their modes. What is missing above `base` is made too: a new user has no place for
/// what programs remember.
pub(super) fn make_directories(base: &Path, path: &Path) -> io::Result<()> {
    if let Some(above) = base.parent() {
        DirBuilder::new().recursive(true).mode(DIRECTORY_MODE).create(above)?;
    }
    let mut missing: Vec<&Path> = path.ancestors().take_while(|it| it.starts_with(base)).collect();
    while let Some(directory) = missing.pop() {
        match DirBuilder::new().mode(DIRECTORY_MODE).create(directory) {
            Ok(()) => fs::set_permissions(directory, Permissions::from_mode(DIRECTORY_MODE))?,
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Returns once the names in a directory are on the disk.
pub(super) fn sync_directory(path: &Path) -> io::Result<()> {
    File::open(path)?.sync_all()
}
