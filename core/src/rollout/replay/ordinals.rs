//! Which ordinal the next line must carry.

use recto_protocol::rollout::Ordinal;

use super::super::fault::FaultCause;

/// Counts along; the order of lines is that of the file, whatever they say.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Ordinals {
    next: u64,
    seen: bool,
    required: bool,
}

impl Ordinals {
    /// The file says that every line has one.
    pub(super) fn require(&mut self) {
        self.required = true;
    }

    /// Takes note of a line, and says what is odd about its ordinal.
    pub(super) fn observe(&mut self, ordinal: Option<Ordinal>) -> Option<FaultCause> {
        let expected = self.next;
        match ordinal {
            Some(Ordinal::Number(number)) => {
                self.next = self.next.max(number.saturating_add(1));
                let first = !self.seen;
                self.seen = true;
                (number != expected && !(first && expected == 0))
                    .then(|| FaultCause::Ordinal { found: number.to_string(), expected })
            }
            Some(Ordinal::Odd) => {
                self.next = expected.saturating_add(1);
                self.seen = true;
                Some(FaultCause::Ordinal { found: "?".to_owned(), expected })
            }
            None => {
                if !self.seen {
                    self.next = expected.saturating_add(1);
                }
                (self.required || self.seen).then_some(FaultCause::NoOrdinal)
            }
        }
    }

    /// The ordinal of the next line; none where the lines of this file carry none.
    pub(super) fn next(self) -> Option<u64> {
        (self.seen || self.required).then_some(self.next)
    }
}
