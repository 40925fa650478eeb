//! A project's own files, and which of them are read.

use std::path::{Path, PathBuf};

use futures_util::future::join;
use recto_protocol::TrustLevel;

use super::error::ConfigError;
use super::layers::Layers;
use super::location::LayerSource;
use super::places::Places;
use super::read::{config_read, read_of};
use super::trust::level_of_directory;
use super::value::Table;
use crate::environment::{
    FileKind, FileRead, FileSystem, FileSystemResult, Metadata, contents_of, metadata_of,
};

/// A file of the project that is there and is not read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct IgnoredFile {
    pub(super) path: PathBuf,
    pub(super) trust: Option<TrustLevel>,
    /// The place whose trust is missing.
    pub(super) project: PathBuf,
}

/// The files of the project that are there and are not read.
#[derive(Debug)]
pub(super) struct IgnoredFiles {
    /// Those of directories that are not trusted.
    pub(super) files: Vec<IgnoredFile>,
    /// Every `hooks.json`, trusted or not.
    pub(super) hooks: Vec<PathBuf>,
}

/// Reads the files of the directories that are trusted, the root's first, all in one batch.
///
/// Of the others, and of all that would bring hooks, nothing is read; it is only looked whether they are there.
pub(super) async fn read_project_files(
    file_system: &dyn FileSystem,
    codex_home: &Path,
    places: &Places,
    settings: &Table,
    layers: &mut Layers,
) -> Result<IgnoredFiles, ConfigError> {
    let mut reads = Vec::new();
    let mut others = Vec::new();
    let mut hooks = Vec::new();
    for directory in places.directories(codex_home) {
        hooks.push(directory.join(".codex/hooks.json"));
        let path = directory.join(".codex/config.toml");
        match level_of_directory(settings, &directory, places) {
            (Some(TrustLevel::Trusted), _) => reads.push(config_read(&path)),
            (trust, project) => others.push(IgnoredFile { path, trust, project }),
        }
    }
    let looked_at = others.iter().map(|file| &file.path).chain(&hooks).cloned();
    let looked_at: Vec<PathBuf> = looked_at.collect();
    let (contents, mut found) =
        join(contents_of(file_system, &reads), metadata_of(file_system, &looked_at)).await;
    for (FileRead { path, .. }, contents) in reads.into_iter().zip(contents) {
        if let Some(bytes) = read_of(&path, contents)? {
            let base = path.parent().unwrap_or(&path).to_owned();
            layers.push_file(LayerSource::Project { path }, &base, &bytes)?;
        }
    }
    let found_hooks = found.split_off(others.len());
    Ok(IgnoredFiles { files: there(others, found), hooks: there(hooks, found_hooks) })
}

/// Those that are files.
fn there<T>(asked: Vec<T>, found: Vec<FileSystemResult<Metadata>>) -> Vec<T> {
    let is_file = |found: &Metadata| found.kind == FileKind::File;
    let there = asked.into_iter().zip(found).filter(|(_, it)| it.as_ref().is_ok_and(is_file));
    there.map(|(asked, _)| asked).collect()
}
