//! Recorded sessions.

mod belief;
mod bound;
mod cache;
mod catalog;
mod checked_repair;
mod continue_error;
mod copy;
mod draft;
mod encode;
mod entry;
mod fault;
mod file;
mod late_file;
mod locate;
mod lock;
mod new_rollout;
mod open;
mod opened;
mod ordinal;
mod reader;
mod recorder;
mod records;
mod repair;
mod replay;
mod scan;
mod session_recorder;
mod settings;
mod sink;
mod speaker;
mod summary;
mod tail;
mod transcript;
mod writer;

pub use belief::{Belief, Cause, NoStep, TurnFacts, belief, changed_last, turn_facts};
pub use bound::{MAX_OUTPUT_BYTES, bound_output};
pub use cache::{Break, BreakCause, Difference, Kept, SentRequest, sent_requests};
pub use catalog::{Catalog, SessionFile, SkipReason, Skipped};
pub use checked_repair::{CheckedRepair, PromptDifference, discard_unfinished, repair_checked};
pub use continue_error::ContinueError;
pub use encode::EntryEncoder;
pub use entry::{RecordError, RolloutEntry, SessionRecorder, ThreadSettings, TurnContextItem};
pub use fault::{FaultCause, Faults, LineFault, Place};
pub use file::{FileState, LocalRolloutFile, RolloutFile};
pub use locate::{ListedSession, LocateError, SessionList};
pub use lock::LockHolder;
pub use new_rollout::{NewRollout, continues_in_place};
pub use open::FileFacts;
pub use opened::OpenError;
pub use reader::{MAX_LINE_BYTES, Record, RolloutReader};
pub use recorder::{FileRecorder, Reopened};
pub use repair::{Change, ChangeKind, CopyError, RepairError, Repaired, repair, repair_lines};
pub use replay::{
    Baseline, ChainPart, ContextWindow, PartEnd, RecordPlace, RecordedTurn, ReplayError,
    ReplayedSession, RolloutChain, TurnStart, Until, UsageReport, replay, replay_bytes, walk,
};
pub use session_recorder::{Resumed, RolloutClock, RolloutRecorder};
pub use settings::{RecorderSettings, SessionStart, SyncPolicy};
pub use sink::{AppendError, RolloutSink};
pub use speaker::{Speaker, title_of};
pub use summary::SessionSummary;
pub use tail::Mended;
pub use transcript::{Happened, SectionChange, TranscriptEntry, transcript};
#[cfg(feature = "testing")]
pub(crate) use writer::{LineWriter, Numbering};
