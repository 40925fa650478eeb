//! One writer at a time, held by locks that end with the process.
//!
//! The file's own lock keeps out other recorders. Codex does not look at it: it locks a file named after the thread,
//! so inside a home that lock is taken too, and each program is told when the other one writes.
//!
//! Locks are let go by name and not only by closing the file: a program that is just being started holds copies of
//! all open files for a moment.

#![expect(clippy::disallowed_methods, reason = "locks are files of the rollout recorder")]

use std::fmt;
use std::fs::{self, File, TryLockError};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use recto_protocol::ThreadId;

use super::file::{make_directories, open_lock_file};

/// Where Codex keeps the locks of a home.
const DIRECTORY: &str = "thread-writer-locks";

/// Held while a lock of the directory comes or goes.
const COORDINATION: &str = ".coordination.lock";

/// Tries for the coordination lock, which nobody holds for long, and the pause between two.
const TRIES: u32 = 100;
const PAUSE: Duration = Duration::from_millis(20);

/// A process that holds a lock.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LockHolder {
    /// Its id, as this process sees it.
    pub pid: u32,
    /// Its name, where it can be seen.
    pub command: Option<String>,
}

impl fmt::Display for LockHolder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "process {}", self.pid)?;
        self.command.as_ref().map_or(Ok(()), |command| write!(f, " ({command})"))
    }
}

/// Why a lock was not taken.
#[derive(Debug)]
pub(super) enum LockError {
    /// Somebody has it; who, where the system tells.
    Held(Option<LockHolder>),
    /// The file system does not lock, or the lock's file cannot be made.
    Io(io::Error),
}

impl From<io::Error> for LockError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// Locks a file for as long as it is open; the process's end frees it.
pub(super) fn lock(file: &File) -> Result<(), LockError> {
    match file.try_lock() {
        Ok(()) => Ok(()),
        Err(TryLockError::WouldBlock) => Err(LockError::Held(holder(file))),
        Err(TryLockError::Error(error)) => Err(LockError::Io(error)),
    }
}

/// The lock of a thread in a home, of the kind that Codex takes; let go when dropped.
#[derive(Debug)]
pub(super) struct ThreadLock {
    directory: PathBuf,
    path: PathBuf,
    file: File,
}

impl ThreadLock {
    /// Takes the lock of a thread.
    pub(super) fn take(home: &Path, thread: ThreadId) -> Result<Self, LockError> {
        let directory = home.join(DIRECTORY);
        make_directories(home, &directory)?;
        let coordination = Coordination::take(&directory)?;
        let path = directory.join(format!("{thread}.lock"));
        let file = open_lock_file(&path)?;
        lock(&file)?;
        drop(coordination);
        Ok(Self { directory, path, file })
    }
}

impl Drop for ThreadLock {
    /// Removes the file too; where that fails a file stays that locks nothing.
    fn drop(&mut self) {
        if let Ok(_coordination) = Coordination::take(&self.directory) {
            let _ = fs::remove_file(&self.path);
        }
        let _ = self.file.unlock();
    }
}

/// The lock under which locks come and go.
struct Coordination(File);

impl Coordination {
    fn take(directory: &Path) -> Result<Self, LockError> {
        let file = open_lock_file(&directory.join(COORDINATION))?;
        for _ in 1..TRIES {
            match lock(&file) {
                Err(LockError::Held(_)) => thread::sleep(PAUSE),
                result => return result.map(|()| Self(file)),
            }
        }
        lock(&file).map(|()| Self(file))
    }
}

impl Drop for Coordination {
    fn drop(&mut self) {
        let _ = self.0.unlock();
    }
}

/// How often the table of locks is read: it comes page by page, and a lock that goes meanwhile hides another.
const TABLE_READS: usize = 5;

/// Who holds the lock of a file, from Linux's table of locks; none elsewhere, and where the holder is out of sight.
fn holder(file: &File) -> Option<LockHolder> {
    let metadata = file.metadata().ok()?;
    let pid = (0..TABLE_READS).find_map(|_| {
        let table = fs::read_to_string("/proc/locks").ok()?;
        holder_in(&table, metadata.dev(), metadata.ino())
    })?;
    let command = fs::read_to_string(format!("/proc/{pid}/comm")).ok();
    Some(LockHolder { pid, command: command.map(|name| name.trim_end().to_owned()) })
}

/// The process in a table whose lines are `1: FLOCK  ADVISORY  WRITE 9477 fe:00:5473180 0 EOF`.
///
/// Some file systems show another device there than in a file's metadata: then the only lock of that inode counts.
fn holder_in(table: &str, device: u64, inode: u64) -> Option<u32> {
    let device = format!("{:02x}:{:02x}", rustix::fs::major(device), rustix::fs::minor(device));
    let mut of_inode = Vec::new();
    for line in table.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        let &[_, "FLOCK", _, "WRITE", pid, place, ..] = words.as_slice() else { continue };
        let Some((at_device, at_inode)) = place.rsplit_once(':') else { continue };
        let Some(pid) = pid.parse().ok().filter(|pid| *pid > 0) else { continue };
        if at_inode.parse() != Ok(inode) {
            continue;
        }
        if at_device == device {
            return Some(pid);
        }
        of_inode.push(pid);
    }
    of_inode.pop().filter(|_| of_inode.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_holder_is_found_by_device_and_inode() {
        let table = "1: FLOCK  ADVISORY  WRITE 11 fe:00:500 0 EOF\n\
                     2: -> FLOCK  ADVISORY  WRITE 12 fe:01:500 0 EOF\n\
                     3: POSIX  ADVISORY  WRITE 13 fe:01:500 0 EOF\n\
                     4: FLOCK  ADVISORY  WRITE 14 fe:01:500 0 EOF\n\
                     5: FLOCK  ADVISORY  WRITE 15 00:2a:600 0 EOF\n\
                     6: FLOCK  ADVISORY  WRITE 0 fe:01:700 0 EOF\n";
        let device = rustix::fs::makedev(0xfe, 1);
        assert_eq!(holder_in(table, device, 500), Some(14));
        assert_eq!(holder_in(table, device, 600), Some(15));
        assert_eq!(holder_in(table, device, 700), None);
        assert_eq!(holder_in(table, device, 800), None);
    }
}
