//! How long a law is tried.

/// Rounds of a test of a law: `long` where `RECTO_SOAK` is set, as `just soak` does, and `short` elsewhere.
pub fn rounds(short: u32, long: u32) -> u32 {
    #[expect(clippy::disallowed_methods, reason = "a variable of the tests, not of the program")]
    let soak = std::env::var_os("RECTO_SOAK").is_some();
    if soak { long } else { short }
}
