//! How AGENTS.md files are looked for.

use std::collections::BTreeSet;

use super::layers::Layers;
use super::value::{Table, get_natural, get_texts};
use super::warning::{ConfigWarning, Warnings};

/// How AGENTS.md files are looked for and how much of them is read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentsMdConfig {
    /// Bytes that all project docs of one environment may have together; 0 turns project docs off.
    pub project_doc_max_bytes: u64,
    /// Names tried after `AGENTS.override.md` and `AGENTS.md`; no blanks, no repeats, no path separators.
    pub project_doc_fallback_filenames: Vec<String>,
    /// Names that make a directory the root; empty means that only the working directory counts.
    pub project_root_markers: Vec<String>,
}

impl Default for AgentsMdConfig {
    fn default() -> Self {
        Self {
            project_doc_max_bytes: 32 * 1024,
            project_doc_fallback_filenames: Vec::new(),
            project_root_markers: vec![".git".to_owned()],
        }
    }
}

/// Reads what is said about AGENTS.md.
pub(super) fn agents_md(
    layers: &Layers,
    settings: &Table,
    warnings: &mut Warnings,
) -> AgentsMdConfig {
    let default = AgentsMdConfig::default();
    AgentsMdConfig {
        project_doc_max_bytes: get_natural(settings, &["project_doc_max_bytes"])
            .unwrap_or(default.project_doc_max_bytes),
        project_doc_fallback_filenames: fallback_filenames(layers, settings, warnings),
        project_root_markers: project_root_markers(settings),
    }
}

/// The markers of a table of settings.
pub(super) fn project_root_markers(settings: &Table) -> Vec<String> {
    match get_texts(settings, &["project_root_markers"]) {
        Some(markers) => markers.into_iter().map(|(marker, _)| marker.to_owned()).collect(),
        None => AgentsMdConfig::default().project_root_markers,
    }
}

/// The names that are tried.
fn fallback_filenames(layers: &Layers, settings: &Table, warnings: &mut Warnings) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    let mut seen = BTreeSet::new();
    let written = get_texts(settings, &["project_doc_fallback_filenames"]).unwrap_or_default();
    for (name, origin) in written {
        let location = || layers.locate(origin);
        let name = name.trim().to_owned();
        if name.contains('/') {
            warnings.push(|| ConfigWarning::FallbackWithSeparator { location: location(), name });
        } else if seen.contains(&name) {
            warnings.push(|| ConfigWarning::RepeatedFallback { location: location(), name });
        } else if !name.is_empty() {
            seen.insert(name.clone());
            names.push(name);
        }
    }
    names
}
