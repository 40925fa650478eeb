//! What stands in one filling of the model's context.

use recto_protocol::TokenUsage;

use crate::world_state::WorldStateSnapshot;

/// What the model was told of the world, as far as the record goes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Baseline {
    /// Nothing: the next step tells it all.
    #[default]
    Absent,
    /// Something, but not exactly what: the record is missing or does not decode.
    Unknown,
    /// This.
    Known(WorldStateSnapshot),
}

/// Where a turn of a person began.
#[derive(Debug, Clone, PartialEq)]
pub struct TurnStart {
    /// How many items of the window came before it.
    pub items: usize,
    /// What the model had been told of the world.
    pub baseline: Baseline,
    /// Whether the server had said that the conversation no longer fits.
    pub is_full: bool,
}

/// What a response cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UsageReport {
    /// How many items of the window stood there then.
    pub items: usize,
    /// What it cost, with everything that it read.
    pub usage: TokenUsage,
}

/// One filling of the model's context.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ContextWindow {
    /// How many came before it.
    pub number: u64,
    /// Its name.
    pub id: Option<String>,
    /// The first one's name.
    pub first_id: Option<String>,
    /// The name of the one before.
    pub previous_id: Option<String>,
}
