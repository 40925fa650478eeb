//! Rollouts that are kept in memory, and disks that fill up when a test wants it.

use std::fmt;
use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;

use crate::rollout::{
    AppendError, FileState, LineWriter, Numbering, RecorderSettings, RolloutFile, RolloutSink,
};

/// How many bytes a disk still takes; clones speak of the same disk.
#[derive(Debug, Clone, Default)]
pub struct DiskSpace(Arc<Mutex<Disk>>);

#[derive(Debug, Default)]
struct Disk {
    left: Option<usize>,
    is_stuck: bool,
    syncs: u32,
}

impl DiskSpace {
    /// A disk that never fills up.
    pub fn new() -> Self {
        Self::default()
    }

    /// Lets that many more bytes in; then writes fail with `StorageFull`.
    pub fn fill_after(&self, bytes: usize) {
        self.disk().left = Some(bytes);
    }

    /// Lets everything in again.
    pub fn free(&self) {
        let mut disk = self.disk();
        disk.left = None;
        disk.is_stuck = false;
    }

    /// From now on files cannot be cut or synced either.
    pub fn break_down(&self) {
        self.disk().is_stuck = true;
    }

    /// How often a file was synced.
    pub fn syncs(&self) -> u32 {
        self.disk().syncs
    }

    /// A file on this disk.
    pub fn around(&self, file: impl RolloutFile + 'static) -> Box<dyn RolloutFile> {
        Box::new(LimitedFile { file, disk: self.clone() })
    }

    fn disk(&self) -> MutexGuard<'_, Disk> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn check(&self) -> io::Result<()> {
        if self.disk().is_stuck { Err(io::Error::other("the disk is broken")) } else { Ok(()) }
    }
}

#[derive(Debug)]
struct LimitedFile<F> {
    file: F,
    disk: DiskSpace,
}

impl<F: RolloutFile> RolloutFile for LimitedFile<F> {
    fn path(&self) -> &Path {
        self.file.path()
    }

    fn state(&self) -> io::Result<FileState> {
        self.file.state()
    }

    fn append(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut disk = self.disk.disk();
        let Some(left) = disk.left.as_mut() else { return self.file.append(bytes) };
        if *left == 0 && !bytes.is_empty() {
            return Err(io::ErrorKind::StorageFull.into());
        }
        let taken = self.file.append(&bytes[..bytes.len().min(*left)])?;
        *left -= taken;
        Ok(taken)
    }

    fn set_len(&mut self, len: u64) -> io::Result<()> {
        self.disk.check()?;
        self.file.set_len(len)
    }

    fn sync(&mut self) -> io::Result<()> {
        self.disk.check()?;
        self.disk.disk().syncs += 1;
        self.file.sync()
    }
}

#[derive(Debug, Clone, Default)]
struct MemoryFile(Arc<Mutex<Vec<u8>>>);

impl MemoryFile {
    fn bytes(&self) -> MutexGuard<'_, Vec<u8>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl RolloutFile for MemoryFile {
    fn path(&self) -> &Path {
        Path::new("memory")
    }

    fn state(&self) -> io::Result<FileState> {
        Ok(FileState { len: self.bytes().len() as u64, named: true })
    }

    fn append(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.bytes().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn set_len(&mut self, len: u64) -> io::Result<()> {
        self.bytes().truncate(usize::try_from(len).map_err(io::Error::other)?);
        Ok(())
    }

    fn sync(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A rollout in memory that is written by the rules of a real one, and whose disk can fill up.
#[derive(Clone)]
pub struct MemoryRollout {
    file: MemoryFile,
    disk: DiskSpace,
    writer: Arc<Mutex<LineWriter>>,
}

impl MemoryRollout {
    /// An empty rollout; its first line decides whether lines get ordinals.
    pub fn new() -> Self {
        let (file, disk) = (MemoryFile::default(), DiskSpace::new());
        let settings = RecorderSettings::default();
        let writer = LineWriter::new(disk.around(file.clone()), settings, 0, Numbering::Undecided);
        Self { file, disk, writer: Arc::new(Mutex::new(writer)) }
    }

    /// The disk that it lies on.
    pub const fn disk(&self) -> &DiskSpace {
        &self.disk
    }

    /// Everything in it.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.file.bytes()).into_owned()
    }

    /// Its lines, without their ends.
    pub fn lines(&self) -> Vec<String> {
        self.text().lines().map(str::to_owned).collect()
    }

    fn writer(&self) -> MutexGuard<'_, LineWriter> {
        self.writer.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Default for MemoryRollout {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for MemoryRollout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MemoryRollout").field("lines", &self.lines()).finish_non_exhaustive()
    }
}

#[async_trait]
impl RolloutSink for MemoryRollout {
    async fn append(&self, lines: Vec<String>) -> Result<(), AppendError> {
        self.writer().append(lines)
    }

    async fn end_turn(&self) -> Result<(), AppendError> {
        self.writer().end_turn()
    }
}
