//! Asking a provider over a real connection: requests as bytes, and answers whose every byte a test writes.

mod asking;
mod faults;
mod server;
mod streams;
