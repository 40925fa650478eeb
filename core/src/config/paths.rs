//! Paths in settings.

use std::path::{Path, PathBuf};

use super::layers::Layers;
use super::value::{Origin, Table, get, get_text, get_texts};
use crate::environment::without_dots;

/// The path at a path of keys.
pub(super) fn get_path(
    layers: &Layers,
    settings: &Table,
    path: &[&str],
    home: Option<&Path>,
) -> Option<(PathBuf, Origin)> {
    let origin = get(settings, path)?.origin;
    Some((absolute(layers, origin, home, get_text(settings, path)?), origin))
}

/// The list of paths at a path of keys.
pub(super) fn get_paths(
    layers: &Layers,
    settings: &Table,
    path: &[&str],
    home: Option<&Path>,
) -> Vec<PathBuf> {
    let written = get_texts(settings, path).unwrap_or_default();
    written.into_iter().map(|(text, origin)| absolute(layers, origin, home, text)).collect()
}

/// A path as it is meant where it stands: `~` is the home directory, a relative one starts at its layer's directory.
fn absolute(layers: &Layers, origin: Origin, home: Option<&Path>, text: &str) -> PathBuf {
    let path = below_home(text, home);
    without_dots(&path.unwrap_or_else(|| layers.layer(origin).base.join(text)))
}

/// The path that a text with `~` means; none where it has none, or nobody knows the home directory.
pub(super) fn below_home(text: &str, home: Option<&Path>) -> Option<PathBuf> {
    let rest = text.strip_prefix('~').filter(|rest| rest.is_empty() || rest.starts_with('/'))?;
    Some(home?.join(rest.trim_start_matches('/')))
}
