//! The person's `hooks.json`.

use std::path::PathBuf;

use super::check::check;
use super::error::ConfigError;
use super::hook_reader::{HookConfig, read_hooks};
use super::layers::Layers;
use super::location::LayerSource;
use super::mismatch::Mismatch;
use super::names::dotted;
use super::read::read_of;
use super::unknown;
use super::warning::Warnings;
use crate::environment::{FileContents, FileSystemResult};

/// A file that holds what the table `hooks` would, and a description that nobody reads.
#[derive(Debug)]
pub(super) struct HooksFile {
    pub(super) path: PathBuf,
    pub(super) hooks: Vec<HookConfig>,
    pub(super) warnings: Warnings,
}

/// Reads the file; none where it is not there.
///
/// As in the reference one wrong value is the fault of the whole file.
pub(super) fn hooks_file(
    path: PathBuf,
    contents: FileSystemResult<FileContents>,
) -> Result<Option<HooksFile>, ConfigError> {
    let Some(bytes) = read_of(&path, contents)? else { return Ok(None) };
    let mut layers = Layers::default();
    let base = path.parent().unwrap_or(&path).to_owned();
    layers.push_json(LayerSource::User { path: path.clone() }, &base, &bytes)?;
    let mut table = layers.merged();
    table.remove("description");
    if let Some((key, item)) = table.iter().find(|(key, _)| *key != "hooks") {
        let expected = "`description` and `hooks` alone".to_owned();
        return Err(Mismatch::new(dotted(&[key]), item, expected).into_error(&layers));
    }
    check(&layers, &table)?;
    let mut warnings = Warnings::default();
    let mut hooks = Vec::new();
    for layer in layers.lowest_first() {
        hooks.extend(read_hooks(&layers, layer, &mut warnings)?);
    }
    unknown::find_in(&layers, &table, &mut warnings);
    Ok(Some(HooksFile { path, hooks, warnings }))
}
