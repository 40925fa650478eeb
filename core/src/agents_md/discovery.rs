//! Which files of a directory chain are looked at, in which order, and which of them takes its directory's slot.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use crate::config::AgentsMdConfig;
use crate::environment::{
    FileKind, FileSystem, FileSystemError, FileSystemResult, Metadata, ProjectRoot, metadata_of,
    project_root,
};

/// Tried first in every directory, the host's included.
pub(super) const OVERRIDE_NAME: &str = "AGENTS.override.md";

/// The name that gave the whole its own.
pub(super) const AGENTS_MD_NAME: &str = "AGENTS.md";

/// A place that was looked at and what stood there; also what a later look is compared with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Probe {
    pub(super) path: PathBuf,
    pub(super) found: FileSystemResult<Metadata>,
}

impl Probe {
    /// Whether the place holds a file that could be read.
    pub(super) fn is_regular_file(&self) -> bool {
        matches!(self.found, Ok(Metadata { kind: FileKind::File, .. }))
    }
}

/// One chain of directories with every candidate looked at.
#[derive(Debug)]
pub(super) struct Chain {
    pub(super) root: ProjectRoot,
    /// Root first; in each directory by precedence.
    pub(super) directories: Vec<Vec<Probe>>,
}

/// Finds the root and looks at every candidate from there down to `cwd`: two round trips.
pub(super) async fn discover(
    file_system: &dyn FileSystem,
    cwd: &Path,
    config: &AgentsMdConfig,
) -> FileSystemResult<Chain> {
    let root = project_root(file_system, cwd, &config.project_root_markers).await?;
    let names = candidate_names(config);
    let mut directories: Vec<&Path> =
        cwd.ancestors().take_while(|it| it.starts_with(&root.path)).collect();
    directories.reverse();
    let paths: Vec<PathBuf> = directories
        .iter()
        .flat_map(|directory| names.iter().map(|name| directory.join(name)))
        .collect();
    let probes = look(file_system, paths).await?;
    Ok(Chain { root, directories: probes.chunks(names.len()).map(<[Probe]>::to_vec).collect() })
}

/// Looks at many places at once; a policy that forbids one of them is an error.
pub(super) async fn look(
    file_system: &dyn FileSystem,
    paths: Vec<PathBuf>,
) -> FileSystemResult<Vec<Probe>> {
    let answers = metadata_of(file_system, &paths).await;
    paths
        .into_iter()
        .zip(answers)
        .map(|(path, found)| match found {
            Err(error @ FileSystemError::Denied { .. }) => Err(error),
            found => Ok(Probe { path, found }),
        })
        .collect()
}

/// The names that are tried in each directory, each once.
fn candidate_names(config: &AgentsMdConfig) -> Vec<&str> {
    let fallbacks = config.project_doc_fallback_filenames.iter().map(String::as_str);
    let mut seen = HashSet::new();
    [OVERRIDE_NAME, AGENTS_MD_NAME]
        .into_iter()
        .chain(fallbacks)
        .filter(|name| seen.insert(*name))
        .collect()
}
