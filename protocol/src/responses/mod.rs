//! The Responses wire, exactly as on the wire.

mod request;

pub use request::{ResponsesRequest, input_json};
