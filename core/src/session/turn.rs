//! One turn: from what a person said to everything that the model did about it.

use recto_protocol::TurnId;

use super::event::{SessionEvent, TurnEnd};
use super::inputs::{Interrupts, Next, TurnInput, UserInput};
use super::messages::{additional_context, assistant_text, typed};
use super::session::Session;
use super::step::StepContext;
use super::stop::Stop;
use crate::context::{RenderedFragment, TurnAborted};
use crate::history::merge_contextual_fragments;
use crate::model::SampleError;
use crate::rollout::RolloutEntry;

/// What goes with one turn.
#[derive(Debug)]
pub(super) struct Turn {
    pub(super) id: TurnId,
    pub(super) interrupts: Interrupts,
    /// An input that was taken and is not in the conversation yet.
    unheard: Option<TurnInput>,
}

impl Turn {
    /// The end of a turn that cannot go on; an input that did not reach the conversation is handed back.
    fn failed(&mut self, message: String, hint: Option<String>) -> TurnEnd {
        let rejected = self.unheard.take().map(|it| it.input).into_iter().collect();
        TurnEnd::Failed { message, hint, rejected }
    }
}

impl Session {
    /// Runs turns until nothing that was accepted is left; gives how each ended.
    pub async fn run_until_idle(&mut self) -> Vec<TurnEnd> {
        let handle = self.handle.clone();
        let _running = handle.running();
        let mut ends = Vec::new();
        loop {
            match handle.next() {
                Next::Turn(input) => ends.push(self.run_turn(Some(*input)).await),
                Next::Reenter => ends.push(self.run_turn(None).await),
                Next::Idle => return ends,
            }
        }
    }

    /// Gives an input and runs until nothing is left to do.
    pub async fn run(&mut self, input: TurnInput) -> Vec<TurnEnd> {
        self.handle.submit(input);
        self.run_until_idle().await
    }

    /// Runs one turn; without an input of its own it takes up what is pending.
    async fn run_turn(&mut self, own: Option<TurnInput>) -> TurnEnd {
        let id = self.services.ids.turn_id();
        let mut turn = Turn { id, interrupts: self.handle.interrupts(), unheard: own };
        self.state.begin_turn();
        self.tell(SessionEvent::TurnStarted(id));
        self.record_entries(vec![RolloutEntry::TurnStarted(id)]).await;
        let end = match self.follow(&mut turn).await {
            Ok(()) => TurnEnd::Completed { last_message: self.last_message() },
            Err(Stop::Interrupted) => {
                self.tell_interrupted(turn.unheard.take()).await;
                TurnEnd::Interrupted
            }
            Err(Stop::AgentsMd(error)) => turn.failed(error.to_string(), None),
            Err(Stop::Sample(error)) => {
                self.state.is_too_long |= matches!(error, SampleError::ContextTooLong { .. });
                turn.failed(error.to_string(), error.hint())
            }
        };
        let reason = end.reason();
        self.record_entries(vec![RolloutEntry::TurnEnded { turn_id: id, reason }]).await;
        self.tell(SessionEvent::TurnEnded(id, end.clone()));
        end
    }

    /// The order of a turn: compaction, context, input, then sampling and calls until nothing is left to answer.
    async fn follow(&mut self, turn: &mut Turn) -> Result<(), Stop> {
        if let Some(input) = &turn.unheard {
            let overrides = input.overrides.clone();
            self.apply(&overrides);
        }
        self.compact_if_needed(&mut turn.interrupts).await?;
        self.step(turn).await?;
        let mut is_asked = false;
        if let Some(own) = turn.unheard.take() {
            self.hear(own.input).await;
            is_asked = true;
        }
        loop {
            is_asked |= self.hear_pending().await;
            if !is_asked {
                return Ok(());
            }
            let calls = self.sample(&mut turn.interrupts).await?;
            if calls.is_empty() && !self.handle.has_pending() {
                return Ok(());
            }
            self.answer_calls(calls, &mut turn.interrupts).await?;
            self.compact_if_needed(&mut turn.interrupts).await?;
            self.step(turn).await?;
        }
    }

    async fn compact_if_needed(&mut self, interrupts: &mut Interrupts) -> Result<(), Stop> {
        if self.needs_compaction() { self.compact(interrupts).await } else { Ok(()) }
    }

    /// Captures a step and tells the model what changed.
    async fn step(&mut self, turn: &Turn) -> Result<StepContext, Stop> {
        let step = self.surroundings.capture_step_context().await.map_err(Stop::AgentsMd)?;
        self.record_step_world_state_if_changed(&step).await;
        let item = self.turn_context_item(turn.id, &step);
        if self.state.is_other_turn_context(&item) {
            self.record_entries(vec![RolloutEntry::TurnContext(item)]).await;
        }
        Ok(step)
    }

    /// Takes up what came while the turn ran; tells whether there was anything.
    ///
    /// Nobody looks for skills in it: it steers, it asks for nothing anew.
    async fn hear_pending(&mut self) -> bool {
        let late = self.handle.drain_pending();
        let is_asked = !late.is_empty();
        for TurnInput { input, overrides } in late {
            self.apply(&overrides);
            self.hear(input).await;
        }
        is_asked
    }

    /// Puts an input into the conversation: the values beside it first, so that what was typed stands last.
    async fn hear(&mut self, input: UserInput) {
        let previous = self.state.replace_additional_context(input.additional_context.clone());
        let mut items = additional_context(input.additional_context.changed_since(&previous));
        items.extend(input.text.as_deref().map(typed));
        self.record_items(items).await;
    }

    /// Tells the model that it was stopped, and keeps what was said meanwhile for the next turn.
    async fn tell_interrupted(&mut self, unheard: Option<TurnInput>) {
        self.record_items(merge_contextual_fragments([RenderedFragment::of(&TurnAborted)])).await;
        if let Some(input) = unheard {
            self.hear(input.input).await;
        }
        self.hear_pending().await;
    }

    /// The last thing that the model wrote since the person spoke.
    fn last_message(&self) -> Option<String> {
        let since =
            self.state.history.items().rev().take_while(|it| !crate::history::is_from_person(it));
        since.into_iter().find_map(assistant_text)
    }
}
