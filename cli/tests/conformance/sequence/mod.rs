//! Conversations of several turns, held against the reference turn by turn.
//!
//! The reference runs as `codex exec` and `codex exec resume` against a server on the loopback address; our side runs
//! the engine in this process with the same answers. Between two turns files, settings and the directory may change.

mod list;
mod ours;
mod outputs;
mod steps;
mod theirs;
mod trial;
mod view;

pub(crate) use trial::trials;
