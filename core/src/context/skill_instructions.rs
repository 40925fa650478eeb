//! A skill that the person asked for.

use recto_context_fragments::{ContextualUserFragment, Markers};
use recto_protocol::{ContentKind, Role};

use super::registry::{Cap, ContextFragment};
use crate::skills::SkillBody;

/// The whole file of a skill, as it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkillInstructions {
    /// The skill's name.
    pub name: String,
    /// Its file.
    pub path: String,
    /// The file's text.
    pub text: String,
}

impl From<SkillBody> for SkillInstructions {
    fn from(body: SkillBody) -> Self {
        let SkillBody { name, path, text } = body;
        Self { name, path: path.to_string_lossy().into_owned(), text }
    }
}

impl ContextualUserFragment for SkillInstructions {
    fn role(&self) -> Role {
        Role::User
    }

    fn markers() -> Markers {
        Markers::new("<skill>", "</skill>")
    }

    fn body(&self) -> String {
        let Self { name, path, text } = self;
        format!("\n<name>{name}</name>\n<path>{path}</path>\n{text}\n")
    }
}

impl ContextFragment for SkillInstructions {
    const KIND: ContentKind = ContentKind::new("skills.selected_skill_instructions");
    const SENT: &'static str = "Behind the input of each turn that mentions the skill.";
    const CAP: Cap = Cap::Author;

    fn samples() -> Vec<Self> {
        vec![Self {
            name: "release".to_owned(),
            path: "/repo/.agents/skills/release/SKILL.md".to_owned(),
            text: "---\nname: release\ndescription: Cut a release of this project.\n---\nTag it first.\n".to_owned(),
        }]
    }
}
