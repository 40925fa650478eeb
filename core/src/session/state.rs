//! What a conversation has come to: its items, what the model was told of the world, and the way back.

use crate::history::{Audience, History, RollbackError};
use crate::rollout::TurnContextItem;
use crate::world_state::WorldStateSnapshot;
use recto_context_fragments::AdditionalContext;
use recto_protocol::DynamicTools;

/// The state of a conversation between two steps.
#[derive(Debug, Clone, Default)]
pub struct SessionState {
    /// What the model saw.
    pub history: History,
    /// What it was told of the world; none before the first context of a window.
    ///
    /// An empty state means that something was told and nobody knows what.
    pub baseline: Option<WorldStateSnapshot>,
    /// The base instructions that the session was recorded with.
    pub base_instructions: Option<String>,
    /// The host's tools that the session was recorded with.
    pub dynamic_tools: DynamicTools,
    /// The settings of the last step that was told.
    last_turn_context: Option<TurnContextItem>,
    /// Values from outside that stood beside the last input.
    additional_context: AdditionalContext,
    /// Whether the server said that the conversation no longer fits.
    pub is_too_long: bool,
    /// What the model was told before each turn that can be taken back.
    told: Vec<Told>,
    /// Whether nobody has said anything since the last of them.
    is_silent: bool,
}

/// What a model was told beside the conversation.
#[derive(Debug, Clone, Default)]
pub(super) struct Told {
    pub(super) baseline: Option<WorldStateSnapshot>,
    pub(super) additional_context: AdditionalContext,
    /// Whether the server had said that the conversation no longer fits.
    pub(super) is_too_long: bool,
}

impl SessionState {
    /// A conversation that begins.
    pub fn new(audience: Audience) -> Self {
        Self { history: History::new(audience), ..Self::default() }
    }

    /// A conversation that was built before, with what the model was told and was told before each turn of it.
    pub(super) fn with_past(
        history: History,
        baseline: Option<WorldStateSnapshot>,
        base_instructions: Option<String>,
        told: Vec<Told>,
    ) -> Self {
        Self { history, baseline, base_instructions, told, ..Self::default() }
    }

    /// Remembers how things stand before a turn; costs next to nothing, for what is remembered is shared.
    pub(super) fn begin_turn(&mut self) {
        self.forget_silent_turn();
        self.history.begin_turn();
        let (baseline, additional_context) =
            (self.baseline.clone(), self.additional_context.clone());
        let is_too_long = self.is_too_long;
        self.told.push(Told { baseline, additional_context, is_too_long });
        self.is_silent = true;
    }

    /// Takes note that a person said something in this turn.
    pub(super) fn note_person(&mut self) {
        self.is_silent = false;
    }

    /// Goes back to before the last `turns` turns in which a person spoke, also past a compaction.
    pub(super) fn roll_back(&mut self, turns: usize) -> Result<(), RollbackError> {
        self.forget_silent_turn();
        self.history.roll_back(turns)?;
        if turns > 0 {
            let kept = self.told.len().checked_sub(turns);
            let told = kept.and_then(|kept| self.told.drain(kept..).next());
            let told = told.unwrap_or_else(|| self.told_long_ago());
            self.baseline = told.baseline;
            self.additional_context = told.additional_context;
            self.is_too_long = told.is_too_long;
        }
        self.last_turn_context = None;
        Ok(())
    }

    /// A turn in which nobody said anything goes with the one before: only those with a person's words are counted
    /// when turns are taken back, as in a replay of the record.
    fn forget_silent_turn(&mut self) {
        if std::mem::take(&mut self.is_silent) {
            self.history.forget_turn();
            self.told.pop();
        }
    }

    /// What the model was told before a turn that was recorded earlier: something, unless nothing was said at all.
    fn told_long_ago(&mut self) -> Told {
        self.told.clear();
        let is_told = self.history.items().len() > 0;
        Told { baseline: is_told.then(WorldStateSnapshot::default), ..Told::default() }
    }

    /// Takes the values beside a new input; gives those of the last.
    pub(super) fn replace_additional_context(
        &mut self,
        now: AdditionalContext,
    ) -> AdditionalContext {
        std::mem::replace(&mut self.additional_context, now)
    }

    /// Whether settings differ from those of the last step; they are the last ones from now on.
    pub(super) fn is_other_turn_context(&mut self, now: &TurnContextItem) -> bool {
        let is_other = self.last_turn_context.as_ref() != Some(now);
        self.last_turn_context = Some(now.clone());
        is_other
    }

    /// Takes up the state that stands in a new window.
    pub(super) fn after_compaction(&mut self, baseline: WorldStateSnapshot) {
        self.baseline = Some(baseline);
        self.additional_context = AdditionalContext::default();
        self.is_too_long = false;
    }
}
