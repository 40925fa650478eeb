//! Damaged records: nobody panics over them, and nobody holds more memory than their size allows.
//!
//! A program of its own, for its allocator counts, and every test in it measures all that the program does.

mod damage;
mod dice;
mod laws;
mod memory;

use peak_alloc::PeakAlloc;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;
