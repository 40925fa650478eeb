//! A value that cannot stand where it stands.

use super::error::{ConfigError, ValueError};
use super::layers::Layers;
use super::value::{Item, Origin};

/// A value that cannot stand where it stands.
#[derive(Debug)]
pub(super) struct Mismatch {
    pub(super) origin: Origin,
    pub(super) key: String,
    pub(super) expected: String,
    pub(super) found: String,
    pub(super) hint: Option<String>,
}

impl Mismatch {
    /// A value that is not what its key's kind says.
    pub(super) fn new(key: String, item: &Item, expected: String) -> Self {
        let found = item.value.describe();
        Self { origin: item.origin, key, expected, found, hint: None }
    }

    /// As an error, its place looked up.
    pub(super) fn into_error(self, layers: &Layers) -> ConfigError {
        ConfigError::Value(Box::new(ValueError {
            location: layers.locate(self.origin),
            key: self.key,
            expected: self.expected,
            found: self.found,
            hint: self.hint,
        }))
    }
}
