//! The context engine of a coding agent: from files on disk to the prompt, and nothing read that is not told.
//!
//! The modules stand in layers, and each names only those before it: [`environment`], `http` (feature `client`),
//! [`config`], [`agents_md`], [`skills`], [`plugins`], [`context`], [`world_state`], [`history`], [`rollout`], [`model`],
//! [`hooks`], [`tools`], [`session`].

pub mod agents_md;
pub mod config;
pub mod context;
pub mod environment;
pub mod history;
pub mod hooks;
#[cfg(feature = "client")]
pub mod http;
pub mod model;
pub mod plugins;
pub mod rollout;
pub mod session;
pub mod skills;
#[cfg(feature = "testing")]
pub mod testing;
pub mod tools;
pub mod world_state;

pub use recto_context_fragments::ContextualUserFragment;
