//! Where the turns of a recorded session begin and end.
//!
//! The reference marks a turn's beginning by an event. Where a file has none, a turn begins with the updates that
//! stand before what a person says, or with that itself.

use super::recorded_turn::{RecordPlace, RecordedTurn};
use super::state::Lengths;
use super::window::Baseline;

/// What a line means for turns.
#[derive(Debug)]
pub(super) enum Happening {
    /// An event says that a turn begins.
    Started(Option<String>),
    /// An event says that it ended.
    Ended,
    /// Context or an update, before a person speaks.
    Context,
    /// What the program adds after a person spoke.
    Attachment,
    /// World state; whether it is the whole state.
    WorldState(bool),
    /// The settings of a turn.
    Settings(Option<String>),
    /// A person spoke.
    Person,
    /// The model answered, or a tool did.
    Model,
    /// The conversation was replaced.
    Compacted,
}

/// A place to come back to.
#[derive(Debug, Clone, Default)]
pub(super) struct Mark {
    pub(super) place: RecordPlace,
    pub(super) lengths: Lengths,
    /// What the model was told of the world.
    pub(super) told: Baseline,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Phase {
    #[default]
    Idle,
    /// In a turn whose beginning an event marked.
    Marked,
    /// In what may stand before a person speaks.
    Opening,
    Asked,
    Answering,
    /// A whole world state may follow; it belongs to the compaction.
    Compacted,
}

#[derive(Debug, Default)]
pub(super) struct Turns {
    all: Vec<RecordedTurn>,
    marks: Vec<Mark>,
    phase: Phase,
    /// Where the next turn begins, if a person speaks before the model answers.
    pending: Option<Mark>,
}

impl Turns {
    /// Takes note of a line that stands at `here`.
    pub(super) fn observe(&mut self, happening: Happening, here: Mark) {
        match happening {
            Happening::Started(turn_id) => {
                self.open(here, turn_id);
                self.phase = Phase::Marked;
            }
            Happening::Ended => self.phase = Phase::Idle,
            Happening::Person => self.person(here),
            Happening::Settings(turn_id) => {
                self.opening(here);
                if let Some(turn) = self.all.last_mut().filter(|_| self.pending.is_none()) {
                    turn.turn_id = turn.turn_id.take().or(turn_id);
                }
            }
            Happening::WorldState(true) if self.phase == Phase::Compacted => {
                self.phase = Phase::Answering;
            }
            Happening::Context | Happening::WorldState(_) => self.opening(here),
            Happening::Model => self.model(here),
            Happening::Compacted if self.phase != Phase::Marked => {
                self.pending = None;
                self.phase = Phase::Compacted;
            }
            Happening::Compacted | Happening::Attachment => {}
        }
    }

    fn opening(&mut self, here: Mark) {
        match self.phase {
            Phase::Idle | Phase::Answering | Phase::Compacted => {
                self.open(here, None);
                self.phase = Phase::Opening;
            }
            Phase::Asked => {
                self.pending.get_or_insert(here);
            }
            Phase::Marked | Phase::Opening => {}
        }
    }

    fn person(&mut self, here: Mark) {
        match self.phase {
            Phase::Marked | Phase::Opening => {}
            Phase::Asked => {
                let start = self.pending.take().unwrap_or(here);
                self.open(start, None);
            }
            Phase::Idle | Phase::Answering | Phase::Compacted => self.open(here, None),
        }
        if let Some(turn) = self.all.last_mut() {
            turn.from_person = true;
        }
        if self.phase != Phase::Marked {
            self.phase = Phase::Asked;
        }
    }

    fn model(&mut self, here: Mark) {
        if self.phase == Phase::Idle && self.all.is_empty() {
            self.open(here, None);
        }
        if self.phase != Phase::Marked {
            self.phase = Phase::Answering;
            self.pending = None;
        }
    }

    fn open(&mut self, start: Mark, turn_id: Option<String>) {
        if let Some(last) = self.all.last_mut() {
            last.end = Some(start.place);
        }
        self.pending = None;
        let place = start.place;
        self.marks.push(start);
        self.all.push(RecordedTurn {
            number: self.all.len() + 1,
            turn_id,
            start: place,
            end: None,
            from_person: false,
            taken_back: false,
        });
    }

    /// Takes back the last `count` turns in which a person spoke, and all between them; where to go back to.
    pub(super) fn take_back(&mut self, count: u64) -> Option<Mark> {
        let mut left = count;
        let mut start = None;
        for (index, turn) in self.all.iter_mut().enumerate().rev() {
            if left == 0 {
                break;
            }
            if turn.taken_back {
                continue;
            }
            turn.taken_back = true;
            start = Some(index);
            left -= u64::from(turn.from_person);
        }
        self.phase = Phase::Idle;
        self.pending = None;
        start.and_then(|index| self.mark(index))
    }

    /// How many there are so far.
    pub(super) fn len(&self) -> usize {
        self.all.len()
    }

    /// The last one.
    pub(super) fn last(&self) -> Option<&RecordedTurn> {
        self.all.last()
    }

    /// Where turn `index` (from 0) began.
    pub(super) fn mark(&self, index: usize) -> Option<Mark> {
        self.marks.get(index).cloned()
    }

    /// The turns, and how things stood where those began that a person began.
    pub(super) fn finish(self) -> (Vec<RecordedTurn>, Vec<Mark>) {
        let marks = self.all.iter().zip(self.marks);
        let starts = marks
            .filter(|(turn, _)| turn.from_person && !turn.taken_back)
            .map(|(_, mark)| mark)
            .collect();
        (self.all, starts)
    }
}
