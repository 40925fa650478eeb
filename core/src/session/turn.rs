//! One turn: from what a person said to everything that the model did about it.

use recto_protocol::TurnId;

use super::event::{SessionEvent, TurnEnd};
use super::hear::Heard;
use super::inputs::{Interrupts, Line, Next, TurnInput};
use super::messages::assistant_text;
use super::session::Session;
use super::stop::Stop;
use super::turn_state::Turn;
use crate::context::{RenderedFragment, TurnAborted};
use crate::history::merge_contextual_fragments;
use crate::hooks::SessionStartSource;
use crate::model::SampleError;
use crate::rollout::RolloutEntry;

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

    /// Cuts the conversation down now, because the person wants it.
    pub async fn compact_now(&mut self) -> TurnEnd {
        let id = self.services.ids.turn_id();
        let interrupts = self.handle.interrupts();
        let mut turn = Turn::new(id, interrupts, None);
        turn.has_heard = true;
        self.turn_id = Some(id);
        self.surroundings.begin_turn();
        let entries = self.start_of_turn(id);
        self.record_entries(entries).await;
        let stop = self.compact_and_start(&mut turn.interrupts).await.err();
        self.record_end(id, stop.as_ref()).await;
        self.end(&turn, stop)
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
        let mut turn = Turn::new(id, interrupts, own);
        self.turn_id = Some(id);
        self.state.begin_turn();
        self.surroundings.begin_turn();
        self.tell(SessionEvent::TurnStarted(id));
        if let Some(input) = &turn.unheard {
            let overrides = input.overrides.clone();
            self.apply(&overrides);
        }
        let entries = self.start_of_turn(id);
        self.record_entries(entries).await;
        let stop = self.follow(&mut turn).await.err();
        if let Some(Stop::Interrupted) = &stop {
            self.tell_interrupted(turn.unheard.take()).await;
        }
        self.record_end(id, stop.as_ref()).await;
        // From here on nothing waits: what is handed back leaves the queue when it is told, and not before.
        let end = self.end(&turn, stop);
        self.tell(SessionEvent::TurnEnded(id, end.clone()));
        end
    }

    /// Records that a turn ended, and that the conversation no longer fits where it ended by that.
    async fn record_end(&mut self, turn_id: TurnId, stop: Option<&Stop>) {
        let mut entries = Vec::new();
        if let Some(Stop::Sample(SampleError::ContextTooLong { .. })) = stop {
            self.state.is_too_long = true;
            let known = self.surroundings.settings.model.context_window;
            let window = known.unwrap_or_else(|| self.state.history.context_tokens());
            entries.push(RolloutEntry::ContextFull { window });
        }
        entries.push(RolloutEntry::TurnEnded { turn_id, reason: stop.map(Stop::reason) });
        self.record_entries(entries).await;
    }

    /// How a turn ends; an input that did not reach the conversation leaves the queue.
    fn end(&mut self, turn: &Turn, stop: Option<Stop>) -> TurnEnd {
        match stop {
            None => TurnEnd::Completed { last_message: self.last_message() },
            Some(Stop::Interrupted) => TurnEnd::Interrupted,
            Some(Stop::Hook { reason }) => {
                if turn.unheard.is_some() {
                    self.handle.forget_first(Line::Fresh);
                }
                TurnEnd::Blocked { reason }
            }
            Some(Stop::AgentsMd(error)) => self.failed(turn, error.to_string(), None),
            Some(Stop::Sample(error)) => self.failed(turn, error.to_string(), error.hint()),
        }
    }

    /// The order of a turn: compaction, context, input, then sampling and calls until nothing is left to answer.
    async fn follow(&mut self, turn: &mut Turn) -> Result<(), Stop> {
        self.compact_if_needed(&mut turn.interrupts).await?;
        let step = self.step(turn).await?;
        if let Some(source) = self.start.take() {
            self.run_start_hooks(source, &mut turn.interrupts).await?;
        }
        let mut blocked = None;
        let mut is_asked = false;
        if let Some(own) = turn.unheard.clone() {
            blocked = self.hear(own.input, Heard::Own(&step), &mut turn.interrupts).await?;
            turn.unheard = None;
            turn.has_heard = true;
            is_asked = blocked.is_none();
        }
        loop {
            is_asked |= self.hear_pending(turn).await?;
            if !is_asked {
                return blocked.map_or(Ok(()), |reason| Err(Stop::Hook { reason }));
            }
            let calls = self.sample(turn).await?;
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
        if self.needs_compaction() { self.compact_and_start(interrupts).await } else { Ok(()) }
    }

    async fn compact_and_start(&mut self, interrupts: &mut Interrupts) -> Result<(), Stop> {
        self.compact(interrupts).await?;
        self.run_start_hooks(SessionStartSource::Compact, interrupts).await
    }

    /// Tells the model that it was stopped, and keeps what was said meanwhile for the next turn.
    async fn tell_interrupted(&mut self, unheard: Option<TurnInput>) {
        self.record_items(merge_contextual_fragments([RenderedFragment::of(&TurnAborted)])).await;
        let mut interrupts = self.handle.interrupts();
        // What a second interrupt keeps from being asked about goes on waiting.
        if let Some(own) = unheard
            && self.hear(own.input, Heard::Unanswered, &mut interrupts).await.is_err()
        {
            return;
        }
        while let Some(TurnInput { input, overrides, .. }) = self.handle.first_pending() {
            self.apply(&overrides);
            if self.hear_late(input, &mut interrupts).await.is_err() {
                return;
            }
        }
    }

    /// The end of a turn that cannot go on; what it was to take up and did not is handed back.
    ///
    /// So no input is tried for ever. Settings that came with one stay changed.
    fn failed(&mut self, turn: &Turn, message: String, hint: Option<String>) -> TurnEnd {
        let mut rejected = Vec::new();
        if let Some(own) = &turn.unheard {
            self.handle.forget_first(Line::Fresh);
            rejected.push(own.input.clone());
        } else if !turn.has_heard {
            for TurnInput { input, overrides, .. } in self.handle.drain_pending() {
                self.apply(&overrides);
                rejected.push(input);
            }
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
