//! A session as its record tells it.

use std::path::PathBuf;

use recto_protocol::rollout::{RecordedInstructions, SessionMeta, TurnContext};
use recto_protocol::{Item, TokenUsage};

use super::super::fault::Faults;
use super::recorded_turn::RecordedTurn;
use super::window::{Baseline, ContextWindow};
use crate::history::{Audience, History};

/// A session as its record tells it, at its end or at one of its turns.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ReplayedSession {
    /// Who it is: the first meta of its own file, whatever metas follow.
    pub meta: SessionMeta,
    /// The base instructions that it goes by.
    pub base_instructions: Option<RecordedInstructions>,
    /// What the model saw, oldest first, as recorded.
    pub items: Vec<Item>,
    /// For each turn of a person that began in this window, how many items came before it.
    pub turn_starts: Vec<usize>,
    /// What the model was told of the world.
    pub baseline: Baseline,
    /// The settings of the last turn.
    pub previous_turn: Option<TurnContext>,
    /// What the last response cost, unless a compaction came after it.
    pub usage: Option<TokenUsage>,
    /// The context window.
    pub window: ContextWindow,
    /// All turns up to here, also those that were taken back.
    pub turns: Vec<RecordedTurn>,
    /// The ordinal of the next line; none where the lines of this file carry none.
    pub next_ordinal: Option<u64>,
    /// The files that were read, the oldest first.
    pub files: Vec<PathBuf>,
    /// The lines that could not be read, or about which something is odd; those of all files together.
    pub faults: Faults,
}

impl ReplayedSession {
    /// The conversation, for a model and a provider.
    pub fn history(&self, audience: Audience) -> History {
        let mut history = History::new(audience);
        let mut recorded = 0;
        for start in &self.turn_starts {
            let Some(before) = self.items.get(recorded..*start) else { continue };
            history.record(before.iter().cloned());
            history.begin_turn();
            recorded = *start;
        }
        history.record(self.items.iter().skip(recorded).cloned());
        if let Some(usage) = &self.usage {
            history.note_usage(usage);
        }
        history
    }

    /// Where the last turn worked; where the session began if it had no turn.
    pub fn cwd(&self) -> Option<&str> {
        let last = self.previous_turn.as_ref().and_then(|turn| turn.cwd.as_deref());
        last.or(self.meta.cwd.as_deref())
    }
}
