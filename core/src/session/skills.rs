//! The skills that a turn's own input asks for.

use super::event::SessionEvent;
use super::session::Session;
use super::step::StepContext;
use crate::context::{RenderedFragment, SkillInstructions};
use crate::history::merge_contextual_fragments;
use crate::skills::{load_skill_bodies, mentioned_skills};

impl Session {
    /// Adds the files of the skills that a text mentions, each a message of its own, in the order of the catalogue.
    pub(super) async fn add_mentioned_skills(&mut self, step: &StepContext, text: &str) {
        let mentions = mentioned_skills(&step.skills, [text]);
        for ambiguous in &mentions.ambiguous {
            let name = &ambiguous.name;
            self.tell(SessionEvent::Notice(format!(
                "`${name}` is the name of {} skills, so none of them was used; a link `[${name}](PATH)` says which",
                ambiguous.paths.len()
            )));
        }
        let Some(file_system) = self.surroundings.skill_files() else { return };
        let loaded = load_skill_bodies(&*file_system, &mentions.skills).await;
        for diagnostic in &loaded.diagnostics {
            self.tell(SessionEvent::Notice(diagnostic.to_string()));
        }
        for body in loaded.bodies {
            let fragment = RenderedFragment::of(&SkillInstructions::from(body));
            self.record_items(merge_contextual_fragments([fragment])).await;
        }
    }
}
