//! A file system that is a table.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;

use crate::environment::{
    FileContents, FileKind, FileSystem, FileSystemError, FileSystemResult, Metadata,
};

/// Files without a disk: paths and their bytes. Directories are there as long as something is in them.
#[derive(Debug, Default)]
pub struct MemoryFileSystem(Mutex<BTreeMap<PathBuf, Vec<u8>>>);

impl MemoryFileSystem {
    /// Writes a file, whole.
    pub fn write(&self, path: impl Into<PathBuf>, bytes: impl Into<Vec<u8>>) {
        self.files().insert(path.into(), bytes.into());
    }

    /// Removes a file.
    pub fn remove(&self, path: impl AsRef<Path>) {
        self.files().remove(path.as_ref());
    }

    fn files(&self) -> MutexGuard<'_, BTreeMap<PathBuf, Vec<u8>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait]
impl FileSystem for MemoryFileSystem {
    async fn get_metadata(&self, path: &Path) -> FileSystemResult<Metadata> {
        let files = self.files();
        let (kind, len) = match files.get(path) {
            Some(bytes) => (FileKind::File, bytes.len() as u64),
            None if has_children(&files, path) => (FileKind::Directory, 0),
            None => return Err(FileSystemError::NotFound),
        };
        Ok(Metadata { kind, len, modified: None, identity: None, through_link: false })
    }

    async fn read_file(&self, path: &Path, limit: u64) -> FileSystemResult<FileContents> {
        let files = self.files();
        let Some(bytes) = files.get(path) else {
            let is_directory = has_children(&files, path);
            return Err(if is_directory {
                FileSystemError::NotAFile(FileKind::Directory)
            } else {
                FileSystemError::NotFound
            });
        };
        let end = usize::try_from(limit).map_or(bytes.len(), |limit| limit.min(bytes.len()));
        Ok(FileContents { bytes: bytes[..end].to_vec(), len: bytes.len() as u64 })
    }

    async fn read_directory(&self, path: &Path) -> FileSystemResult<Vec<OsString>> {
        let files = self.files();
        let mut names: Vec<OsString> =
            below(&files, path).map(|rest| first(rest).to_owned()).collect();
        names.dedup();
        if names.is_empty() { Err(FileSystemError::NotFound) } else { Ok(names) }
    }

    /// There are no links, so every path that is there is its own.
    async fn canonicalize(&self, path: &Path) -> FileSystemResult<PathBuf> {
        self.get_metadata(path).await.map(|_| path.to_owned())
    }
}

/// The paths of all files in a directory and below, from there on, in order.
fn below<'a>(
    files: &'a BTreeMap<PathBuf, Vec<u8>>,
    directory: &'a Path,
) -> impl Iterator<Item = &'a Path> {
    let after = files.range(directory.to_owned()..);
    after
        .map_while(move |(path, _)| path.strip_prefix(directory).ok())
        .filter(|rest| !rest.as_os_str().is_empty())
}

fn has_children(files: &BTreeMap<PathBuf, Vec<u8>>, directory: &Path) -> bool {
    below(files, directory).next().is_some()
}

fn first(path: &Path) -> &std::ffi::OsStr {
    path.iter().next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn it_answers_as_a_disk_would() {
        let files = MemoryFileSystem::default();
        files.write("/w/AGENTS.md", "text");
        files.write("/w/a/one", "1");
        files.write("/w/a/two", "22");
        files.write("/w-other", "");
        let kind = async |path: &str| files.get_metadata(Path::new(path)).await.map(|it| it.kind);
        assert_eq!(kind("/w").await, Ok(FileKind::Directory));
        assert_eq!(kind("/w/AGENTS.md").await, Ok(FileKind::File));
        assert_eq!(kind("/w/AGENTS").await, Err(FileSystemError::NotFound));
        let names = files.read_directory(Path::new("/w")).await.expect("it is there");
        assert_eq!(names, ["AGENTS.md", "a"]);
        let read = files.read_file(Path::new("/w/AGENTS.md"), 2).await;
        assert_eq!(read, Ok(FileContents { bytes: b"te".to_vec(), len: 4 }));
        files.remove("/w/AGENTS.md");
        let read = files.read_file(Path::new("/w/AGENTS.md"), 2).await;
        assert_eq!(read, Err(FileSystemError::NotFound));
        let read = files.read_file(Path::new("/w/a"), 2).await;
        assert_eq!(read, Err(FileSystemError::NotAFile(FileKind::Directory)));
    }
}
