//! Walks up a directory tree: the root that bounds AGENTS.md, and the git root that trust is given to.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path, PathBuf};

use super::{FileKind, FileSystem, FileSystemError, FileSystemResult, Metadata, metadata_of};

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
    let answers = metadata_of(file_system, &paths).await;
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

/// Bytes that are read of the one-line files by which git ties worktrees together.
const GIT_FILE_BYTES: u64 = 8 * 1024;

/// Finds the directory that trust in a git checkout is given to.
///
/// From `cwd` up, the first `.git` decides. A directory with a `HEAD` makes its parent the root; one without is passed
/// over. A file must belong to a linked worktree that its main checkout knows: the root is then the main checkout. Any
/// other file (a submodule, a forged link) ends the search without a root, so that nobody borrows trust.
/// Whatever cannot be read is taken as absent: the caller then grants less, never more.
pub async fn git_root(file_system: &dyn FileSystem, cwd: &Path) -> Option<PathBuf> {
    let directories: Vec<&Path> = cwd.ancestors().collect();
    let paths: Vec<PathBuf> =
        directories.iter().flat_map(|it| [it.join(".git"), it.join(".git/HEAD")]).collect();
    let answers = metadata_of(file_system, &paths).await;
    for (directory, answers) in directories.into_iter().zip(answers.chunks_exact(2)) {
        match (&answers[0], &answers[1]) {
            (Ok(Metadata { kind: FileKind::Directory, .. }), Ok(_)) => {
                return Some(directory.to_owned());
            }
            (Ok(Metadata { kind: FileKind::File, .. }), _) => {
                return main_checkout(file_system, directory).await;
            }
            _ => {}
        }
    }
    None
}

/// The main checkout of a linked worktree: what the worktree's `.git` file points to must point back at it.
async fn main_checkout(file_system: &dyn FileSystem, checkout: &Path) -> Option<PathBuf> {
    let dot_git = checkout.join(".git");
    let line = read_line(file_system, &dot_git).await?;
    let target =
        Path::new(OsStr::from_bytes(line.as_bytes().strip_prefix(b"gitdir:")?.trim_ascii()));
    let git_directory = without_dots(&checkout.join(target));
    let worktrees = git_directory.parent()?;
    let common = worktrees.parent()?;
    if worktrees.file_name()? != "worktrees" || common.file_name()? != ".git" {
        return None;
    }
    let named_common = read_line(file_system, &git_directory.join("commondir")).await?;
    let named_checkout = read_line(file_system, &git_directory.join("gitdir")).await?;
    let points_back = without_dots(&git_directory.join(named_checkout)) == without_dots(&dot_git);
    let is_common = without_dots(&git_directory.join(named_common)) == common;
    (points_back && is_common).then(|| common.parent().map(Path::to_owned))?
}

/// The one line of a small file, trimmed.
async fn read_line(file_system: &dyn FileSystem, path: &Path) -> Option<OsString> {
    let contents = file_system.read_file(path, GIT_FILE_BYTES).await.ok()?;
    let line = contents.bytes.trim_ascii();
    (!line.is_empty()).then(|| OsStr::from_bytes(line).to_owned())
}

/// The path with `.` and `..` worked out as text.
pub fn without_dots(path: &Path) -> PathBuf {
    path.components().fold(PathBuf::new(), |mut clean, component| {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                clean.pop();
            }
            other => clean.push(other),
        }
        clean
    })
}
