//! What of the catalogue a model is told, within its budget, and what the person is told about the rest.

use std::path::PathBuf;

use recto_context_fragments::{TokenCount, approximate_tokens};

use super::catalog::{Skill, SkillCatalog};

/// Characters that one description may have.
const MAX_DESCRIPTION_CHARACTERS: usize = 1_024;

/// Stands at the end of a description that was longer.
const CUT: &str = "...";

/// The context window that is assumed where nobody said.
const ASSUMED_CONTEXT_WINDOW: u64 = 272_000;

/// Tokens of the table of roots that cost nothing; read off the running reference in fifteen layouts.
const FREE_ROOT_TOKENS: TokenCount = 36;

/// What the list of skills may cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SkillBudget(pub TokenCount);

impl SkillBudget {
    /// Two percent of a context window.
    pub fn for_context_window(context_window: Option<u64>) -> Self {
        let tokens = context_window.unwrap_or(ASSUMED_CONTEXT_WINDOW) / 50;
        Self(usize::try_from(tokens).unwrap_or(usize::MAX))
    }
}

/// The skills as a model is told them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SkillListing {
    /// Short names for the directories of the entries.
    pub roots: Vec<RootAlias>,
    /// The skills, in the order of the catalogue.
    pub entries: Vec<SkillEntry>,
    /// Skills whose description is told in part or not at all; for the person.
    pub clipped: Vec<ClippedSkill>,
    /// The files of skills that the model is not told of; for the person.
    pub left_out: Vec<PathBuf>,
}

/// A directory and its short name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RootAlias {
    /// `r0`.
    pub alias: String,
    /// The directory.
    pub path: String,
}

/// One skill in the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkillEntry {
    /// Its name.
    pub name: String,
    /// Its description as far as there was room.
    pub description: String,
    /// `r0/greet/SKILL.md`.
    pub file: String,
}

/// A description that was cut.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClippedSkill {
    /// The skill's file.
    pub path: PathBuf,
    /// Characters of its description that the model is told, the mark of a cut not counted.
    pub kept: usize,
    /// Characters of its description.
    pub length: usize,
}

impl RootAlias {
    /// Its line in the table.
    pub fn line(&self) -> String {
        format!("- `{}` = `{}`", self.alias, self.path)
    }
}

impl SkillEntry {
    /// Its line in the list.
    pub fn line(&self) -> String {
        let Self { name, description, file } = self;
        let gap = if description.is_empty() { "" } else { " " };
        format!("- {name}: {description}{gap}(file: {file})")
    }
}

impl SkillCatalog {
    /// Fits the catalogue into a budget.
    ///
    /// Where not everything fits, all descriptions grow together, a character each in turn, until the budget is
    /// spent. Where not even the names fit, no description is told and the last skills are left out.
    pub fn listing(&self, budget: SkillBudget) -> SkillListing {
        let mut entries: Vec<(SkillEntry, &Skill)> = Vec::new();
        let roots = self.root_aliases();
        for skill in &self.skills {
            let entry = SkillEntry {
                name: skill.name.clone(),
                description: bounded_description(&skill.description),
                file: self.short_file(skill, &roots),
            };
            entries.push((entry, skill));
        }
        let mut listing = SkillListing {
            roots: roots.into_iter().flatten().collect(),
            ..SkillListing::default()
        };
        let left = budget.0.saturating_sub(roots_cost(&listing.roots));
        fit(&mut entries, left);
        listing.left_out = keep_what_fits(&mut entries, left);
        listing.clipped =
            entries.iter().filter_map(|(entry, skill)| clipped(entry, skill)).collect();
        listing.entries = entries.into_iter().map(|(entry, _)| entry).collect();
        listing
    }

    /// A short name for each root below which skills were found.
    fn root_aliases(&self) -> Vec<Option<RootAlias>> {
        let mut count = 0;
        let roots = self.roots.iter().enumerate();
        roots
            .map(|(at, root)| {
                self.skills.iter().any(|skill| skill.root == at).then(|| {
                    count += 1;
                    RootAlias {
                        alias: format!("r{}", count - 1),
                        path: root.path.to_string_lossy().into_owned(),
                    }
                })
            })
            .collect()
    }

    fn short_file(&self, skill: &Skill, roots: &[Option<RootAlias>]) -> String {
        let path = skill.path.strip_prefix(&self.roots[skill.root].path).unwrap_or(&skill.path);
        let alias = roots[skill.root].as_ref().map_or("", |it| &it.alias);
        format!("{alias}/{}", path.to_string_lossy())
    }
}

fn clipped(entry: &SkillEntry, skill: &Skill) -> Option<ClippedSkill> {
    if entry.description == skill.description {
        return None;
    }
    let pairs = entry.description.chars().zip(skill.description.chars());
    let kept = pairs.take_while(|(told, whole)| told == whole).count();
    let length = skill.description.chars().count();
    Some(ClippedSkill { path: skill.path.clone(), kept, length })
}

fn bounded_description(description: &str) -> String {
    if description.chars().count() <= MAX_DESCRIPTION_CHARACTERS {
        return description.to_owned();
    }
    description.chars().take(MAX_DESCRIPTION_CHARACTERS - CUT.len()).chain(CUT.chars()).collect()
}

/// What the table of roots takes from the budget.
fn roots_cost(roots: &[RootAlias]) -> TokenCount {
    let bytes: usize = roots.iter().map(|root| root.line().len() + 1).sum();
    approximate_tokens(bytes + 2).saturating_sub(FREE_ROOT_TOKENS)
}

/// Tokens of a line of so many bytes, its line break included.
fn line_cost(bytes: usize) -> TokenCount {
    approximate_tokens(bytes + 1)
}

fn cost(entries: &[(SkillEntry, &Skill)]) -> TokenCount {
    entries.iter().map(|(entry, _)| line_cost(entry.line().len())).sum()
}

/// Cuts descriptions so that all entries fit; to nothing where even that is too long.
fn fit(entries: &mut [(SkillEntry, &Skill)], budget: TokenCount) {
    if cost(entries) <= budget {
        return;
    }
    let whole: Vec<String> =
        entries.iter_mut().map(|(entry, _)| std::mem::take(&mut entry.description)).collect();
    let Some(mut left) = budget.checked_sub(cost(entries)) else { return };
    let mut bytes: Vec<usize> = entries.iter().map(|(entry, _)| entry.line().len()).collect();
    let mut growing: Vec<(usize, std::str::Chars<'_>)> =
        whole.iter().map(|it| it.chars()).enumerate().collect();
    while !growing.is_empty() {
        growing.retain_mut(|(at, rest)| {
            let Some(character) = rest.next() else { return false };
            let (entry, _) = &mut entries[*at];
            let gap = usize::from(entry.description.is_empty());
            let longer = bytes[*at] + character.len_utf8() + gap;
            let price = line_cost(longer) - line_cost(bytes[*at]);
            if price > left {
                return false;
            }
            left -= price;
            bytes[*at] = longer;
            entry.description.push(character);
            true
        });
    }
}

/// Leaves out the last entries until the rest fits, and names them.
fn keep_what_fits(entries: &mut Vec<(SkillEntry, &Skill)>, budget: TokenCount) -> Vec<PathBuf> {
    let mut spent = 0;
    let fitting = entries.iter().take_while(|(entry, _)| {
        spent += line_cost(entry.line().len());
        spent <= budget
    });
    let fitting = fitting.count();
    entries.split_off(fitting).into_iter().map(|(_, skill)| skill.path.clone()).collect()
}
