//! What time it is, as far as a model is told.

use std::fmt;

/// A day in a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LocalTime {
    /// `2026-11-30`.
    pub date: String,
    /// The IANA name of the time zone.
    pub timezone: String,
}

/// Tells the time; the program that runs the engine brings the clock.
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
