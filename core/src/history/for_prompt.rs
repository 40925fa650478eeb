//! From the conversation to one request: the only place where a [`Prompt`] is made.

use recto_protocol::{BaseInstructions, Prompt};
use serde_json::value::RawValue;

use super::assembly::Assembly;
use super::{Audience, Fate, History};

impl History {
    /// The conversation as the next request tells it to its audience; the history itself is not changed.
    ///
    /// In the input every call has exactly one output, nothing is empty, and nothing is there that a server would
    /// refuse or the audience cannot read. For the audience that the history was told last
    /// ([`set_audience`](Self::set_audience)) it is there already and shared; for another it is worked out anew.
    pub fn for_prompt(
        &self,
        base_instructions: BaseInstructions,
        tools: Vec<Box<RawValue>>,
        audience: &Audience,
    ) -> Prompt {
        let input = if audience == self.audience() {
            self.assembly().input().clone()
        } else {
            Assembly::of(self.recorded(), audience).input().clone()
        };
        Prompt { base_instructions, input, tools }
    }

    /// What becomes of each item in a request to that audience, in the order of [`items`](Self::items).
    ///
    /// For those who look at a conversation: it works everything out anew.
    pub fn fates(&self, audience: &Audience) -> Vec<Fate> {
        let mut fates = Vec::new();
        let mut assembly = Assembly::default();
        for recorded in self.recorded() {
            assembly.add(recorded, audience, &mut |index, fate| {
                if index < fates.len() {
                    fates[index] = fate;
                } else {
                    fates.push(fate);
                }
            });
        }
        fates
    }
}
