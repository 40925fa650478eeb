//! The skills that a turn's own input asks for.

use recto_protocol::Item;

use super::event::SessionEvent;
use super::session::Session;
use super::step::StepContext;
use crate::context::{RenderedFragment, SkillInstructions};
use crate::history::merge_contextual_fragments;
use crate::skills::{load_skill_bodies, mentioned_skills};

impl Session {
    /// The files of the skills that a text mentions, each a message of its own, in the order of the catalogue.
    pub(super) async fn mentioned_skills(&self, step: &StepContext, text: &str) -> Vec<Item> {
        let mentions = mentioned_skills(&step.skills, [text]);
        for ambiguous in &mentions.ambiguous {
            let name = &ambiguous.name;
            self.tell(SessionEvent::Notice(format!(
                "`${name}` is the name of {} skills, so none of them was used; a link `[${name}](PATH)` says which",
                ambiguous.paths.len()
            )));
        }
        let Some(file_system) = self.surroundings.skill_files() else { return Vec::new() };
        let loaded = load_skill_bodies(&*file_system, &mentions.skills).await;
        for diagnostic in &loaded.diagnostics {
            self.tell(SessionEvent::Notice(diagnostic.to_string()));
        }
        let fragment = |body| RenderedFragment::of(&SkillInstructions::from(body));
        loaded
            .bodies
            .into_iter()
            .flat_map(|it| merge_contextual_fragments([fragment(it)]))
            .collect()
    }
}
