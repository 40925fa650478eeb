//! Reads the files of the skills that a turn mentions.

use std::path::PathBuf;

use super::catalog::{Skill, SkillDiagnostic, SkillProblem};
use crate::environment::{FileContents, FileRead, FileSystem, contents_of};

/// Bytes that a skill's file may have.
const MAX_BODY_BYTES: u64 = 1024 * 1024;

/// A skill's whole file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkillBody {
    /// The skill's name.
    pub name: String,
    /// The file.
    pub path: PathBuf,
    /// Its text as it is.
    pub text: String,
}

/// What reading gave.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LoadedSkills {
    /// The files, in the order of the question.
    pub bodies: Vec<SkillBody>,
    /// Those that could not be read.
    pub diagnostics: Vec<SkillDiagnostic>,
}

/// Reads the files of skills, all in one round trip.
///
/// A file that is too long is not cut: half of a skill's instructions may say the opposite of all of them.
pub async fn load_skill_bodies(file_system: &dyn FileSystem, skills: &[&Skill]) -> LoadedSkills {
    let read = |skill: &&Skill| FileRead { path: skill.path.clone(), limit: MAX_BODY_BYTES };
    let reads: Vec<FileRead> = skills.iter().map(read).collect();
    let answers = contents_of(file_system, &reads).await;
    let mut loaded = LoadedSkills::default();
    for (skill, answer) in skills.iter().zip(answers) {
        let path = skill.path.clone();
        match answer.map_err(SkillProblem::Unreadable).and_then(text) {
            Ok(text) => loaded.bodies.push(SkillBody { name: skill.name.clone(), path, text }),
            Err(problem) => loaded.diagnostics.push(SkillDiagnostic { path, problem }),
        }
    }
    loaded
}

fn text(contents: FileContents) -> Result<String, SkillProblem> {
    if contents.len > MAX_BODY_BYTES {
        return Err(SkillProblem::LongBody { length: contents.len, limit: MAX_BODY_BYTES });
    }
    String::from_utf8(contents.bytes).map_err(|_| SkillProblem::BodyNotUtf8)
}
