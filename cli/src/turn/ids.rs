//! Names that nobody else makes.

use recto_core::session::IdSource;
use recto_protocol::{ThreadId, TurnId};

use crate::env::SystemClock;

/// Makes names that sort by time.
#[derive(Debug, Clone, Copy)]
pub(super) struct TimedIds;

impl IdSource for TimedIds {
    fn turn_id(&self) -> TurnId {
        TurnId::from_uuid(SystemClock::unique_id())
    }
}

/// The name of a session that begins.
pub(super) fn thread_id() -> ThreadId {
    ThreadId::from_uuid(SystemClock::unique_id())
}
