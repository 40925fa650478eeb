//! From the lines of a rollout to the session as it stood, at its end or at any turn.
//!
//! The past is rebuilt from the record alone: no file of a project is read here.

mod chain;
mod lines;
mod ordinals;
mod run;
mod session;
mod state;
mod turns;
mod walk;

pub use chain::{ChainPart, PartEnd, RolloutChain};
pub use run::{ReplayError, Until, replay, replay_bytes};
pub use session::{Baseline, ContextWindow, ReplayedSession};
pub use turns::{RecordPlace, RecordedTurn};
pub use walk::walk;
