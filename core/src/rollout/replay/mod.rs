//! From the lines of a rollout to the session as it stood, at its end or at any turn.
//!
//! The past is rebuilt from the record alone: no file of a project is read here.

mod chain;
mod error;
mod lines;
mod ordinals;
mod part;
mod recorded_turn;
mod replacement;
mod run;
mod session;
mod state;
mod turns;
mod until;
mod walk;
mod window;

pub use chain::{ChainPart, RolloutChain};
pub use error::ReplayError;
pub use part::PartEnd;
pub use recorded_turn::{RecordPlace, RecordedTurn};
pub(super) use replacement::replacement_of;
pub use run::{replay, replay_bytes};
pub use session::ReplayedSession;
pub use until::Until;
pub use walk::walk;
pub use window::{Baseline, ContextWindow, TurnStart, UsageReport};
