//! Replaces a conversation that has grown too long by what still matters and a summary of the rest.

use std::sync::Arc;

use tokio::sync::mpsc::unbounded_channel;

use super::inputs::Interrupts;
use super::messages::{assistant_text, typed};
use super::session::Session;
use super::stop::Stop;
use super::update::{full_context, full_state_entry};
use crate::history::History;
use crate::model::{SampleError, SampleEvent, SampleRequest};
use crate::rollout::RolloutEntry;
use crate::world_state::{WorldState, WorldStateSnapshot};

/// Asks the model for the summary; sent once and never recorded.
const REQUEST: &str = "The conversation is about to be cut down to make room. Write the hand-over for whoever goes \
    on with this task and will not see what was said so far:\n\n\
    - what the user wants, with every constraint and preference they named\n\
    - what was done and decided, with the files and commands that matter\n\
    - what is left to do, as concrete next steps\n\
    - facts that were found out and would be costly to find again\n\n\
    Be brief and exact. Write the hand-over only.";

/// How often a summary is asked for again, each time without the oldest eighth of what is left.
const MAX_ATTEMPTS: usize = 16;

impl Session {
    /// Whether the conversation must be cut down before the model is asked again.
    pub(super) fn needs_compaction(&self) -> bool {
        let limit = self.surroundings.settings.auto_compact_token_limit;
        let grown = limit.is_some_and(|limit| self.state.history.context_tokens() >= limit);
        let has_content = self.state.history.items().len() > 0;
        has_content
            && (self.state.is_too_long || (grown && !self.state.history.ends_with_summary()))
    }

    /// Cuts the conversation down now, whatever its length.
    pub(super) async fn compact(&mut self, interrupts: &mut Interrupts) -> Result<(), Stop> {
        let summary = self.summary(interrupts).await?;
        let step = self.surroundings.capture_step_context().await.map_err(Stop::AgentsMd)?;
        let replacement = self.state.history.replacement(full_context(&step.facts), &summary);
        self.state.history.replace(replacement.iter().cloned());
        let state = WorldState::from_facts(&step.facts).snapshot(&WorldStateSnapshot::default());
        let mut entries = vec![
            RolloutEntry::Compacted { summary, replacement_history: replacement },
            full_state_entry(&state),
        ];
        self.state.after_compaction(state);
        // The reference takes the context for told only where settings stand behind it.
        if let Some(turn_id) = self.turn_id {
            let settings = self.turn_context_item(turn_id, &step);
            self.state.is_other_turn_context(&settings);
            entries.push(RolloutEntry::TurnContext(settings));
        }
        self.record_entries(entries).await;
        Ok(())
    }

    /// Asks for the summary; where even that does not fit, the oldest items are left out of the question.
    async fn summary(&mut self, interrupts: &mut Interrupts) -> Result<String, Stop> {
        let mut asked = self.state.history.clone();
        for _ in 1..MAX_ATTEMPTS {
            let len = asked.items().len();
            match self.ask_for_summary(asked.clone(), interrupts).await {
                Err(Stop::Sample(SampleError::ContextTooLong { .. })) if len > 1 => {
                    asked = asked.without_oldest(len.div_ceil(8));
                }
                answer => return answer,
            }
        }
        self.ask_for_summary(asked, interrupts).await
    }

    async fn ask_for_summary(
        &self,
        mut asked: History,
        interrupts: &mut Interrupts,
    ) -> Result<String, Stop> {
        asked.record([typed(REQUEST)]);
        let prompt = asked.for_prompt(self.base_instructions(), Vec::new(), asked.audience());
        let sampler = Arc::clone(&self.services.sampler);
        let (sender, mut events) = unbounded_channel();
        let request = SampleRequest {
            model: &self.surroundings.settings.model,
            prompt: &prompt,
            cache_key: &self.cache_key,
            output_schema: None,
        };
        tokio::select! {
            biased;
            () = interrupts.next() => return Err(Stop::Interrupted),
            end = sampler.sample(request, sender) => end.map_err(Stop::Sample)?,
        };
        let mut summary = String::new();
        while let Ok(event) = events.try_recv() {
            match event {
                SampleEvent::ItemDone(item) => summary = assistant_text(&item).unwrap_or(summary),
                SampleEvent::Retry { .. } => summary.clear(),
                SampleEvent::MessageStarted { .. }
                | SampleEvent::TextDelta(_)
                | SampleEvent::ReasoningDelta(_) => {}
            }
        }
        Ok(summary)
    }
}
