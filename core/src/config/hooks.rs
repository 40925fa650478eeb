//! Hooks: commands that the person wants to be run at fixed points of a session.
//!
//! They stand as `[[hooks.EVENT]]` in any layer but a project's, and in `$CODEX_HOME/hooks.json`. Unlike other settings
//! those of all layers count together.

use std::path::PathBuf;

use super::error::ConfigError;
use super::hook_reader::{HookConfig, read_hooks};
use super::hooks_file::HooksFile;
use super::layers::{Layer, Layers};
use super::location::LayerSource;
use super::warning::{ConfigWarning, Warnings};

/// The files beside `config.toml` that hold nothing but hooks.
pub(super) struct HooksFiles {
    /// The person's, where it is there, or why it cannot be used.
    pub(super) person: Result<Option<HooksFile>, ConfigError>,
    /// Those of the project; nobody reads them.
    pub(super) project: Vec<PathBuf>,
}

/// The hooks that are run.
#[derive(Default)]
pub(super) struct Hooks {
    /// In the order in which what they say is told.
    pub(super) hooks: Vec<HookConfig>,
    /// The file of the person that counts.
    pub(super) file: Option<PathBuf>,
}

/// The hooks of all layers: the lowest layer first, and `hooks.json` before the person's `config.toml`.
pub(super) fn hooks(
    layers: &Layers,
    files: HooksFiles,
    warnings: &mut Warnings,
) -> Result<Hooks, ConfigError> {
    let is_system = |layer: &&Layer| matches!(layer.source, LayerSource::System { .. });
    let (below, above): (Vec<_>, Vec<_>) = layers.lowest_first().into_iter().partition(is_system);
    let mut found = Hooks::default();
    for layer in below {
        found.hooks.extend(read_hooks(layers, layer, warnings)?);
    }
    match files.person {
        Ok(Some(file)) => {
            found.hooks.extend(file.hooks);
            found.file = Some(file.path);
            warnings.append(file.warnings);
        }
        Ok(None) => {}
        Err(error) => warnings.push(|| ConfigWarning::HooksFileNotRead { error }),
    }
    for layer in above {
        found.hooks.extend(read_hooks(layers, layer, warnings)?);
    }
    for path in files.project {
        warnings.push(|| ConfigWarning::ProjectHooksNotRead { path });
    }
    Ok(found)
}

/// Checks the hooks of all layers where none is run; what is wrong stays wrong.
pub(super) fn check_hooks(layers: &Layers) -> Result<(), ConfigError> {
    for layer in layers.lowest_first() {
        read_hooks(layers, layer, &mut Warnings::default())?;
    }
    Ok(())
}
