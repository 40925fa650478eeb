//! How much of a file is read.

use std::io;

use recto_protocol::rollout::Ordinal;

/// How much of a file belongs to a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PartEnd {
    /// All of it.
    File,
    /// What stands before a byte.
    Byte(u64),
    /// What stands before the line with an ordinal.
    Ordinal(u64),
}

impl PartEnd {
    /// Whether a record at this byte, with this ordinal, is not part of it any more.
    pub(in crate::rollout) fn is_reached(self, offset: u64, ordinal: Option<Ordinal>) -> bool {
        match self {
            Self::File => false,
            Self::Byte(end) => offset >= end,
            Self::Ordinal(end) => {
                ordinal.and_then(Ordinal::number).is_some_and(|number| number >= end)
            }
        }
    }
}

/// A file to be read, and how much of it.
pub(super) type Part<R> = (io::Result<R>, PartEnd);
