//! All integration tests of the crate, in one program.

mod suite;
mod support;
