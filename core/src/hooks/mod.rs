//! Hooks: commands of the person that run at fixed points of a session, and what they may change there.
//!
//! A hook that fails, hangs or answers nonsense is a [`HookVerdict::Failed`] that says so; the turn goes on without it.

mod answer;
mod call;
#[cfg(feature = "process")]
mod process;
mod run;
mod runner;
mod spec;

pub use answer::{HookFailure, HookOutcome, HookVerdict};
pub use call::{HookCall, HookContext, SessionStartSource};
#[cfg(feature = "process")]
pub use process::LocalHookRunner;
pub use run::run_hooks;
pub use runner::{HookEnd, HookOutput, HookProcess, HookRunner, MAX_OUTPUT_BYTES};
pub use spec::{DEFAULT_TIMEOUT, HookEvent, HookSpec};

pub use crate::config::{HookMatcher, MatcherError};
