//! One turn: from what a person said to everything that the model did about it.

use recto_protocol::TurnId;

use super::event::{SessionEvent, TurnEnd};
use super::inputs::{Interrupts, Line, Next, TurnInput, UserInput};
use super::messages::{additional_context, assistant_text, typed};
use super::session::Session;
use super::step::StepContext;
use super::stop::Stop;
use crate::context::{RenderedFragment, TurnAborted};
use crate::history::merge_contextual_fragments;
use crate::hooks::SessionStartSource;
use crate::model::SampleError;
use crate::rollout::RolloutEntry;

/// What goes with one turn.
#[derive(Debug)]
pub(super) struct Turn {
    pub(super) id: TurnId,
    pub(super) interrupts: Interrupts,
    /// How often stop hooks sent the model on.
    continuations: usize,
    /// The turn's own input, until it is in the conversation.
    unheard: Option<TurnInput>,
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
        let interrupts = self.handle.interrupts();
        let mut turn = Turn { id, interrupts, continuations: 0, unheard: own };
        self.turn_id = Some(id);
        self.state.begin_turn();
        self.surroundings.begin_turn();
        self.tell(SessionEvent::TurnStarted(id));
        self.record_entries(vec![RolloutEntry::TurnStarted(id)]).await;
        let end = match self.follow(&mut turn).await {
            Ok(()) => TurnEnd::Completed { last_message: self.last_message() },
            Err(Stop::Interrupted) => {
                self.tell_interrupted(turn.unheard.take()).await;
                TurnEnd::Interrupted
            }
            Err(Stop::Hook { reason }) => {
                if turn.unheard.is_some() {
                    self.handle.forget_first(Line::Fresh);
                }
                TurnEnd::Blocked { reason }
            }
            Err(Stop::AgentsMd(error)) => self.failed(&turn, error.to_string(), None),
            Err(Stop::Sample(error)) => {
                self.state.is_too_long |= matches!(error, SampleError::ContextTooLong { .. });
                self.failed(&turn, error.to_string(), error.hint())
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
        let step = self.step(turn).await?;
        if let Some(source) = self.start.take() {
            self.run_start_hooks(source, &mut turn.interrupts).await?;
        }
        let mut blocked = None;
        let mut is_asked = false;
        if let Some(own) = turn.unheard.clone() {
            let text = own.input.text.clone();
            blocked = self.hear(Line::Fresh, own.input, &mut turn.interrupts).await?;
            turn.unheard = None;
            is_asked = blocked.is_none();
            if let Some(text) = text.filter(|_| is_asked) {
                self.add_mentioned_skills(&step, &text).await;
            }
        }
        loop {
            is_asked |= self.hear_pending(&mut turn.interrupts).await?;
            if !is_asked {
                return blocked.map_or(Ok(()), |reason| Err(Stop::Hook { reason }));
            }
            let calls = self.sample(&mut turn.interrupts).await?;
            let is_done = calls.is_empty() && !self.handle.has_pending();
            if is_done
                && !self.stop_hooks_go_on(&mut turn.continuations, &mut turn.interrupts).await?
            {
                return Ok(());
            }
            self.answer_calls(calls, &mut turn.interrupts).await?;
            self.compact_if_needed(&mut turn.interrupts).await?;
            self.step(turn).await?;
        }
    }

    /// Cuts the conversation down where it must be; hooks on a start run again afterwards.
    async fn compact_if_needed(&mut self, interrupts: &mut Interrupts) -> Result<(), Stop> {
        if !self.needs_compaction() {
            return Ok(());
        }
        self.compact(interrupts).await?;
        self.run_start_hooks(SessionStartSource::Compact, interrupts).await
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

    /// Takes up what came while the turn ran; tells whether the model is asked something by it.
    ///
    /// Nobody looks for skills in it: it steers, it asks for nothing anew.
    async fn hear_pending(&mut self, interrupts: &mut Interrupts) -> Result<bool, Stop> {
        let mut is_asked = false;
        while let Some(TurnInput { input, overrides }) = self.handle.first_pending() {
            self.apply(&overrides);
            match self.hear(Line::Pending, input, interrupts).await? {
                None => is_asked = true,
                Some(reason) => {
                    self.tell(SessionEvent::Notice(format!("a hook kept a prompt back: {reason}")));
                }
            }
        }
        Ok(is_asked)
    }

    /// Puts an input into the conversation, unless a hook keeps it back: then the reason is given.
    ///
    /// The values beside it stand first and what hooks add stands last, so that neither hides what was typed.
    async fn hear(
        &mut self,
        line: Line,
        input: UserInput,
        interrupts: &mut Interrupts,
    ) -> Result<Option<String>, Stop> {
        let (outcomes, blocked) = match &input.text {
            Some(text) => self.ask_submit_hooks(text, interrupts).await?,
            None => (Vec::new(), None),
        };
        // From here to the history nothing waits, so that a task that goes away leaves it in one of the two.
        self.handle.forget_first(line);
        if blocked.is_none() {
            let previous = self.state.replace_additional_context(input.additional_context.clone());
            let changed = input.additional_context.changed_since(&previous);
            let mut items = additional_context(changed);
            items.extend(input.text.as_deref().map(typed));
            if input.text.is_some() {
                self.state.note_person();
            }
            self.record_items(items).await;
        }
        self.record_contexts(&outcomes).await;
        Ok(blocked)
    }

    /// Tells the model that it was stopped, and keeps what was said meanwhile for the next turn.
    async fn tell_interrupted(&mut self, unheard: Option<TurnInput>) {
        self.record_items(merge_contextual_fragments([RenderedFragment::of(&TurnAborted)])).await;
        let mut interrupts = self.handle.interrupts();
        // What a second interrupt keeps from being asked about goes on waiting.
        if let Some(own) = unheard
            && self.hear(Line::Fresh, own.input, &mut interrupts).await.is_err()
        {
            return;
        }
        let _ = self.hear_pending(&mut interrupts).await;
    }

    /// The end of a turn that cannot go on; an input that did not reach the conversation is handed back.
    fn failed(&self, turn: &Turn, message: String, hint: Option<String>) -> TurnEnd {
        let rejected: Vec<UserInput> = turn.unheard.iter().map(|it| it.input.clone()).collect();
        if !rejected.is_empty() {
            self.handle.forget_first(Line::Fresh);
        }
        TurnEnd::Failed { message, hint, rejected }
    }

    /// The last thing that the model wrote since the person spoke.
    pub(super) fn last_message(&self) -> Option<String> {
        let since =
            self.state.history.items().rev().take_while(|it| !crate::history::is_from_person(it));
        since.into_iter().find_map(assistant_text)
    }
}
