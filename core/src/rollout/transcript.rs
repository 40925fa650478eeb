//! What happened in a session, turn by turn, for those who look at it.

use std::borrow::Cow;

use recto_protocol::rollout::{
    Compacted, EventMsg, LineKind, RolloutLine, RolloutPayload, TurnContext, WorldStateRecord,
};
use recto_protocol::{Item, TokenUsage};
use serde_json::Value;

use super::fault::LineFault;
use super::reader::Record;
use super::replay::{RecordPlace, RecordedTurn, ReplayError, RolloutChain, walk};
use super::speaker::Speaker;
use crate::world_state::WorldStateSnapshot;

/// The event that a program writes when settings are set: at its start and when somebody changes them.
const SETTINGS_APPLIED: &str = "thread_settings_applied";

/// One thing that happened.
#[derive(Debug, Clone, PartialEq)]
pub struct TranscriptEntry {
    /// The turn, from 1; 0 before the first.
    pub turn: usize,
    /// Where it is recorded.
    pub place: RecordPlace,
    /// When, as the record says it.
    pub time: Option<String>,
    /// What.
    pub what: Happened,
}

/// What happened.
#[derive(Debug, Clone, PartialEq)]
pub enum Happened {
    /// The program told the model something.
    Told(Item),
    /// A person spoke.
    Said(Item),
    /// The model answered or called, or a tool gave something back.
    Did(Item),
    /// The world's state, as the model was told it.
    State {
        /// Whether all of it was told, and not only what changed.
        full: bool,
        /// What is not as it was told before; none where the record cannot be read.
        changes: Option<Vec<SectionChange>>,
    },
    /// The settings of the turn.
    Settings(Box<TurnContext>),
    /// Settings were set before a turn: a program started, or somebody changed them.
    SettingsApplied,
    /// The conversation was replaced.
    Compacted {
        /// The summary.
        message: String,
        /// The items that stand in its place, where the record says them.
        items: Option<Vec<Item>>,
    },
    /// The last turns of a person were taken back.
    TakenBack {
        /// How many.
        turns: u64,
    },
    /// A turn ended well.
    Ended,
    /// A turn ended with an error.
    Failed(String),
    /// A turn was cut short; the reason, where there is one.
    Aborted(Option<String>),
    /// What a response cost.
    Usage(TokenUsage),
    /// A line that cannot be read.
    Fault(LineFault),
}

/// A section of the world's state that is not as it was told before.
#[derive(Debug, Clone, PartialEq)]
pub struct SectionChange {
    /// Its name.
    pub section: String,
    /// What was told of it before.
    pub before: Option<Value>,
    /// What is told of it now; none where it is gone.
    pub after: Option<Value>,
}

/// Goes through a session from its beginning; `turns` are those that a replay to its end found.
pub fn transcript(
    chain: &RolloutChain,
    turns: &[RecordedTurn],
    mut visit: impl FnMut(TranscriptEntry),
) -> Result<(), ReplayError> {
    let mut state = TellState::new(turns);
    walk(chain, |place, record| {
        state.advance(place);
        let turn = state.turn;
        match record {
            Record::Fault(fault) => {
                let what = Happened::Fault(fault);
                visit(TranscriptEntry { turn, place, time: None, what });
            }
            Record::Line(_, line) => {
                if let Some(what) = state.happened(&line) {
                    let time = line.timestamp().map(Cow::into_owned);
                    visit(TranscriptEntry { turn, place, time, what });
                }
            }
        }
    })
}

/// What the model was told so far, and before each turn.
struct TellState<'a> {
    turns: &'a [RecordedTurn],
    turn: usize,
    told: WorldStateSnapshot,
    /// What was told before each turn that began, in their order, and whether that turn was taken back so far.
    before: Vec<(WorldStateSnapshot, bool)>,
}

