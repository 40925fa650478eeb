//! Whether two paths are one file.

use std::path::PathBuf;

use futures_util::future::join_all;

use super::{FileIdentity, FileSystem, FileSystemResult, Metadata};

/// Equal keys of one file system are one file.
///
/// Where the file system does not tell which file it is, the path without links stands for it: then two names of a
/// hard link are two files.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum FileKey {
    /// The file itself.
    Identity(FileIdentity),
    /// Its path without links.
    RealPath(PathBuf),
}

/// The keys of what was found at some paths; none for what is not there.
///
/// Takes one more round trip where the file system tells no identities, and none elsewhere.
pub async fn file_keys(
    file_system: &dyn FileSystem,
    paths: &[PathBuf],
    found: &[FileSystemResult<Metadata>],
) -> Vec<Option<FileKey>> {
    let keys = paths.iter().zip(found).map(|(path, found)| async move {
        match found.as_ref().ok()?.identity {
            Some(identity) => Some(FileKey::Identity(identity)),
            None => file_system.canonicalize(path).await.ok().map(FileKey::RealPath),
        }
    });
    join_all(keys).await
}
