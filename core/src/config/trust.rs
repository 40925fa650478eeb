//! Whether the person trusts the project that the working directory lies in.

use std::path::{Path, PathBuf};

use recto_protocol::TrustLevel;

use super::layers::Layers;
use super::location::Location;
use super::places::Places;
use super::value::{Origin, Table, Value, get_table};
use super::warning::{ConfigWarning, Warnings};
use crate::environment::without_dots;

/// What the person decided about the working directory's project, and where.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TrustDecision {
    /// The decision; none where no entry of `projects` names a place that was asked, or the first one says nothing.
    pub level: Option<TrustLevel>,
    /// The path in `projects` that decided.
    pub key: Option<PathBuf>,
    /// Where that entry says so.
    pub location: Option<Location>,
    /// The paths that were looked up, in this order: the working directory, then its git root, each first with all
    /// links resolved.
    pub asked: Vec<PathBuf>,
}

/// Finds what decides about AGENTS.md and the sandbox: the first place that has an entry, whatever it says.
///
/// A project's own file may distrust a directory below it. Where the person distrusts one, it cannot undo that.
pub(super) fn trust(
    layers: &Layers,
    own: &Table,
    settings: &Table,
    places: &Places,
    warnings: &mut Warnings,
) -> TrustDecision {
    let asked = places.asked_about_cwd();
    warn_about_unmatchable(layers, settings, warnings);
    if places.assumed_trust.is_some() {
        return TrustDecision { level: places.assumed_trust, asked, ..TrustDecision::default() };
    }
    let by_person = decide(layers, own, &asked);
    let by_all = decide(layers, settings, &asked);
    if by_person.level != Some(TrustLevel::Untrusted) {
        return by_all;
    }
    if by_all.level == Some(TrustLevel::Trusted)
        && let TrustDecision { key: Some(key), location: Some(location), .. } = by_all
    {
        warnings.push(|| ConfigWarning::ProjectRaisesTrust { location, key });
    }
    by_person
}

fn decide(layers: &Layers, settings: &Table, asked: &[PathBuf]) -> TrustDecision {
    let asked = asked.to_vec();
    let Some(entry) = asked.iter().find_map(|place| entry(settings, place)) else {
        return TrustDecision { asked, ..TrustDecision::default() };
    };
    TrustDecision {
        level: entry.level,
        key: Some(PathBuf::from(entry.key)),
        location: Some(layers.locate(entry.origin)),
        asked,
    }
}

fn warn_about_unmatchable(layers: &Layers, settings: &Table, warnings: &mut Warnings) {
    for (key, item) in get_table(settings, &["projects"]).into_iter().flatten() {
        let path = Path::new(key);
        let is_told = layers.layer(item.key_origin).instead.is_some();
        if is_told {
            continue;
        }
        if !path.is_absolute() || without_dots(path).as_os_str() != path.as_os_str() {
            warnings.push(|| ConfigWarning::UnmatchableProject {
                location: layers.locate(item.key_origin),
                key: key.clone(),
            });
        }
    }
}

/// What decides about a directory's `.codex/config.toml`: the first place with a level.
///
/// Asked are the directory itself, the project's root, then the git root. Unlike [`trust`] this passes over an entry
/// that says nothing; the reference does both.
pub(super) fn level_of_directory(
    settings: &Table,
    directory: &Path,
    places: &Places,
) -> (Option<TrustLevel>, PathBuf) {
    if places.assumed_trust.is_some() {
        return (places.assumed_trust, directory.to_owned());
    }
    let roots = [Some(places.project_root.as_path()), places.git_root.as_deref()];
    let asked = [Some(directory)].into_iter().chain(roots).flatten();
    let decided = asked.flat_map(|place| places.forms(place)).find_map(|place| {
        let level = entry(settings, &place)?.level?;
        Some((Some(level), place))
    });
    decided.unwrap_or_else(|| {
        let project = places.git_root.as_ref().unwrap_or(&places.project_root);
        (None, project.clone())
    })
}

/// An entry of `projects` that names a place.
struct Entry<'t> {
    key: &'t str,
    origin: Origin,
    level: Option<TrustLevel>,
}

/// The entry for a path. Keys are text, so a path that is no UTF-8 is looked up as it would be shown.
fn entry<'t>(settings: &'t Table, place: &Path) -> Option<Entry<'t>> {
    let projects = get_table(settings, &["projects"])?;
    let (key, item) = projects.get_key_value(&*place.to_string_lossy())?;
    let inner = match &item.value {
        Value::Table(table) => table.get("trust_level"),
        _ => None,
    };
    let level = inner.and_then(|it| match &it.value {
        Value::Text(word) => level(word),
        _ => None,
    });
    Some(Entry { key, origin: inner.unwrap_or(item).origin, level })
}

fn level(word: &str) -> Option<TrustLevel> {
    match word {
        "trusted" => Some(TrustLevel::Trusted),
        "untrusted" => Some(TrustLevel::Untrusted),
        _ => None,
    }
}