impl<'a> TellState<'a> {
    fn new(turns: &'a [RecordedTurn]) -> Self {
        Self { turns, turn: 0, told: WorldStateSnapshot::default(), before: Vec::new() }
    }

    /// Enters the turns that begin up to here.
    fn advance(&mut self, here: RecordPlace) {
        let has_begun =
            |turn: &RecordedTurn| (turn.start.file, turn.start.offset) <= (here.file, here.offset);
        while self.turns.get(self.turn).is_some_and(has_begun) {
            self.turn += 1;
            self.before.push((self.told.clone(), false));
        }
    }

    fn happened(&mut self, line: &RolloutLine<'_>) -> Option<Happened> {
        if line.kind() == LineKind::ResponseItem {
            let item = Item::from_record(line.payload()).ok()?;
            return Some(match Speaker::of(&item) {
                Speaker::Person => Happened::Said(item),
                Speaker::Model => Happened::Did(item),
                Speaker::Context | Speaker::Attachment => Happened::Told(item),
            });
        }
        Some(match line.decode() {
            RolloutPayload::WorldState(record) => self.tell(record),
            RolloutPayload::TurnContext(context) => Happened::Settings(Box::new(context)),
            RolloutPayload::TokenUsageRecord(record) => Happened::Usage(record.usage),
            RolloutPayload::Compacted(compacted) => {
                self.told = WorldStateSnapshot::default();
                let Compacted { message, replacement_history: items, .. } = compacted;
                Happened::Compacted { message, items }
            }
            RolloutPayload::EventMsg(event) => return self.event(event),
            RolloutPayload::SessionMeta(_)
            | RolloutPayload::ResponseItem(_)
            | RolloutPayload::Other => return None,
        })
    }

    fn event(&mut self, event: EventMsg) -> Option<Happened> {
        match event {
            EventMsg::TaskComplete { error: None, .. } => Some(Happened::Ended),
            EventMsg::TaskComplete { error: Some(error), .. } => {
                Some(Happened::Failed(error.message))
            }
            EventMsg::TurnAborted { reason, .. } => Some(Happened::Aborted(reason)),
            EventMsg::ThreadRolledBack { num_turns } => {
                self.take_back(num_turns);
                Some(Happened::TakenBack { turns: num_turns })
            }
            EventMsg::Other { name } if name == SETTINGS_APPLIED => Some(Happened::SettingsApplied),
            EventMsg::TaskStarted { .. }
            | EventMsg::UserMessage { .. }
            | EventMsg::Other { .. } => None,
        }
    }

    fn tell(&mut self, record: WorldStateRecord) -> Happened {
        let WorldStateRecord { full, state: Some(state) } = record else {
            self.told = WorldStateSnapshot::default();
            return Happened::State { full: record.full, changes: None };
        };
        let before = std::mem::take(&mut self.told);
        let before = if full { WorldStateSnapshot::default() } else { before };
        self.told = before.patched(&state);
        Happened::State { full, changes: Some(changes(&before, &self.told)) }
    }

    /// Goes back to what was told before the last turns of a person.
    fn take_back(&mut self, count: u64) {
        let mut left = count;
        for (turn, (told, is_gone)) in self.turns.iter().zip(&mut self.before).rev() {
            if left == 0 {
                break;
            }
            if *is_gone {
                continue;
            }
            *is_gone = true;
            self.told = told.clone();
            left -= u64::from(turn.from_person);
        }
    }
}

/// What of a state is not as it was told before.
pub(super) fn changes(
    before: &WorldStateSnapshot,
    after: &WorldStateSnapshot,
) -> Vec<SectionChange> {
    let gone = before.sections().filter(|section| after.section(section).is_none());
    gone.chain(after.sections())
        .filter(|section| before.section(section) != after.section(section))
        .map(|section| SectionChange {
            section: section.to_owned(),
            before: before.section(section).cloned(),
            after: after.section(section).cloned(),
        })
        .collect()
}
