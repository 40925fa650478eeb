//! Recorded sessions: what they are worth to those who come later.

mod cache;
mod forks;
mod rollbacks;
mod why;
mod written;
