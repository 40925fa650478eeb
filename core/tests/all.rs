//! All integration tests of the crate, in one program.

#[cfg(test)]
mod suite;
