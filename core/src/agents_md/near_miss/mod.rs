//! What looks like an instruction that the model should have read, or reads otherwise than its author thinks.
//!
//! Asked for by those who inspect, never by a turn: the looks that this takes are made here alone and counted apart.

mod kind;
mod search;
mod text;

pub use kind::{NearMiss, NearMissKind};
pub use search::{NearMisses, near_misses};
