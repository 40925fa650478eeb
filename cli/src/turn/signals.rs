//! The person, or the system, wants the program to stop.

use std::io;

use tokio::signal::unix::{Signal, SignalKind, signal};

/// Wishes to stop: Ctrl-C, a `kill`, a terminal that goes away. From the first use on none of them ends the program by
/// itself.
#[derive(Debug)]
pub(super) struct Stops {
    interrupt: Signal,
    terminate: Signal,
    hang_up: Signal,
}

impl Stops {
    pub(super) fn listen() -> io::Result<Self> {
        Ok(Self {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
            hang_up: signal(SignalKind::hangup())?,
        })
    }

    /// Waits for the next one.
    pub(super) async fn next(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
            _ = self.hang_up.recv() => {}
        }
    }
}
