//! One request, and how much of the one before it begins with.

use recto_protocol::{Item, TokenUsage};

use super::super::replay::RecordPlace;
use super::super::transcript::SectionChange;

/// A request that a recorded session made.
///
/// Bytes are those of the input as it goes out: its items with one byte between them. What stands before the input,
/// base instructions and tools, is not counted.
#[derive(Debug, Clone, PartialEq)]
pub struct SentRequest {
    /// The turn that it was made in, from 1; 0 where it stands before the first.
    pub turn: usize,
    /// Where its answer begins.
    pub place: RecordPlace,
    /// When its answer was recorded.
    pub time: Option<String>,
    /// Items of its input.
    pub items: usize,
    /// Bytes of its input.
    pub bytes: u64,
    /// Whether it asked for the summary that a compaction put in the place of the conversation.
    pub asks_for_summary: bool,
    /// What it has of the one before; none for the first.
    pub kept: Option<Kept>,
    /// What the server said that it cost.
    pub usage: Option<TokenUsage>,
}

/// How much of the request before a request begins with.
#[derive(Debug, Clone, PartialEq)]
pub struct Kept {
    /// Whole items.
    pub items: usize,
    /// Bytes, also of the item in which the two begin to differ.
    pub bytes: u64,
    /// Bytes of the request before.
    pub of: u64,
    /// Why that is not all of it, or is of no use.
    pub broken: Option<Break>,
}

/// The end of what two requests have in common, before the end of the first.
#[derive(Debug, Clone, PartialEq)]
pub struct Break {
    /// What happened between them that explains it.
    pub causes: Vec<BreakCause>,
    /// The first item that differs; none where another model reads the same.
    pub first: Option<Difference>,
    /// What of the world's state had been told otherwise before.
    pub state: Vec<SectionChange>,
}

/// What makes a request go on otherwise than the one before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BreakCause {
    /// A summary took the place of the conversation.
    Compacted,
    /// The last turns were taken back.
    TakenBack {
        /// How many.
        turns: u64,
    },
    /// Another model reads it.
    OtherModel {
        /// The one before.
        before: String,
        /// The one now.
        now: String,
    },
    /// Another provider serves it.
    OtherProvider {
        /// The one before.
        before: String,
        /// The one now.
        now: String,
    },
    /// A call that had gone out as aborted was answered later.
    LateOutput,
}

/// Where two requests begin to differ.
#[derive(Debug, Clone, PartialEq)]
pub struct Difference {
    /// The item, from 1.
    pub item: usize,
    /// What stood there.
    pub before: Item,
    /// What stands there; none where the request ends before.
    pub now: Option<Item>,
}
