//! Walks up a directory tree: the root that bounds AGENTS.md, and the git root that trust is given to.

use std::path::{Path, PathBuf};

use super::{FileKind, FileRead, FileSystem, FileSystemError, FileSystemResult, Metadata};

/// Where a walk up from a directory ended, and what ended it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProjectRoot {
    /// The root; the starting directory itself where no marker was found.
    pub path: PathBuf,
    /// The entry that made it the root.
    pub marker: Option<RootMarker>,
    /// Places that could not be looked at, nearest first; no marker was assumed there.
    pub unreadable: Vec<(PathBuf, FileSystemError)>,
}

/// The entry that ends a walk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RootMarker {
    /// Its name, as configured.
    pub name: String,
    /// What it is.
    pub kind: FileKind,
}

/// Finds the nearest directory, from `cwd` up, that has an entry of one of these names.
///
/// All places are asked at once, so that the walk takes one round trip. A link that leads nowhere is no marker. A
/// policy that forbids a look is an error.
pub async fn project_root(
    file_system: &dyn FileSystem,
    cwd: &Path,
    markers: &[String],
) -> FileSystemResult<ProjectRoot> {
    let mut root = ProjectRoot { path: cwd.to_owned(), marker: None, unreadable: Vec::new() };
    if markers.is_empty() {
        return Ok(root);
    }
    let places: Vec<(&Path, &String)> = cwd
        .ancestors()
        .flat_map(|directory| markers.iter().map(move |marker| (directory, marker)))
        .collect();
    let paths: Vec<PathBuf> =
        places.iter().map(|(directory, marker)| directory.join(marker)).collect();
    let answers = file_system.get_metadata_all(&paths).await;
    for (((directory, marker), path), answer) in places.into_iter().zip(paths).zip(answers) {
        match answer {
            Ok(Metadata { kind, .. }) => {
                root.path = directory.to_owned();
                root.marker = Some(RootMarker { name: marker.clone(), kind });
                break;
            }
            Err(error @ FileSystemError::Denied { .. }) => return Err(error),
            Err(error) if error.is_absence() => {}
            Err(error) => root.unreadable.push((path, error)),
        }
    }
    Ok(root)
}

/// A git checkout as far as trust goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GitRoot {
    /// The checkout that holds the directory.
    pub checkout: PathBuf,
    /// The main checkout, to which trust is given; the same path unless this is a linked worktree.
    pub main: PathBuf,
}

/// Bytes of a `.git` file that are read; git writes one short line.
const GIT_FILE_BYTES: u64 = 8 * 1024;

/// Finds the git checkout that a directory lies in: a `.git` directory with a `HEAD`, or a `.git` file.
///
/// Whatever cannot be read is taken as absent: the caller then grants less, never more.
pub async fn git_root(file_system: &dyn FileSystem, cwd: &Path) -> Option<GitRoot> {
    let directories: Vec<&Path> = cwd.ancestors().collect();
    let paths: Vec<PathBuf> =
        directories.iter().flat_map(|it| [it.join(".git"), it.join(".git/HEAD")]).collect();
    let answers = file_system.get_metadata_all(&paths).await;
    for (directory, answers) in directories.into_iter().zip(answers.chunks_exact(2)) {
        match (&answers[0], &answers[1]) {
            (Ok(Metadata { kind: FileKind::Directory, .. }), Ok(_)) => {
                return Some(GitRoot {
                    checkout: directory.to_owned(),
                    main: directory.to_owned(),
                });
            }
            (Ok(Metadata { kind: FileKind::File, .. }), _) => {
                let main = main_checkout(file_system, directory).await;
                return Some(GitRoot {
                    checkout: directory.to_owned(),
                    main: main.unwrap_or_else(|| directory.into()),
                });
            }
            _ => {}
        }
    }
    None
}

/// The main checkout of a linked worktree, by its `.git` file: `gitdir: MAIN/.git/worktrees/NAME`.
async fn main_checkout(file_system: &dyn FileSystem, checkout: &Path) -> Option<PathBuf> {
    let read = FileRead { path: checkout.join(".git"), limit: GIT_FILE_BYTES };
    let contents = file_system.read_files(&[read]).await.pop()?.ok()?;
    let git_directory = checkout.join(path_after_gitdir(&contents.bytes)?);
    let worktrees = git_directory.parent()?;
    if worktrees.file_name()? != "worktrees" {
        return None;
    }
    let common = worktrees.parent()?;
    (common.file_name()? == ".git").then(|| common.parent().map(Path::to_owned))?
}

fn path_after_gitdir(bytes: &[u8]) -> Option<PathBuf> {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    let path = bytes.strip_prefix(b"gitdir:")?.trim_ascii();
    (!path.is_empty()).then(|| PathBuf::from(OsStr::from_bytes(path)))
}
