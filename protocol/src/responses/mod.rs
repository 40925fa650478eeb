//! The Responses wire, exactly as on the wire.

mod body;
mod event;
mod request;
mod server_error;

pub use body::RequestBody;
pub use event::{EventError, ResponseEnd, ResponsesEvent};
pub use request::{ResponsesRequest, input_json};
pub use server_error::ServerError;
