//! How much memory some work holds at once.

use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::MEMORY;

static MEASURING: Mutex<()> = Mutex::new(());

/// Waits until no other test measures, and keeps the others waiting.
pub(crate) fn alone() -> MutexGuard<'static, ()> {
    MEASURING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Does some work, and gives the most bytes that it held at once; asked for by one test at a time.
pub(crate) fn peak_of(work: impl FnOnce()) -> usize {
    let before = MEMORY.current_usage();
    MEMORY.reset_peak_usage();
    work();
    MEMORY.peak_usage().saturating_sub(before)
}
