//! Reads the files that a configuration is made of, in as few round trips as there are dependences between them.

use std::path::{Path, PathBuf};

use futures_util::future::{join, join3};
use recto_protocol::TrustLevel;

use super::agents_md::project_root_markers;
use super::check::check;
use super::config::Config;
use super::error::{CatalogProblem, ConfigError, InstructionsProblem, ModelCatalogError};
use super::hooks::HooksFiles;
use super::hooks_file::{HooksFile, hooks_file};
use super::instructions::ConfiguredInstructions;
use super::keys::project_may_set;
use super::layers::Layers;
use super::location::{LayerSource, Location};
use super::model_catalog::{CatalogModel, LARGEST_CATALOG, read_catalog};
use super::places::Places;
use super::project::{IgnoredFiles, read_project_files};
use super::read::{LARGEST_FILE, config_read, read_of};
use super::resolve::{Resolved, Surroundings, resolve};
use super::value::Table;
use super::warning::{ConfigWarning, Warnings};
use crate::environment::{
    FileContents, FileRead, FileSystem, FileSystemError, FileSystemResult, contents_of, git_root,
    metadata_of, without_dots,
};

/// Bytes of a `.git` file that are read; git writes one line.
const GIT_FILE_BYTES: u64 = 8 * 1024;

/// Where a configuration comes from.
#[derive(Debug, Clone, Copy)]
pub struct ConfigSources<'a> {
    /// The files.
    pub file_system: &'a dyn FileSystem,
    /// The directory of the person's own `config.toml`; absolute, without `.` and `..`.
    pub codex_home: &'a Path,
    /// The machine's file; `/etc/codex/config.toml` for Codex.
    pub system_config: Option<&'a Path>,
    /// What `~` stands for in paths.
    pub home: Option<&'a Path>,
    /// The working directory; absolute, without `.` and `..`. Links in it are kept.
    pub cwd: &'a Path,
    /// What stands behind each `-c`: `key=value`.
    pub overrides: &'a [String],
    /// Takes the person to have decided so about the project, whatever stands in the files: for a preview.
    pub assumed_trust: Option<TrustLevel>,
}

/// Reads the configuration for a working directory.
///
/// From the lowest layer to the highest: the machine's file, the person's, the project's from its root down to the
/// working directory, then each `-c`. A project's file is read only where the person trusts its directory.
pub async fn load(sources: &ConfigSources<'_>) -> Result<Config, ConfigError> {
    let ConfigSources { file_system, codex_home, cwd, home, .. } = *sources;
    let mut layers = Layers::default();
    let (person_hooks, git_root) =
        join(push_own_files(sources, &mut layers), git_root(file_system, cwd)).await;
    let person_hooks = person_hooks?;
    for argument in sources.overrides {
        layers.push_override(argument, cwd)?;
    }
    let own = layers.merged();
    let mut places = Places::find(file_system, cwd, &project_root_markers(&own), git_root).await?;
    places.assumed_trust = sources.assumed_trust;
    let IgnoredFiles { files: ignored, hooks: project_hooks } =
        read_project_files(file_system, codex_home, &places, &own, &mut layers).await?;
    let warnings = restrict_projects(&mut layers)?;
    let hooks_files = HooksFiles { person: person_hooks, project: project_hooks };
    let surroundings = Surroundings { places: &places, home, ignored, hooks_files };
    let resolved = resolve(&layers, &own, surroundings, warnings)?;
    complete(file_system, resolved).await
}

/// Adds the files of the machine and the person; gives what the person's `hooks.json` holds, or its fault.
async fn push_own_files(
    sources: &ConfigSources<'_>,
    layers: &mut Layers,
) -> Result<Result<Option<HooksFile>, ConfigError>, ConfigError> {
    let system = sources.system_config.map(|path| LayerSource::System { path: path.to_owned() });
    let user = LayerSource::User { path: sources.codex_home.join("config.toml") };
    let files: Vec<LayerSource> = system.into_iter().chain([user]).collect();
    let hooks_path = sources.codex_home.join("hooks.json");
    let paths = files.iter().filter_map(LayerSource::path).chain([hooks_path.as_path()]);
    let reads: Vec<FileRead> = paths.map(config_read).collect();
    let mut contents = contents_of(sources.file_system, &reads).await;
    let hooks_contents = contents.pop().unwrap_or(Err(FileSystemError::NotFound));
    for ((source, FileRead { path, .. }), contents) in files.into_iter().zip(&reads).zip(contents) {
        if let Some(bytes) = read_of(path, contents)? {
            layers.push_file(source, path.parent().unwrap_or(path), &bytes)?;
        }
    }
    Ok(hooks_file(hooks_path, hooks_contents))
}

