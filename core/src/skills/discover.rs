//! Finds the skills of a session.

use std::collections::HashSet;
use std::path::Path;

use super::catalog::{Skill, SkillCatalog, SkillDiagnostic, SkillProblem, SkillRoot};
use super::front_matter::{FrontMatter, front_matter};
use super::sources::SkillSources;
use super::walk::{Found, walk};
use crate::environment::{FileContents, FileRead, FileSystem, FileSystemResult, contents_of};

/// Bytes of a file in which its front matter must end.
const HEAD_BYTES: u64 = 64 * 1024;

/// Finds all skills.
///
/// A file that is reached twice counts once, where it was reached first. What a sandbox policy forbids to read is a
/// diagnostic like any other: a session can do without a skill.
pub async fn discover_skills(
    file_system: &dyn FileSystem,
    sources: SkillSources<'_>,
) -> SkillCatalog {
    let mut diagnostics = Vec::new();
    let places = sources.places(file_system, &mut diagnostics).await;
    let seen = walk(file_system, places).await;
    diagnostics.extend(seen.diagnostics);
    let found = each_once(seen.found);
    let reads: Vec<FileRead> =
        found.iter().map(|it| FileRead { path: it.path.clone(), limit: HEAD_BYTES }).collect();
    let heads = contents_of(file_system, &reads).await;
    let mut catalog = SkillCatalog { roots: seen.roots, skills: Vec::new(), diagnostics };
    for (found, head) in found.into_iter().zip(heads) {
        match described(head) {
            Ok(FrontMatter { name, description }) => {
                let name = name.unwrap_or_else(|| directory_name(&found.path));
                let Found { root, path, .. } = found;
                let SkillRoot { scope, plugin, .. } = &catalog.roots[root];
                let (scope, name) = (*scope, prefixed(plugin.as_deref(), name));
                catalog.skills.push(Skill { name, description, path, root, scope });
            }
            Err(problem) => catalog.diagnostics.push(SkillDiagnostic { path: found.path, problem }),
        }
    }
    let place = |skill: &Skill| (skill.scope, skill.name.clone(), skill.root, skill.path.clone());
    catalog.skills.sort_by_cached_key(place);
    catalog.diagnostics.sort_by(|left, right| left.path.cmp(&right.path));
    catalog
}

/// Each file where the earliest root has it.
fn each_once(mut found: Vec<Found>) -> Vec<Found> {
    found.sort_by_key(|it| it.root);
    let mut seen = HashSet::new();
    found.retain(|it| it.key.clone().is_none_or(|key| seen.insert(key)));
    found
}

fn described(head: FileSystemResult<FileContents>) -> Result<FrontMatter, SkillProblem> {
    let head = head.map_err(SkillProblem::Unreadable)?;
    Ok(front_matter(&head.bytes, HEAD_BYTES)?)
}

/// A plugin's skills go by its name and theirs.
fn prefixed(plugin: Option<&str>, name: String) -> String {
    match plugin {
        Some(plugin) => format!("{plugin}:{name}"),
        None => name,
    }
}

fn directory_name(path: &Path) -> String {
    let name = path.parent().and_then(Path::file_name).unwrap_or_default();
    name.to_string_lossy().into_owned()
}
