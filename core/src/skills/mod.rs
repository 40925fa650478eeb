//! Skills: instructions in `SKILL.md` files that the model is told of, and reads when a person mentions one.
//!
//! A file that cannot be used is a [`SkillDiagnostic`] that names it, and the rest goes on. The skills of a project
//! that is not trusted are not even looked for.

mod body;
mod catalog;
mod discover;
mod front_matter;
mod listing;
mod mentions;
mod sources;
mod walk;

pub use body::{LoadedSkills, SkillBody, load_skill_bodies};
pub use catalog::{Skill, SkillCatalog, SkillDiagnostic, SkillProblem, SkillRoot, SkillScope};
pub use discover::discover_skills;
pub use front_matter::FrontMatterError;
pub use listing::{ClippedSkill, RootAlias, SkillBudget, SkillEntry, SkillListing};
pub use mentions::{AmbiguousMention, SkillMentions, mentioned_skills};
pub(crate) use mentions::{is_in_name, link_target};
pub use sources::{PluginSkills, SkillSources};
