//! Recorded sessions.

mod entry;

pub use entry::{RecordError, RolloutEntry, SessionRecorder, TurnContextItem};
