//! From parsed layers to a configuration: no file is read here.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::agents_md::agents_md;
use super::check::check;
use super::config::{Config, LayerReport, LayerStanding};
use super::environments::environments;
use super::error::ConfigError;
use super::features::features;
use super::hooks::{Hooks, HooksFiles, check_hooks, hooks};
use super::instructions::{ConfiguredInstructions, InstructionsConfig, instructions};
use super::layers::Layers;
use super::location::{LayerSource, Location};
use super::mcp::mcp_servers;
use super::model::model;
use super::paths::get_path;
use super::permissions::{Sight, permissions};
use super::places::Places;
use super::project::IgnoredFile;
use super::skills::skills;
use super::trust::trust;
use super::unknown;
use super::value::{Table, get, get_text};
use super::warning::{ConfigWarning, Warnings};

/// What the layers are seen from.
pub(super) struct Surroundings<'a> {
    /// The places around the working directory.
    pub(super) places: &'a Places,
    /// What `~` stands for.
    pub(super) home: Option<&'a Path>,
    /// Files of the project that were not read.
    pub(super) ignored: Vec<IgnoredFile>,
    /// What stands in files of hooks.
    pub(super) hooks_files: HooksFiles,
}

/// A configuration, but for what other files say.
pub(super) struct Resolved {
    pub(super) config: Config,
    /// The file that holds the base instructions, and where it is named.
    pub(super) instructions_file: Option<(PathBuf, Location)>,
    /// The file that describes models, and where it is named.
    pub(super) catalog_file: Option<(PathBuf, Location)>,
    /// Roots whose `.git` may be a file that points elsewhere.
    pub(super) writable_roots: Vec<PathBuf>,
}

/// Makes a configuration of the layers; `own` is what the layers say that are no project's.
pub(super) fn resolve(
    layers: &Layers,
    own: &Table,
    surroundings: Surroundings<'_>,
    mut warnings: Warnings,
) -> Result<Resolved, ConfigError> {
    let Surroundings { places, home, ignored, hooks_files } = surroundings;
    let settings = layers.merged();
    check(layers, &settings)?;
    refuse_legacy_profile(layers, &settings)?;
    warn(layers, &ignored, &mut warnings);
    let trust = trust(layers, own, &settings, places, &mut warnings);
    let sight = Sight { layers, settings: &settings, cwd: &places.cwd, home };
    let (permissions, writable_roots) = permissions(&sight, trust.level, &mut warnings)
        .map_err(|mismatch| mismatch.into_error(layers))?;
    let named_file = |key| {
        get_path(layers, &settings, &[key], home)
            .map(|(path, origin)| (path, layers.locate(origin)))
    };
    let (instructions_file, catalog_file) =
        (named_file("model_instructions_file"), named_file("model_catalog_json"));
    let agents_md = agents_md(layers, &settings, &mut warnings);
    for layer in layers.lowest_first().into_iter().filter(|it| it.instead.is_none()) {
        unknown::find(layers, layer, &mut warnings);
    }
    let features = features(&settings);
    let Hooks { hooks, file } = wanted_hooks(layers, hooks_files, &features, &mut warnings)?;
    let config = Config {
        agents_md,
        environments: environments(&settings).map_err(|mismatch| mismatch.into_error(layers))?,
        mcp_servers: mcp_servers(layers, &settings)
            .map_err(|mismatch| mismatch.into_error(layers))?,
        model: model(&settings).map_err(|mismatch| mismatch.into_error(layers))?,
        instructions: InstructionsConfig {
            base_instructions: base_instructions(layers, &settings),
            ..instructions(&settings)
        },
        skills: skills(&settings),
        permissions,
        trust,
        features,
        hooks,
        layers: reports(layers, file, &ignored),
        warnings: warnings.into_sorted(),
    };
    Ok(Resolved { config, instructions_file, catalog_file, writable_roots })
}

/// The hooks; where the feature is off they must be right all the same.
fn wanted_hooks(
    layers: &Layers,
    files: HooksFiles,
    features: &BTreeMap<String, bool>,
    warnings: &mut Warnings,
) -> Result<Hooks, ConfigError> {
    if features.get("hooks") == Some(&false) {
        check_hooks(layers)?;
        return Ok(Hooks::default());
    }
    hooks(layers, files, warnings)
}

fn base_instructions(layers: &Layers, settings: &Table) -> Option<ConfiguredInstructions> {
    Some(ConfiguredInstructions {
        text: get_text(settings, &["instructions"])?.to_owned(),
        location: layers.locate(get(settings, &["instructions"])?.origin),
        file: None,
    })
}

fn refuse_legacy_profile(layers: &Layers, settings: &Table) -> Result<(), ConfigError> {
    let Some(profile) = get(settings, &["profile"]) else { return Ok(()) };
    let name = get_text(settings, &["profile"]).unwrap_or_default().to_owned();
    Err(ConfigError::LegacyProfile { location: layers.locate(profile.key_origin), name })
}

fn warn(layers: &Layers, ignored: &[IgnoredFile], warnings: &mut Warnings) {
    for layer in layers.lowest_first() {
        if let Some(instead) = &layer.instead {
            let location = Location::of(&layer.source, "", 0);
            let instead = instead.clone();
            warnings.push(|| ConfigWarning::QuotedOverride { location, instead });
        }
    }
    for IgnoredFile { path, trust, project } in ignored.iter().cloned() {
        warnings.push(|| ConfigWarning::ProjectConfigIgnored { path, trust, project });
    }
}

fn reports(
    layers: &Layers,
    hooks_file: Option<PathBuf>,
    ignored: &[IgnoredFile],
) -> Vec<LayerReport> {
    let sources = layers.lowest_first().into_iter().map(|layer| layer.source.clone());
    let sources = sources.chain(hooks_file.map(|path| LayerSource::User { path }));
    let used = sources.map(|source| LayerReport { source, standing: LayerStanding::Used });
    let ignored = ignored.iter().map(|file| LayerReport {
        source: LayerSource::Project { path: file.path.clone() },
        standing: LayerStanding::Ignored(file.trust),
    });
    let mut reports: Vec<LayerReport> = used.chain(ignored).collect();
    reports.sort_by_key(|report| (report.source.height(), report.source.project_depth()));
    reports
}
