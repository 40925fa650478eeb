//! A session as its record tells it.

use std::path::PathBuf;

use recto_protocol::rollout::{RecordedInstructions, SessionMeta, TurnContext};
use recto_protocol::{Item, TokenUsage};

use super::super::fault::Faults;
use super::recorded_turn::RecordedTurn;
use super::window::{Baseline, ContextWindow, TurnStart, UsageReport};
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
    /// The turns of a person that began in this window.
    pub turn_starts: Vec<TurnStart>,
    /// What the model was told of the world.
    pub baseline: Baseline,
    /// The settings of the last turn.
    pub previous_turn: Option<TurnContext>,
    /// What the responses of this window cost, the oldest first.
    pub usage_reports: Vec<UsageReport>,
    /// Which provider served from which item of this window on; it alone can read what it sealed.
    pub providers: Vec<(usize, Box<str>)>,
    /// What all responses cost together, as the record says.
    pub thread_usage: TokenUsage,
    /// Whether the server said of it that it no longer fits into a request.
    pub is_full: bool,
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
    pub fn history(&self, audience: &Audience) -> History {
        let mut history = History::new(audience.clone());
        let mut starts = self.turn_starts.iter().peekable();
        let mut reports = self.usage_reports.iter().peekable();
        let mut providers = self.providers.iter().peekable();
        for index in 0..=self.items.len() {
            while let Some((_, provider)) = providers.next_if(|(start, _)| *start == index) {
                let provider = Some((&**provider).into());
                history.set_audience(&Audience { provider, ..audience.clone() });
            }
            while let Some(report) = reports.next_if(|report| report.items == index) {
                history.note_usage(&report.usage);
            }
            while starts.next_if(|start| start.items == index).is_some() {
                history.begin_turn();
            }
            history.record(self.items.get(index).cloned());
        }
        history.set_audience(audience);
        history
    }

    /// What the last response cost, unless a compaction came after it.
    pub fn usage(&self) -> Option<TokenUsage> {
        self.usage_reports.last().map(|report| report.usage)
    }

    /// The turn before which the session stands when its last `turns` turns of a person are taken back; none where it has
    /// not so many.
    pub fn turn_taken_back(&self, turns: usize) -> Option<usize> {
        let standing = self.turns.iter().rev().filter(|turn| !turn.taken_back && turn.from_person);
        standing.map(|turn| turn.number).nth(turns.checked_sub(1)?)
    }

    /// Where the last turn worked; where the session began if it had no turn.
    pub fn cwd(&self) -> Option<&str> {
        let last = self.previous_turn.as_ref().and_then(|turn| turn.cwd.as_deref());
        last.or(self.meta.cwd.as_deref())
    }
}
