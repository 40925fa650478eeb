//! The context engine of a coding agent: from files on disk to the prompt, and nothing read that is not told.
//!
//! The modules stand in layers; each names only those before it:
//! [`environment`], [`config`], [`agents_md`], then the rest.

pub mod agents_md;
pub mod config;
pub mod environment;
#[cfg(feature = "testing")]
pub mod testing;
