//! The items of a conversation.

use std::sync::Arc;

use recto_protocol::{Item, SharedList, TokenUsage};

use super::assembly::Assembly;
use super::audience::Audience;
use super::recorded::Recorded;
use super::tokens::Tokens;

/// What the model saw so far; an item that is in it never changes.
///
/// A clone shares everything and costs the same whatever the length.
#[derive(Debug, Clone, Default)]
pub struct History {
    audience: Arc<Audience>,
    log: Log,
    assembly: Assembly,
    /// Where each turn began.
    turns: SharedList<TurnMark>,
    /// The logs of earlier windows that turns began in, as they stood at their ends.
    earlier: SharedList<Log>,
    window: u64,
}

/// The items and what the server said about them; a clone shares them.
#[derive(Debug, Clone, Default)]
struct Log {
    items: SharedList<Recorded>,
    reported: Option<Reported>,
}

/// Where a turn began. A log only grows, so that its length says how it stood.
#[derive(Debug, Clone)]
struct TurnMark {
    /// How many logs were left behind before.
    earlier: usize,
    len: usize,
    reported: Option<Reported>,
}

/// What a server counted, and our own estimate of the same items.
#[derive(Debug, Clone, Copy)]
struct Reported {
    total: Tokens,
    estimate: Tokens,
}

/// Why a conversation cannot go back. A session that is recorded can: see
/// [`Session::roll_back_to`](crate::session::Session::roll_back_to).
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("cannot go back {asked} turns: this history holds {held}; build it from the record")]
pub struct RollbackError {
    /// How many turns were to go.
    pub asked: usize,
    /// How many turns began in this history.
    pub held: usize,
}

impl History {
    /// An empty conversation with the model that is its first audience.
    pub fn new(audience: Audience) -> Self {
        Self { audience: Arc::new(audience), ..Self::default() }
    }

    /// Adds items at the end.
    ///
    /// What is sealed among them counts as sealed by the provider of the audience.
    pub fn record(&mut self, items: impl IntoIterator<Item = Item>) {
        for item in items {
            let recorded = Recorded { item, provider: self.audience.provider.clone() };
            self.assembly.add(&recorded, &self.audience, &mut |_, _| {});
            self.log.items.push(recorded);
        }
    }

    /// The items, oldest first.
    pub fn items(&self) -> impl DoubleEndedIterator<Item = &Item> + ExactSizeIterator + Clone {
        self.log.items.iter().map(|recorded| &recorded.item)
    }

    /// The items, each with the provider that it was recorded at.
    pub(super) fn recorded(&self) -> &SharedList<Recorded> {
        &self.log.items
    }

    /// What goes out to the history's own audience.
    pub(super) fn assembly(&self) -> &Assembly {
        &self.assembly
    }

    /// Who reads the next request.
    pub fn audience(&self) -> &Audience {
        &self.audience
    }

    /// Says who reads the next requests and makes what is recorded from now on.
    ///
    /// Another audience costs a look at every item, the same one nothing.
    pub fn set_audience(&mut self, audience: &Audience) {
        if *audience != *self.audience {
            self.audience = Arc::new(audience.clone());
            self.assembly = Assembly::of(&self.log.items, audience);
        }
    }

    /// Which window this is: 0 at first, one more each time that items went away.
    ///
    /// Within a window a request's input begins with the input of the one before, unless another audience reads it or
    /// an output came after its call was sent as aborted.
    pub fn window(&self) -> u64 {
        self.window
    }

    /// Puts other items in the place of all, after a compaction; what the server counted before is forgotten.
    pub fn replace(&mut self, items: impl IntoIterator<Item = Item>) {
        let left = std::mem::take(&mut self.log);
        if self.turns.last().is_some_and(|turn| turn.earlier == self.earlier.len()) {
            self.earlier.push(left);
        }
        self.assembly = Assembly::default();
        self.window += 1;
        self.record(items);
    }

    /// Remembers the end as the place that a rollback of the turn which begins here goes back to.
    ///
    /// It stands before the turn's compaction and its updates, and is called for turns with input of a person only.
    pub fn begin_turn(&mut self) {
        self.turns.push(TurnMark {
            earlier: self.earlier.len(),
            len: self.log.items.len(),
            reported: self.log.reported,
        });
    }

    /// Forgets the place of the last turn, so that a rollback takes what was recorded in it with the turn before.
    pub fn forget_turn(&mut self) {
        self.turns.pop();
    }

    /// A conversation of its own without the oldest items; what is sealed stays sealed by who sealed it.
    #[must_use]
    pub fn without_oldest(&self, count: usize) -> Self {
        let items: SharedList<Recorded> = self.log.items.iter().skip(count).cloned().collect();
        let assembly = Assembly::of(&items, &self.audience);
        let log = Log { items, reported: None };
        Self { audience: Arc::clone(&self.audience), log, assembly, ..Self::default() }
    }

    /// How many turns could be taken back.
    pub fn turns(&self) -> usize {
        self.turns.len()
    }

    /// Takes the last turns back with all that was recorded in them, over compactions too.
    ///
    /// Where this history does not hold so many turns it stays as it is.
    pub fn roll_back(&mut self, turns: usize) -> Result<(), RollbackError> {
        let error = RollbackError { asked: turns, held: self.turns.len() };
        if turns > self.turns.len() {
            return Err(error);
        }
        let mut start = None;
        for _ in 0..turns {
            start = self.turns.pop();
        }
        if let Some(start) = start {
            while self.earlier.len() > start.earlier {
                self.log = self.earlier.pop().ok_or(error)?;
            }
            self.log.items.truncate(start.len);
            self.log.reported = start.reported;
            self.assembly = Assembly::of(&self.log.items, &self.audience);
            self.window += 1;
        }
        Ok(())
    }

    /// Notes what the server counted for everything up to here, its own answer included.
    ///
    /// Where a server said that the context is too long, the caller notes the whole window.
    pub fn note_usage(&mut self, usage: &TokenUsage) {
        let total = usage.total_tokens;
        self.log.reported = Some(Reported { total, estimate: self.assembly.tokens() });
    }

    /// The tokens of the next request: what the server counted last and an estimate of what came after.
    pub fn context_tokens(&self) -> Tokens {
        let estimate = self.assembly.tokens();
        match self.log.reported {
            Some(reported) => (reported.total + estimate).saturating_sub(reported.estimate),
            None => estimate,
        }
    }

    /// The tokens of the next request's input, estimated from bytes alone.
    pub fn estimated_tokens(&self) -> Tokens {
        self.assembly.tokens()
    }
}
