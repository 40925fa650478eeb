//! What stands in one filling of the model's context.

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
