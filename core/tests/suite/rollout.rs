//! Recorded sessions: what they are worth to those who come later.

mod forks;
mod why;
