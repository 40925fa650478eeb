//! The shape that an answer is to have.

use std::sync::Arc;

use serde_json::value::RawValue;

use crate::json_text::{compact, replace_lone_surrogates};

/// A JSON schema that the last message of a turn is to fit.
///
/// It keeps the text of its author without the blanks: order of members and spelling of numbers stay. Any JSON value
/// is taken; whether it is a schema is for the server to say, as in the reference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutputSchema(Arc<str>);

impl OutputSchema {
    /// Reads a schema from its text.
    pub fn from_json(text: &str) -> Result<Self, serde_json::Error> {
        let value: &RawValue = serde_json::from_str(text)?;
        Ok(Self(compact(&replace_lone_surrogates(value.get())).into()))
    }

    /// Its JSON.
    pub fn json(&self) -> &str {
        &self.0
    }
}
