//! The exit codes of the program; scripts rely on them.

use std::process::ExitCode;

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum ExitStatus {
    /// All is well; also where the reader of standard output went away.
    Fine = 0,
    /// It ran and found faults: `explain --strict`, `rollout verify`, `rollout repair`, `rollout why`. Or the turn of
    /// `exec` or `resume` did not come to its end.
    Faults = 1,
    /// Usage, configuration or input could not be read, or output not be written.
    Unusable = 2,
}

impl From<ExitStatus> for ExitCode {
    fn from(status: ExitStatus) -> Self {
        Self::from(status as u8)
    }
}
