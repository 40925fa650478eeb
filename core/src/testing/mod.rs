//! What tests of this crate, of the command and of agents built on the crate share: directory trees written as one
//! string, file systems that count, wait or stand far away, and rollouts in memory.
//!
//! Behind the feature `testing`; nothing else in the crate names it. What goes wrong here panics.

mod case;
mod controlled;
mod counting;
mod distant;
mod environment;
mod escape;
mod fixture;
mod hooks;
#[cfg(feature = "sftp")]
mod hosted;
mod layout;
mod memory;
mod rollout;
mod rounds;
mod scripted;
mod served;
#[cfg(feature = "sftp")]
mod server;
mod wire;

pub use case::Case;
pub use controlled::{ControlledFileSystem, HeldCall};
pub use counting::{Call, CallKind, CountingFileSystem};
pub use distant::{DistantFileSystem, LATENCY};
pub use environment::{TestEnvironment, file_system_under_test};
pub use fixture::{Entry, EntryKind, Fixture, Variable};
pub use hooks::ScriptedHookRunner;
pub use layout::FixtureDirectory;
pub use memory::MemoryFileSystem;
pub use rollout::{DiskSpace, MemoryRollout};
pub use rounds::rounds;
pub use scripted::{CountedIds, MemoryRecorder, Reply, Request, ScriptedSampler, ScriptedTools};
#[cfg(feature = "sftp")]
pub use server::sftp_server;
