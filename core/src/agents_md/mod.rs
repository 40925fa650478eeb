//! AGENTS.md: which files count in a directory, what of them the model reads, and when they are read again.

mod comparison;
mod discovery;
mod document;
mod host;
mod load;
mod manager;
mod named_paths;
mod near_miss;

pub use comparison::{FileComparison, compare};
pub use document::{
    Candidate, CandidateOutcome, HostInstructions, InstructionEntry, InstructionsText,
    LoadedAgentsMd, LostLine, ProjectDocs, SourceSpan,
};
pub use host::{CodexHomeInstructions, UserInstructionsProvider};
pub use manager::{AgentsMdError, AgentsMdManager, AgentsMdRequest, Freshness};
pub use near_miss::{NearMiss, NearMissKind, NearMisses, near_misses};
