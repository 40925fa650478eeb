//! An item as the log holds it.

use std::sync::Arc;

use recto_protocol::Item;

/// An item and who could read it when it was recorded.
#[derive(Debug, Clone)]
pub(super) struct Recorded {
    pub(super) item: Item,
    /// The provider that the model was at, which sealed what is sealed.
    pub(super) provider: Option<Arc<str>>,
}
