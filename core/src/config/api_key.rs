//! A key that nobody gets to see.

use std::fmt;

/// What stands in a text where the key was.
const REDACTED: &str = "[redacted]";

/// A key, or whatever else proves who asks; it goes into a request and nowhere else.
#[derive(Clone, PartialEq, Eq)]
pub struct ApiKey(String);

impl ApiKey {
    /// Takes a key without the blanks around it; none where nothing is left.
    pub fn new(key: &str) -> Option<Self> {
        let key = key.trim();
        (!key.is_empty()).then(|| Self(key.to_owned()))
    }

    /// The text without the key, for messages that hold what a server said.
    pub fn redact(&self, text: &str) -> String {
        text.replace(&self.0, REDACTED)
    }

    /// The key itself, for the one header that carries it.
    #[cfg(feature = "client")]
    pub(crate) fn secret(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for ApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(REDACTED)
    }
}