/// Takes out what projects may not set, with a warning for each key; it must have its type all the same.
fn restrict_projects(layers: &mut Layers) -> Result<Warnings, ConfigError> {
    let mut warnings = Warnings::default();
    for (key, item) in layers.strip_projects(project_may_set) {
        let location = || layers.locate(item.key_origin);
        warnings
            .push(|| ConfigWarning::ProjectMayNotSet { location: location(), key: key.clone() });
        check(layers, &Table::from([(key, item)]))?;
    }
    Ok(warnings)
}

/// Adds what stands in files that the configuration names.
async fn complete(file_system: &dyn FileSystem, resolved: Resolved) -> Result<Config, ConfigError> {
    let Resolved { mut config, instructions_file, catalog_file, writable_roots } = resolved;
    let (instructions, catalog, git_directories) = join3(
        read_instructions(file_system, instructions_file),
        read_model_catalog(file_system, catalog_file),
        git_directories(file_system, &writable_roots),
    )
    .await;
    if let Some(instructions) = instructions? {
        config.instructions.base_instructions = Some(instructions);
    }
    config.model.catalog = catalog?;
    config.permissions.protect(git_directories.into_iter());
    Ok(config)
}

async fn read_instructions(
    file_system: &dyn FileSystem,
    file: Option<(PathBuf, Location)>,
) -> Result<Option<ConfiguredInstructions>, ConfigError> {
    let Some((path, location)) = file else { return Ok(None) };
    let contents = file_system.read_file(&path, LARGEST_FILE + 1).await;
    match instructions_text(contents) {
        Ok(text) => Ok(Some(ConfiguredInstructions { text, location, file: Some(path) })),
        Err(problem) => Err(ConfigError::InstructionsFile { location, path, problem }),
    }
}

fn instructions_text(
    contents: FileSystemResult<FileContents>,
) -> Result<String, InstructionsProblem> {
    let FileContents { bytes, len } = contents.map_err(InstructionsProblem::Unreadable)?;
    if len > LARGEST_FILE {
        return Err(InstructionsProblem::TooLarge { len, limit: LARGEST_FILE });
    }
    let text = str::from_utf8(&bytes).map_err(|_| InstructionsProblem::NotUtf8)?.trim();
    if text.is_empty() { Err(InstructionsProblem::Empty) } else { Ok(text.to_owned()) }
}

async fn read_model_catalog(
    file_system: &dyn FileSystem,
    file: Option<(PathBuf, Location)>,
) -> Result<Vec<CatalogModel>, ConfigError> {
    let Some((path, location)) = file else { return Ok(Vec::new()) };
    let contents = file_system.read_file(&path, LARGEST_CATALOG + 1).await;
    let problem = match contents {
        Ok(FileContents { len, .. }) if len > LARGEST_CATALOG => {
            CatalogProblem::TooLarge { len, limit: LARGEST_CATALOG }
        }
        Ok(FileContents { bytes, .. }) => match read_catalog(&bytes) {
            Ok(models) => return Ok(models),
            Err(error) => CatalogProblem::Shape(error.to_string()),
        },
        Err(error) => CatalogProblem::Unreadable(error),
    };
    Err(ConfigError::ModelCatalog(Box::new(ModelCatalogError { location, path, problem })))
}

/// The git directories that `.git` files of these roots point to, as far as they exist.
async fn git_directories(file_system: &dyn FileSystem, roots: &[PathBuf]) -> Vec<PathBuf> {
    if roots.is_empty() {
        return Vec::new();
    }
    let reads: Vec<FileRead> = roots
        .iter()
        .map(|root| FileRead { path: root.join(".git"), limit: GIT_FILE_BYTES })
        .collect();
    let contents = contents_of(file_system, &reads).await;
    let targets: Vec<PathBuf> = roots
        .iter()
        .zip(contents)
        .filter_map(|(root, contents)| Some(root.join(git_directory(&contents.ok()?.bytes)?)))
        .map(|target| without_dots(&target))
        .collect();
    let found = metadata_of(file_system, &targets).await;
    targets.into_iter().zip(found).filter(|(_, it)| it.is_ok()).map(|(target, _)| target).collect()
}

fn git_directory(bytes: &[u8]) -> Option<&str> {
    let line = str::from_utf8(bytes).ok()?.trim();
    line.strip_prefix("gitdir:").map(str::trim).filter(|path| !path.is_empty())
}
