//! The conversation and what of it goes out.

mod compaction;
mod notation;
mod pairs;
mod parts;
mod properties;
mod reference;
mod tokens;
mod windows;
