//! Recorded sessions: written, read back, gone on with, looked at.

mod cache;
mod compressed;
mod encoded;
mod forks;
mod laws;
mod located;
pub(crate) mod notation;
mod processes;
mod reader;
mod recorder;
mod repair;
mod replay;
mod rollbacks;
mod why;
mod written;
