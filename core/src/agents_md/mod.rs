//! AGENTS.md: which files count in a directory, what of them the model reads, and when they are read again.

mod document;

pub use document::{
    Candidate, CandidateOutcome, HostInstructions, InstructionEntry, InstructionsText,
    LoadedAgentsMd, LostLine, ProjectDocs, SourceSpan,
};
