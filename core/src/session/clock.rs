//! The time and the names that a session needs; the program that runs the engine brings them.

use std::fmt;

use recto_protocol::TurnId;

/// A day in a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LocalTime {
    /// `2026-11-30`.
    pub date: String,
    /// The IANA name of the time zone.
    pub timezone: String,
}

/// Tells the time.
pub trait Clock: fmt::Debug + Send + Sync {
    /// The day and the time zone now.
    fn local_time(&self) -> LocalTime;
}

impl Clock for LocalTime {
    /// A clock that stands still.
    fn local_time(&self) -> LocalTime {
        self.clone()
    }
}

/// Makes names that nobody else makes.
pub trait IdSource: fmt::Debug + Send + Sync {
    /// A name for a turn.
    fn turn_id(&self) -> TurnId;
}
