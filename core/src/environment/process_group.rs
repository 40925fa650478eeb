//! Processes that end with us.

use rustix::process::{Pid, Signal, kill_process_group};
use tokio::process::Child;

/// Kills a process and all that it started, unless it ended first.
#[derive(Debug)]
pub(crate) struct ProcessGroup(Option<Pid>);

impl ProcessGroup {
    /// The group of a process that leads one: it was started with `process_group(0)`.
    pub(crate) fn of(leader: &Child) -> Self {
        let id = leader.id().and_then(|id| i32::try_from(id).ok());
        Self(id.and_then(Pid::from_raw))
    }

    /// Leaves the group alone: its leader is gone, and its number may soon be another's.
    #[cfg(any(feature = "process", feature = "sftp"))]
    pub(crate) fn disarm(&mut self) {
        self.0 = None;
    }
}

impl Drop for ProcessGroup {
    fn drop(&mut self) {
        if let Some(group) = self.0 {
            // Where nobody is left there is nobody to kill.
            let _ = kill_process_group(group, Signal::KILL);
        }
    }
}
