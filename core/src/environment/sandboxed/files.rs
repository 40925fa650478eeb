//! The file system of a sandbox.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use async_trait::async_trait;
use cap_std::fs::Dir;

use super::policy::SandboxPolicy;
use super::walk::Sandbox;
use crate::environment::local::{described, head, off_thread};
use crate::environment::{
    FileContents, FileKind, FileRead, FileSystem, FileSystemError, FileSystemResult, Metadata,
};

/// How often a file is looked for again that became a link between two looks.
const ATTEMPTS: usize = 8;

/// The files of this machine, as far as a policy lets them be read.
///
/// What the policy does not speak of is not there for those who look; who reads it, or is led there by a link, is
/// denied. What it denies can be seen, and neither be read nor looked into. Every batch opens the places of the policy
/// anew, so that a directory that was replaced is found.
#[derive(Debug, Clone)]
pub struct SandboxedFileSystem {
    policy: Arc<SandboxPolicy>,
}

impl SandboxedFileSystem {
    /// Confines reads by a policy.
    pub fn new(policy: SandboxPolicy) -> Self {
        Self { policy: Arc::new(policy) }
    }

    async fn ask<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Sandbox) -> T + Send + 'static,
    ) -> FileSystemResult<T> {
        let policy = Arc::clone(&self.policy);
        off_thread(move || work(&Sandbox::open(&policy))).await
    }

    /// Asks about many paths at once; where nobody can answer, all have the error.
    async fn ask_all<Q: Send + 'static, T: Send + 'static>(
        &self,
        questions: Vec<Q>,
        answer: impl Fn(&Sandbox, &Q) -> FileSystemResult<T> + Send + 'static,
    ) -> Vec<FileSystemResult<T>> {
        let count = questions.len();
        let all = move |sandbox: &Sandbox| questions.iter().map(|it| answer(sandbox, it)).collect();
        match self.ask(all).await {
            Ok(answers) => answers,
            Err(error) => (0..count).map(|_| Err(error.clone())).collect(),
        }
    }
}

#[async_trait]
impl FileSystem for SandboxedFileSystem {
    async fn get_metadata(&self, path: &Path) -> FileSystemResult<Metadata> {
        let path = path.to_owned();
        self.ask(move |sandbox| look(sandbox, &path)).await?
    }

    async fn read_file(&self, path: &Path, limit: u64) -> FileSystemResult<FileContents> {
        let path = path.to_owned();
        self.ask(move |sandbox| read(sandbox, &path, limit)).await?
    }

    async fn read_directory(&self, path: &Path) -> FileSystemResult<Vec<OsString>> {
        let path = path.to_owned();
        self.ask(move |sandbox| list(sandbox, &path)).await?
    }

    async fn canonicalize(&self, path: &Path) -> FileSystemResult<PathBuf> {
        let path = path.to_owned();
        self.ask(move |sandbox| Ok(sandbox.find(&path)?.real)).await?
    }

    async fn get_metadata_all(&self, paths: &[PathBuf]) -> Vec<FileSystemResult<Metadata>> {
        self.ask_all(paths.to_vec(), |sandbox, path| look(sandbox, path)).await
    }

    async fn read_files(&self, reads: &[FileRead]) -> Vec<FileSystemResult<FileContents>> {
        self.ask_all(reads.to_vec(), |sandbox, it| read(sandbox, &it.path, it.limit)).await
    }
}

fn look(sandbox: &Sandbox, path: &Path) -> FileSystemResult<Metadata> {
    if !sandbox.covers(path) {
        return Err(FileSystemError::NotFound);
    }
    let found = sandbox.find(path)?;
    Ok(described(&found.handle.metadata()?, found.through_link))
}

fn read(sandbox: &Sandbox, path: &Path, limit: u64) -> FileSystemResult<FileContents> {
    let mut attempts = 0;
    loop {
        attempts += 1;
        let found = sandbox.find(path)?;
        let metadata = described(&found.handle.metadata()?, found.through_link);
        if metadata.kind != FileKind::File {
            return Err(FileSystemError::NotAFile(metadata.kind));
        }
        match found.open(path) {
            Err(FileSystemError::Io { kind, .. }) if is_loop(kind) && attempts < ATTEMPTS => {}
            file => return head(file?, limit),
        }
    }
}

/// What a link gives that is opened as none; the standard library has no stable name for it.
fn is_loop(kind: std::io::ErrorKind) -> bool {
    kind == std::io::Error::from(rustix::io::Errno::LOOP).kind()
}

fn list(sandbox: &Sandbox, path: &Path) -> FileSystemResult<Vec<OsString>> {
    let found = sandbox.find(path)?;
    let directory = Dir::from_std_file(found.open(path)?);
    directory.entries()?.map(|entry| Ok(entry?.file_name())).collect()
}
