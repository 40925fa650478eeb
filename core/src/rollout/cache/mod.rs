//! What a provider could take from its cache: each request of a recorded session beside the one before it.

mod follow;
mod prefix;
mod request;

pub use follow::sent_requests;
pub use request::{Break, BreakCause, Difference, Kept, SentRequest};
