//! What a conversation has come to: its items, what the model was told of the world, and the way back.

use crate::history::{Audience, History, RollbackError};
use crate::rollout::TurnContextItem;
use crate::world_state::WorldStateSnapshot;
use recto_context_fragments::AdditionalContext;

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
    /// The settings of the last step that was told.
    last_turn_context: Option<TurnContextItem>,
    /// Values from outside that stood beside the last input.
    additional_context: AdditionalContext,
    /// Whether the server said that the conversation no longer fits.
    pub(super) is_too_long: bool,
    /// What the model was told before each turn that can be taken back.
    baselines: Vec<Option<WorldStateSnapshot>>,
    /// Whether nobody has said anything since the last of them.
    is_silent: bool,
    /// Items that stood right after the last compaction.
    compacted_items: usize,
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
        baselines: Vec<Option<WorldStateSnapshot>>,
    ) -> Self {
        Self { history, baseline, base_instructions, baselines, ..Self::default() }
    }

    /// Remembers how things stand before a turn; costs next to nothing, for what is remembered is shared.
    pub(super) fn begin_turn(&mut self) {
        self.forget_silent_turn();
        self.history.begin_turn();
        self.baselines.push(self.baseline.clone());
        self.is_silent = true;
    }

    /// Takes note that a person said something in this turn.
    pub(super) fn note_person(&mut self) {
        self.is_silent = false;
    }

    /// A turn in which no person spoke is no turn of its own when turns are taken back: it goes with the one before.
    fn forget_silent_turn(&mut self) {
        if std::mem::take(&mut self.is_silent) {
            self.history.forget_turn();
            self.baselines.pop();
        }
    }

    /// Goes back to before the last `turns` turns, also past a compaction.
    pub(super) fn roll_back(&mut self, turns: usize) -> Result<(), RollbackError> {
        self.forget_silent_turn();
        self.history.roll_back(turns)?;
        let kept = self.baselines.len().saturating_sub(turns);
        if let Some(baseline) = self.baselines.get(kept) {
            self.baseline.clone_from(baseline);
        }
        self.baselines.truncate(kept);
        self.is_too_long = false;
        self.compacted_items = 0;
        self.last_turn_context = None;
        Ok(())
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
        self.is_too_long = false;
        self.compacted_items = self.history.items().len();
    }

    /// Whether anything was said since the last compaction; another one could not make it shorter.
    pub(super) fn has_grown_since_compaction(&self) -> bool {
        self.history.items().len() > self.compacted_items
    }
}
