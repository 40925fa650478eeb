//! Which skills a person asks for in what they typed.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::catalog::{Skill, SkillCatalog};

/// Variables that people write in prose and commands; a skill of such a name is only mentioned by its path.
///
/// Compared without case, as the reference does.
const VARIABLES: &[&str] = &[
    "HOME",
    "LANG",
    "PATH",
    "PWD",
    "SHELL",
    "TEMP",
    "TERM",
    "TMP",
    "TMPDIR",
    "USER",
    "XDG_CONFIG_HOME",
];

/// What texts mention.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SkillMentions<'a> {
    /// The skills, each once, in the order of the catalogue.
    pub skills: Vec<&'a Skill>,
    /// Names that several skills share; none of them was taken.
    pub ambiguous: Vec<AmbiguousMention>,
}

/// A name that several skills share.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AmbiguousMention {
    /// The name.
    pub name: String,
    /// Their files; a link `[$name](path)` says which is meant.
    pub paths: Vec<PathBuf>,
}

/// Finds the skills that are mentioned as `$name` or `[$label](path)`.
///
/// Give it the texts that a person typed for this turn and nothing else: not the history, no tool output, no message
/// of another agent. A name is the longest run of ASCII letters, digits, `_`, `:` and `-` behind the `$`. A path is
/// the whole path of the file, also behind `skill://`; a link's label does not count as a name.
pub fn mentioned_skills<'a, 't>(
    catalog: &'a SkillCatalog,
    texts: impl IntoIterator<Item = &'t str>,
) -> SkillMentions<'a> {
    let mut asked = Asked::default();
    texts.into_iter().for_each(|text| asked.scan(text));
    let mut by_name: BTreeMap<&str, Vec<&Skill>> = BTreeMap::new();
    for skill in &catalog.skills {
        by_name.entry(&skill.name).or_default().push(skill);
    }
    let shares_name = |name: &str| by_name.get(name).is_some_and(|it| it.len() > 1);
    let is_asked = |skill: &&Skill| {
        let by_path = asked.paths.iter().any(|path| skill.path == *path);
        by_path || (asked.names.contains(&*skill.name) && !shares_name(&skill.name))
    };
    let ambiguous = |name: &&str| AmbiguousMention {
        name: (*name).to_owned(),
        paths: by_name[*name].iter().map(|skill| skill.path.clone()).collect(),
    };
    SkillMentions {
        skills: catalog.skills.iter().filter(is_asked).collect(),
        ambiguous: asked.names.iter().filter(|name| shares_name(name)).map(ambiguous).collect(),
    }
}

/// Names and paths in texts.
#[derive(Debug, Default)]
struct Asked<'t> {
    names: BTreeSet<&'t str>,
    paths: Vec<&'t Path>,
}

impl<'t> Asked<'t> {
    fn scan(&mut self, text: &'t str) {
        let mut rest = text;
        while let Some(at) = rest.find('$') {
            let is_label = rest[..at].ends_with('[');
            rest = &rest[at + 1..];
            let (name, behind) =
                rest.split_at(rest.find(|it| !is_in_name(it)).unwrap_or(rest.len()));
            rest = behind;
            if name.is_empty() {
                continue;
            }
            if let Some((path, behind)) = is_label.then(|| link_target(behind)).flatten() {
                self.paths.push(Path::new(path.strip_prefix("skill://").unwrap_or(path)));
                rest = behind;
            } else if !VARIABLES.iter().any(|it| it.eq_ignore_ascii_case(name)) {
                self.names.insert(name);
            }
        }
    }
}

/// Whether a character may stand in the name of a mention.
pub(crate) fn is_in_name(character: char) -> bool {
    character.is_ascii_alphanumeric() || matches!(character, '_' | ':' | '-')
}

/// The path in `](path)`, blanks between the brackets allowed, and what follows it.
pub(crate) fn link_target(text: &str) -> Option<(&str, &str)> {
    let target = text.strip_prefix(']')?.trim_start().strip_prefix('(')?;
    let (path, rest) = target.split_once(')')?;
    Some((path.trim(), rest))
}
