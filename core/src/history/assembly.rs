//! The items that go out, worked out one recorded item at a time.

use std::sync::Arc;

use recto_protocol::{Item, SharedList};

use super::audience::Audience;
use super::fate::{Fate, LeftOut};
use super::pairs::{Link, OutputKind, aborted};
use super::prepare::{Piece, prepare};
use super::recorded::Recorded;
use super::shared_map::SharedMap;
use super::tokens::{Tokens, estimate};

/// What goes out of the items that were recorded so far; a clone shares it.
///
/// It is a pure function of these items and the audience, so live, resumed and looked at later it is the same. An
/// addition leaves it as it is and adds to its end, but for one case: an output whose call was sent as aborted takes
/// the `aborted` away, which is nothing in the usual case, where no request was made between the two.
#[derive(Debug, Clone, Default)]
pub(super) struct Assembly {
    input: SharedList<Item>,
    tokens: Tokens,
    calls: SharedMap<Call>,
    /// Thoughts at the end, until what they led to comes.
    thoughts: Vec<Indexed>,
    /// How many items were added.
    len: usize,
}

/// A piece and the place of its item in the log.
#[derive(Debug, Clone)]
struct Indexed {
    index: usize,
    piece: Piece,
}

/// What is known about an id that calls and outputs share.
#[derive(Debug, Clone)]
enum Call {
    /// An output came and no call yet.
    Early(OutputKind, Arc<Indexed>),
    /// The call waits; this stands for its output.
    Open(OutputKind, Item),
    /// The call has its output.
    Answered(OutputKind),
}

impl Assembly {
    /// What goes out, oldest first.
    pub(super) fn input(&self) -> &SharedList<Item> {
        &self.input
    }

    /// The estimated tokens of what goes out.
    pub(super) fn tokens(&self) -> Tokens {
        self.tokens
    }

    /// Works out what goes out of these items.
    pub(super) fn of<'a>(
        items: impl IntoIterator<Item = &'a Recorded>,
        audience: &Audience,
    ) -> Self {
        let mut assembly = Self::default();
        for recorded in items {
            assembly.add(recorded, audience, &mut |_, _| {});
        }
        assembly
    }

    /// Adds what the next item brings; `tell` hears what became of which item, the last word counts.
    pub(super) fn add(
        &mut self,
        recorded: &Recorded,
        audience: &Audience,
        tell: &mut impl FnMut(usize, Fate),
    ) {
        let index = self.len;
        self.len += 1;
        let piece = match prepare(recorded, audience) {
            Ok(piece) => piece,
            Err(reason) => return tell(index, Fate::LeftOut(reason)),
        };
        let added = Indexed { index, piece };
        match added.piece.link.clone() {
            Link::Reasoning => {
                tell(index, Fate::LeftOut(LeftOut::ReasoningAlone));
                self.thoughts.push(added);
            }
            Link::None => {
                self.thoughts.clear();
                self.send(added, tell);
            }
            Link::OfModel => self.send_with_thoughts(added, tell),
            Link::Call(kind, id) => self.call(kind, id, added, tell),
            Link::Output(kind, id) => self.output(kind, id, added, tell),
        }
    }

    fn call(
        &mut self,
        kind: OutputKind,
        id: Arc<str>,
        added: Indexed,
        tell: &mut impl FnMut(usize, Fate),
    ) {
        let early = match self.calls.get(&id) {
            Some(Call::Open(..) | Call::Answered(_)) => {
                return tell(added.index, Fate::LeftOut(LeftOut::RepeatedCall(id.to_string())));
            }
            Some(Call::Early(early_kind, early)) if *early_kind == kind => Some(early.clone()),
            Some(Call::Early(..)) | None => None,
        };
        self.send_with_thoughts(added, tell);
        if let Some(early) = early {
            self.send(Arc::unwrap_or_clone(early), tell);
            self.calls.insert(id, Call::Answered(kind));
        } else {
            let aborted = aborted(kind, &id);
            self.push(aborted.clone(), estimate(aborted.view()));
            self.calls.insert(id, Call::Open(kind, aborted));
        }
    }

    fn output(
        &mut self,
        kind: OutputKind,
        id: Arc<str>,
        added: Indexed,
        tell: &mut impl FnMut(usize, Fate),
    ) {
        let aborted = match self.calls.get(&id) {
            Some(Call::Open(open, aborted)) if *open == kind => aborted.clone(),
            Some(Call::Answered(answered) | Call::Early(answered, _)) if *answered == kind => {
                return tell(added.index, Fate::LeftOut(LeftOut::RepeatedOutput(id.to_string())));
            }
            Some(_) => {
                return tell(
                    added.index,
                    Fate::LeftOut(LeftOut::OutputWithoutCall(id.to_string())),
                );
            }
            None => {
                tell(added.index, Fate::LeftOut(LeftOut::OutputWithoutCall(id.to_string())));
                return self.calls.insert(id, Call::Early(kind, Arc::new(added)));
            }
        };
        if self.input.remove_last_where(|item| item.is_same(&aborted)).is_some() {
            self.tokens -= estimate(aborted.view());
        }
        self.thoughts.clear();
        self.send(added, tell);
        self.calls.insert(id, Call::Answered(kind));
    }

    fn send_with_thoughts(&mut self, added: Indexed, tell: &mut impl FnMut(usize, Fate)) {
        for thought in std::mem::take(&mut self.thoughts) {
            self.send(thought, tell);
        }
        self.send(added, tell);
    }

    fn send(&mut self, added: Indexed, tell: &mut impl FnMut(usize, Fate)) {
        tell(added.index, Fate::Sent(added.piece.changes));
        self.push(added.piece.item, added.piece.tokens);
    }

    fn push(&mut self, item: Item, tokens: Tokens) {
        self.tokens += tokens;
        self.input.push(item);
    }
}
