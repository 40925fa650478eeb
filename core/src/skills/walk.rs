//! Finds the `SKILL.md` files below many places at once, level by level.

use std::collections::HashSet;
use std::ffi::OsString;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

use futures_util::future::join_all;

use super::catalog::{SkillDiagnostic, SkillProblem, SkillRoot};
use super::sources::Place;
use crate::environment::{
    FileKey, FileKind, FileSystem, FileSystemError, FileSystemResult, Metadata, file_keys,
    metadata_of,
};

/// The name of a skill's file, in this case only.
const SKILL_FILE: &str = "SKILL.md";

/// Directories that may stand between a root and a skill's file, the skill's own included.
const MAX_DEPTH: usize = 6;

/// Entries that are looked at below one root.
const MAX_ENTRIES: usize = 10_000;

/// A skill's file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) root: usize,
    pub(super) path: PathBuf,
    pub(super) key: Option<FileKey>,
}

/// What a search saw.
#[derive(Debug, Default)]
pub(super) struct Walk {
    pub(super) roots: Vec<SkillRoot>,
    pub(super) found: Vec<Found>,
    pub(super) diagnostics: Vec<SkillDiagnostic>,
    /// Per root: entries looked at, and the directories that were entered.
    seen: Vec<(usize, HashSet<FileKey>)>,
}

/// A directory whose entries are to be read.
struct Directory {
    root: usize,
    path: PathBuf,
    depth: usize,
}

/// Searches below the places that exist: one round trip for them, then two for each level of directories, and one more
/// where the file system does not tell which file is which.
///
/// Directories are entered through links, files that are links are not taken; hidden names are passed over. Each
/// directory is entered once for each root.
pub(super) async fn walk(file_system: &dyn FileSystem, places: Vec<Place>) -> Walk {
    let mut walk = Walk::default();
    let mut level = walk.roots(file_system, places).await;
    while !level.is_empty() {
        let paths = level.iter().map(|directory| file_system.read_directory(&directory.path));
        let names = join_all(paths).await;
        let entries = walk.entries(level, names);
        let paths: Vec<PathBuf> = entries.iter().map(|entry| entry.path.clone()).collect();
        let metadata = metadata_of(file_system, &paths).await;
        let keys = file_keys(file_system, &paths, &metadata).await;
        level = entries
            .into_iter()
            .zip(metadata.into_iter().zip(keys))
            .filter_map(|(entry, (it, key))| walk.enter(entry, it, key))
            .collect();
    }
    walk
}

impl Walk {
    /// The roots that are there, with no link in their paths.
    async fn roots(&mut self, file_system: &dyn FileSystem, places: Vec<Place>) -> Vec<Directory> {
        let paths: Vec<PathBuf> = places.iter().map(|place| place.path.clone()).collect();
        let metadata = metadata_of(file_system, &paths).await;
        let mut there: Vec<(Place, Metadata)> = Vec::new();
        for (place, metadata) in places.into_iter().zip(metadata) {
            match metadata {
                Ok(metadata) if metadata.kind == FileKind::Directory => {
                    there.push((place, metadata));
                }
                Ok(_) => {}
                Err(error) => self.unreadable(place.path, error),
            }
        }
        let real =
            join_all(there.iter().map(|(place, _)| file_system.canonicalize(&place.path))).await;
        let mut level = Vec::new();
        for ((place, metadata), real) in there.into_iter().zip(real) {
            let path = real.unwrap_or(place.path);
            let key = match metadata.identity {
                Some(identity) => FileKey::Identity(identity),
                None => FileKey::RealPath(path.clone()),
            };
            level.push(Directory { root: self.roots.len(), path: path.clone(), depth: 0 });
            self.roots.push(SkillRoot { path, scope: place.scope, plugin: place.plugin });
            self.seen.push((0, HashSet::from([key])));
        }
        level
    }

    /// What stands in the directories of one level, in their order and by name in each; no more than the bound.
    fn entries(
        &mut self,
        level: Vec<Directory>,
        names: Vec<FileSystemResult<Vec<OsString>>>,
    ) -> Vec<Directory> {
        let mut entries = Vec::new();
        for (Directory { root, path, depth }, names) in level.into_iter().zip(names) {
            let mut names = match names {
                Ok(names) => names,
                Err(error) => {
                    self.unreadable(path, error);
                    continue;
                }
            };
            names.retain(|name| !name.as_bytes().starts_with(b"."));
            names.sort();
            let room = MAX_ENTRIES - self.seen[root].0;
            if names.len() > room {
                names.truncate(room);
                let problem = SkillProblem::TooManyEntries { limit: MAX_ENTRIES };
                self.diagnostics.push(SkillDiagnostic { path: path.clone(), problem });
            }
            self.seen[root].0 += names.len();
            entries.extend(names.into_iter().map(|name| Directory {
                root,
                path: path.join(name),
                depth: depth + 1,
            }));
        }
        entries
    }

    /// Takes a skill's file, or hands a directory back to be read.
    fn enter(
        &mut self,
        entry: Directory,
        metadata: FileSystemResult<Metadata>,
        key: Option<FileKey>,
    ) -> Option<Directory> {
        let is_skill_file = entry.path.file_name().is_some_and(|name| name == SKILL_FILE);
        let metadata = match metadata {
            Ok(metadata) => metadata,
            Err(FileSystemError::BrokenLink) if !is_skill_file => return None,
            Err(error) => {
                self.unreadable(entry.path, error);
                return None;
            }
        };
        match metadata.kind {
            FileKind::File if is_skill_file && metadata.through_link => {
                self.diagnostics
                    .push(SkillDiagnostic { path: entry.path, problem: SkillProblem::Linked });
                None
            }
            FileKind::File if is_skill_file => {
                let Directory { root, path, .. } = entry;
                self.found.push(Found { root, path, key });
                None
            }
            FileKind::Directory if entry.depth <= MAX_DEPTH => {
                let is_new = key.is_none_or(|it| self.seen[entry.root].1.insert(it));
                is_new.then_some(entry)
            }
            _ => None,
        }
    }

    fn unreadable(&mut self, path: PathBuf, error: FileSystemError) {
        if error != FileSystemError::NotFound {
            self.diagnostics
                .push(SkillDiagnostic { path, problem: SkillProblem::Unreadable(error) });
        }
    }
}
