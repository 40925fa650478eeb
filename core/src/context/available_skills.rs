//! The skills that the model may use.

use std::iter;

use recto_context_fragments::{ContextualUserFragment, Markers};
use recto_protocol::{ContentKind, Role};

use super::registry::{Cap, ContextFragment};
use crate::skills::{RootAlias, SkillEntry, SkillListing};

/// Lists the skills and tells how they are used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AvailableSkills {
    /// These.
    Listed {
        /// Short names for directories.
        roots: Vec<RootAlias>,
        /// The skills.
        entries: Vec<SkillEntry>,
        /// Whether the model is told how to use a skill; some models know.
        with_usage: bool,
    },
    /// None any more.
    Removed,
}

impl AvailableSkills {
    /// The fragment for a listing; none where nothing is listed.
    pub fn listed(listing: &SkillListing, with_usage: bool) -> Option<Self> {
        (!listing.entries.is_empty()).then(|| Self::Listed {
            roots: listing.roots.clone(),
            entries: listing.entries.clone(),
            with_usage,
        })
    }
}

const INTRODUCTION: &str = "\n## Skills\nA skill is a folder with instructions for one kind of task; they begin in its \
                            `SKILL.md`. These skills can be used. Each line has a name, what the skill is for, and \
                            its file, whose first part is short for a directory in the table of roots.\n";

const USAGE: &str = "\
### How to use skills
- Use a skill in a turn in which the user names it (`$name`, or its name in plain words), or \
whose task fits its description. Do not carry it over to the next turn unless it is named again. \
If a named skill is not in the list or its file cannot be read, say so in one sentence and go on \
without it.
- Before you act on a skill, put the directory from the table in place of the short name and read \
its `SKILL.md` to the end yourself. Paths in it are relative to the folder that it stands in.
- Of the folder's other files read those that the instructions call for and no more. Run its \
scripts and start from its templates rather than write your own.
- Where several skills fit, take the fewest that do the task, and say which you use and in what \
order.
";

const REMOVED: &str = "\n## Host skills update\nNo host skills are currently available.\n";

impl ContextualUserFragment for AvailableSkills {
    fn role(&self) -> Role {
        Role::Developer
    }

    fn markers() -> Markers {
        Markers::new("<skills_instructions>", "</skills_instructions>")
    }

    fn body(&self) -> String {
        let Self::Listed { roots, entries, with_usage } = self else { return REMOVED.to_owned() };
        let roots = roots.iter().map(RootAlias::line);
        let entries = entries.iter().map(SkillEntry::line);
        let lines = iter::once("### Skill roots".to_owned())
            .chain(roots)
            .chain(["### Available skills".to_owned()])
            .chain(entries);
        let mut body = INTRODUCTION.to_owned();
        for line in lines {
            body.push_str(&line);
            body.push('\n');
        }
        if *with_usage {
            body.push_str(USAGE);
        }
        body
    }
}

impl ContextFragment for AvailableSkills {
    const KIND: ContentKind = ContentKind::new("host_skills.instructions");
    const SENT: &'static str = "With the first request where there are skills, whole again when the list changed, and once when none are left.";
    const CAP: Cap = Cap::Setting("model_context_window");

    fn samples() -> Vec<Self> {
        let listed = |with_usage| Self::Listed {
            roots: vec![RootAlias {
                alias: "r0".to_owned(),
                path: "/repo/.agents/skills".to_owned(),
            }],
            entries: vec![SkillEntry {
                name: "release".to_owned(),
                description: "Cut a release of this project.".to_owned(),
                file: "r0/release/SKILL.md".to_owned(),
            }],
            with_usage,
        };
        vec![listed(true), listed(false), Self::Removed]
    }
}
