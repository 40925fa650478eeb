//! `recto rollout`: recorded sessions, looked at.

mod cache;
mod command;
mod list;
mod prompt;
mod repair;
mod show;
mod state;
mod verify;
mod why;

pub(crate) use command::{RolloutArgs, run};
