//! The lines of a rollout: one JSON object each, kept as it came, with typed views of what stands in it.
//!
//! docs/rollouts.md describes the format. Decoding here is lenient: a member that is missing or odd is none, and a
//! type that this program does not know is [`RolloutPayload::Other`]. The text of a line is never changed.

mod compacted;
mod event;
mod line;
mod ordinal;
mod session_meta;
mod timestamp;
mod token_usage;
mod turn_context;
mod world_state;
mod write;

pub use compacted::Compacted;
pub use event::{EventMsg, TurnError};
pub use line::{LineError, LineForm, LineKind, RolloutLine, RolloutPayload};
pub use ordinal::Ordinal;
pub use session_meta::{HistoryBase, RecordedInstructions, SessionMeta};
pub use timestamp::epoch_milliseconds;
pub use token_usage::TokenUsageRecord;
pub use turn_context::TurnContext;
pub use world_state::WorldStateRecord;
pub use write::LineStamp;
