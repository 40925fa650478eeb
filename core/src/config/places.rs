//! The places around a working directory.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use futures_util::future::{join, join_all};
use recto_protocol::TrustLevel;

use super::error::ConfigError;
use crate::environment::{FileSystem, Metadata, metadata_of, project_root};

/// The places around a working directory.
#[derive(Debug, Default)]
pub(super) struct Places {
    /// The working directory.
    pub(super) cwd: PathBuf,
    /// The directory that bounds the project's own files.
    pub(super) project_root: PathBuf,
    /// The directory that trust in a git checkout is given to.
    pub(super) git_root: Option<PathBuf>,
    /// Paths with their links resolved, where that changes them.
    resolved: BTreeMap<PathBuf, PathBuf>,
    /// What a preview takes the person's decision about them to be.
    pub(super) assumed_trust: Option<TrustLevel>,
}

impl Places {
    /// Looks for the project's root by markers that no project chose.
    pub(super) async fn find(
        file_system: &dyn FileSystem,
        cwd: &Path,
        markers: &[String],
        git_root: Option<PathBuf>,
    ) -> Result<Self, ConfigError> {
        let mut asked: Vec<PathBuf> = cwd.ancestors().map(Path::to_owned).collect();
        asked.extend(git_root.iter().flat_map(|root| root.ancestors()).map(Path::to_owned));
        asked.sort();
        asked.dedup();
        let (root, resolved) =
            join(project_root(file_system, cwd, markers), resolved(file_system, asked)).await;
        let project_root = root.map_err(ConfigError::ProjectRoot)?.path;
        Ok(Self { cwd: cwd.to_owned(), project_root, git_root, resolved, assumed_trust: None })
    }

    /// The ways to name a path: with all links resolved, then as it was given.
    pub(super) fn forms(&self, path: &Path) -> impl Iterator<Item = PathBuf> {
        self.resolved.get(path).cloned().into_iter().chain([path.to_owned()])
    }

    /// The paths that decide about the working directory, in order.
    pub(super) fn asked_about_cwd(&self) -> Vec<PathBuf> {
        let places = [Some(self.cwd.as_path()), self.git_root.as_deref()];
        let mut asked = Vec::new();
        for form in places.into_iter().flatten().flat_map(|place| self.forms(place)) {
            if !asked.contains(&form) {
                asked.push(form);
            }
        }
        asked
    }

    /// The directories that may hold a file of the project, the root first; `$CODEX_HOME` is none of them.
    pub(super) fn directories(&self, codex_home: &Path) -> Vec<PathBuf> {
        let within = |directory: &&Path| directory.starts_with(&self.project_root);
        let mut directories: Vec<PathBuf> = self
            .cwd
            .ancestors()
            .take_while(within)
            .filter(|directory| {
                !self.forms(directory).any(|form| form.join(".codex") == codex_home)
            })
            .map(Path::to_owned)
            .collect();
        directories.reverse();
        directories
    }
}

/// The real paths of those places that are there and have another; every place stands behind its parent.
///
/// To resolve each path on its own costs the cube of the depth, so it is done for links alone: what is no link itself
/// lies where its parent is.
async fn resolved(
    file_system: &dyn FileSystem,
    places: Vec<PathBuf>,
) -> BTreeMap<PathBuf, PathBuf> {
    let found = metadata_of(file_system, &places).await;
    let real = join_all(places.iter().zip(&found).map(|(path, found)| async move {
        let is_link = matches!(found, Ok(Metadata { through_link: true, .. }));
        if is_link { file_system.canonicalize(path).await.ok() } else { None }
    }))
    .await;
    let mut resolved: BTreeMap<PathBuf, PathBuf> = BTreeMap::new();
    for ((path, found), real) in places.into_iter().zip(found).zip(real) {
        let below_parent = || {
            let parent = resolved.get(path.parent()?)?;
            found.ok().map(|_| parent.join(path.file_name().unwrap_or_default()))
        };
        if let Some(real) = real.or_else(below_parent).filter(|real| *real != path) {
            resolved.insert(path, real);
        }
    }
    resolved
}
