//! All skills that a session knows, and what kept others out.

use std::collections::HashSet;
use std::fmt;
use std::path::{Path, PathBuf};

use super::front_matter::{FrontMatter, FrontMatterError, front_matter};
use super::sources::SkillSources;
use super::walk::{Found, walk};
use crate::environment::{FileContents, FileRead, FileSystem, FileSystemError, FileSystemResult};

/// Bytes of a file in which its front matter must end.
const HEAD_BYTES: u64 = 64 * 1024;

/// Who a skill belongs to; also the order in which skills are told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SkillScope {
    /// It came with the program.
    System,
    /// The project.
    Repo,
    /// The person.
    User,
}

/// A directory in which skills were looked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkillRoot {
    /// Its path, with no link in it.
    pub path: PathBuf,
    /// Who it belongs to.
    pub scope: SkillScope,
}

/// One skill.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skill {
    /// The name by which it is mentioned; several may share one.
    pub name: String,
    /// What it is for, on one line.
    pub description: String,
    /// Its `SKILL.md`.
    pub path: PathBuf,
    /// Which of [`SkillCatalog::roots`] it was found below.
    pub root: usize,
    /// Who it belongs to.
    pub scope: SkillScope,
}

/// All skills of one moment.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SkillCatalog {
    /// The directories that exist, in the order of the search.
    pub roots: Vec<SkillRoot>,
    /// The system's, the project's and the person's, by name in each.
    pub skills: Vec<Skill>,
    /// What could not be used, sorted by path.
    pub diagnostics: Vec<SkillDiagnostic>,
}

/// A place that gave no skill though one was expected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkillDiagnostic {
    /// The file or directory.
    pub path: PathBuf,
    /// Why.
    pub problem: SkillProblem,
}

impl fmt::Display for SkillDiagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path.display(), self.problem)
    }
}

/// Why a place gave no skill.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SkillProblem {
    /// Its head does not describe a skill.
    #[error("{0}")]
    FrontMatter(#[from] FrontMatterError),
    /// It cannot be read.
    #[error("{0}")]
    Unreadable(FileSystemError),
    /// The file is a link; directories may be.
    #[error("it is a symbolic link; link the skill's directory instead")]
    Linked,
    /// So much lies below a root that the rest was not looked at.
    #[error("more than {limit} entries below this root; the rest was not looked at")]
    TooManyEntries {
        /// Entries that were looked at.
        limit: usize,
    },
    /// A mentioned file is longer than a body may be.
    #[error("it has {length} bytes, a skill may have {limit}")]
    LongBody {
        /// Its bytes.
        length: u64,
        /// Bytes that are allowed.
        limit: u64,
    },
    /// A mentioned file is not text.
    #[error("it is not valid UTF-8")]
    BodyNotUtf8,
}

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
    let heads = file_system.read_files(&reads).await;
    let mut catalog = SkillCatalog { roots: seen.roots, skills: Vec::new(), diagnostics };
    for (found, head) in found.into_iter().zip(heads) {
        match described(head) {
            Ok(FrontMatter { name, description }) => {
                let name = name.unwrap_or_else(|| directory_name(&found.path));
                let Found { root, path, .. } = found;
                let scope = catalog.roots[root].scope;
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
    found.retain(|it| it.identity.is_none_or(|identity| seen.insert(identity)));
    found
}

fn described(head: FileSystemResult<FileContents>) -> Result<FrontMatter, SkillProblem> {
    let head = head.map_err(SkillProblem::Unreadable)?;
    Ok(front_matter(&head.bytes, HEAD_BYTES)?)
}

fn directory_name(path: &Path) -> String {
    let name = path.parent().and_then(Path::file_name).unwrap_or_default();
    name.to_string_lossy().into_owned()
}
