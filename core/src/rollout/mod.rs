//! Recorded sessions.

mod bound;
mod entry;
mod file;
mod lock;
mod ordinal;
mod recorder;
mod records;
mod repair;
mod scan;
mod settings;
mod sink;
mod tail;
mod writer;
mod fault;
mod reader;

pub use bound::{MAX_OUTPUT_BYTES, bound_output};
pub use entry::{RecordError, RolloutEntry, SessionRecorder, TurnContextItem};
pub use file::{FileState, LocalRolloutFile, RolloutFile};
pub use lock::LockHolder;
pub use recorder::{FileRecorder, OpenError, Reopened};
pub use repair::{Change, ChangeKind, CopyError, RepairError, Repaired, repair, repair_lines};
pub use settings::{RecorderSettings, SessionStart, SyncPolicy};
pub use sink::{AppendError, RolloutSink};
pub use tail::Mended;
#[cfg(feature = "testing")]
pub(crate) use writer::{LineWriter, Numbering};
pub use fault::{FaultCause, Faults, LineFault, Place};
pub use reader::{MAX_LINE_BYTES, Record, RolloutReader};
