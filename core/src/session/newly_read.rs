//! What a model reads after a change of the person's mind and does not read before it: what trust would let in.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use recto_context_fragments::{HiddenText, hidden_text};
use recto_protocol::{BaseInstructions, ContentItem, ContentKind, ResponseItem};

use super::step::StepContext;
use super::update::full_context;
use crate::agents_md::InstructionEntry;
use crate::context::{
    AvailableSkills, ContextFragment, FRAGMENTS, MarkerWithin, UserInstructions, markers_within,
};
use crate::environment::FileSystem;
use crate::skills::{Skill, load_skill_bodies};

/// What a model reads first.
#[derive(Debug, Clone, Copy)]
pub struct ReadBy<'a> {
    /// The step.
    pub step: &'a StepContext,
    /// The base instructions.
    pub base_instructions: &'a BaseInstructions,
}

/// A text that the model would newly read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewText {
    /// Where it comes from.
    pub source: NewSource,
    /// The text.
    pub text: String,
    /// Where its file really is, where that is outside the project's root.
    pub leaves_root: Option<PathBuf>,
    /// What people do not see in it.
    pub hidden: Vec<HiddenText>,
    /// Markers of the engine in it.
    pub markers: Vec<MarkerWithin>,
}

/// Where a text comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NewSource {
    /// A file of instructions.
    Instructions(PathBuf),
    /// A skill's file: its name and description are read at once, the rest when it is mentioned.
    Skill(PathBuf),
    /// The base instructions.
    BaseInstructions,
    /// Another part of the context, by its kind.
    Told(ContentKind),
}

/// The texts that are read `after` and not `before`: files of instructions in their order, skills, then the rest.
///
/// A file counts as new where its text is another one, say because a budget now ends elsewhere.
pub async fn newly_read(
    before: ReadBy<'_>,
    after: ReadBy<'_>,
    skill_files: &dyn FileSystem,
) -> Vec<NewText> {
    let mut texts = new_instructions(before.step, after.step).await;
    texts.extend(new_skills(before.step, after.step, skill_files).await);
    if before.base_instructions != after.base_instructions {
        let text = after.base_instructions.text.clone();
        texts.push(inspected(NewSource::BaseInstructions, text, None));
    }
    let known: HashSet<(ContentKind, String)> = told(before.step).into_iter().collect();
    let news = told(after.step).into_iter().filter(|part| !known.contains(part));
    texts.extend(news.map(|(kind, text)| {
        let within = without_own_markers(&kind, &text).to_owned();
        NewText { text, ..inspected(NewSource::Told(kind), within, None) }
    }));
    texts
}

async fn new_instructions(before: &StepContext, after: &StepContext) -> Vec<NewText> {
    let known: HashSet<&InstructionEntry> =
        before.agents_md.projects.iter().flat_map(|it| &it.entries).collect();
    let mut texts = Vec::new();
    for project in &after.agents_md.projects {
        let environment = after.environments.ready.iter().find(|it| {
            it.selection.environment_id == project.environment_id && it.selection.cwd == project.cwd
        });
        for entry in project.entries.iter().filter(|entry| !known.contains(entry)) {
            let outside = match environment {
                Some(it) => {
                    let files = &*it.environment.file_system;
                    place_outside(files, &project.root.path, &entry.path).await
                }
                None => None,
            };
            let source = NewSource::Instructions(entry.path.clone());
            texts.push(inspected(source, entry.text.clone(), outside));
        }
    }
    texts
}

async fn new_skills(
    before: &StepContext,
    after: &StepContext,
    files: &dyn FileSystem,
) -> Vec<NewText> {
    let known: HashSet<&Path> = before.skills.skills.iter().map(|it| it.path.as_path()).collect();
    let skills = after.skills.skills.iter();
    let skills: Vec<&Skill> = skills.filter(|it| !known.contains(it.path.as_path())).collect();
    let root = after.agents_md.projects.first().map(|it| it.root.path.as_path());
    let mut texts = Vec::new();
    for body in load_skill_bodies(files, &skills).await.bodies {
        let outside = match root {
            Some(root) => place_outside(files, root, &body.path).await,
            None => None,
        };
        texts.push(inspected(NewSource::Skill(body.path), body.text, outside));
    }
    texts
}

/// Where a file really is, where that is not below the root.
async fn place_outside(files: &dyn FileSystem, root: &Path, path: &Path) -> Option<PathBuf> {
    let root = files.canonicalize(root).await.ok()?;
    files.canonicalize(path).await.ok().filter(|place| !place.starts_with(&root))
}

/// The parts of the context that no file of the project stands for.
fn told(step: &StepContext) -> Vec<(ContentKind, String)> {
    let mut parts = Vec::new();
    for item in full_context(&step.facts) {
        let ResponseItem::Message(message) = item.view() else { continue };
        let texts = message.content.iter().map(ContentItem::text);
        parts.extend(texts.zip(item.kinds()).filter_map(|(text, kind)| {
            let is_of_files = [UserInstructions::KIND, AvailableSkills::KIND].contains(kind);
            (!is_of_files).then_some((kind.clone(), text?.to_owned()))
        }));
    }
    parts
}

/// What stands between the markers of a part that has some.
fn without_own_markers<'t>(kind: &ContentKind, text: &'t str) -> &'t str {
    let spec = FRAGMENTS.iter().find(|spec| spec.kind == *kind);
    spec.and_then(|spec| {
        let markers = (spec.markers)();
        text.strip_prefix(markers.start)?.strip_suffix(markers.end)
    })
    .unwrap_or(text)
}

fn inspected(source: NewSource, text: String, leaves_root: Option<PathBuf>) -> NewText {
    let (hidden, markers) = (hidden_text(&text), markers_within(&text));
    NewText { source, text, leaves_root, hidden, markers }
}
