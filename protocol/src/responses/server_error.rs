//! What a server says when it refuses or fails, in the shapes that servers have for it.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::json_text::text_of;

/// A server's own account of a failure.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ServerError {
    /// The code, or where there is none the kind of error: `context_length_exceeded`, `server_error`, ….
    pub code: Option<String>,
    /// The words for people; empty where there are none.
    pub message: String,
}

impl ServerError {
    /// Reads an error from a body or an event; whatever has no known shape is its own message.
    ///
    /// Known are `{"error":{"code","type","message"}}`, `{"error":"text"}`, and `code` and `message` (or `detail`) on
    /// the outside.
    pub fn from_json(json: &str) -> Self {
        let outer: Members<'_> = serde_json::from_str(json).unwrap_or_default();
        let Some(error) = outer.error else {
            let error = outer.read();
            return if error == Self::default() && !json.trim_start().starts_with('{') {
                Self { code: None, message: json.trim().to_owned() }
            } else {
                error
            };
        };
        if let Some(message) = text_of(error.get()) {
            let message = message.into_owned();
            return Self { message, ..outer.read() };
        }
        serde_json::from_str::<Members<'_>>(error.get()).unwrap_or_default().read()
    }

    /// Whether the prompt did not fit into the model's window.
    ///
    /// The code is OpenAI's; servers that have none say it in words (llama.cpp, vLLM, `LiteLLM`).
    pub fn is_context_too_long(&self) -> bool {
        const CODES: [&str; 2] = ["context_length_exceeded", "exceed_context_size_error"];
        const WORDS: [&str; 3] = [
            "maximum context length",
            "exceeds the context window",
            "exceeds the available context size",
        ];
        self.code.as_deref().is_some_and(|code| CODES.contains(&code))
            || WORDS.iter().any(|words| self.message.contains(words))
    }
}

#[derive(Default, Deserialize)]
struct Members<'a> {
    #[serde(borrow, default)]
    error: Option<&'a RawValue>,
    #[serde(borrow, default)]
    code: Option<&'a RawValue>,
    #[serde(borrow, default)]
    r#type: Option<&'a RawValue>,
    #[serde(borrow, default)]
    message: Option<&'a RawValue>,
    #[serde(borrow, default)]
    detail: Option<&'a RawValue>,
}

impl Members<'_> {
    fn read(&self) -> ServerError {
        let text = |value: Option<&RawValue>| {
            text_of(value?.get()).filter(|it| !it.is_empty()).map(Cow::into_owned)
        };
        let kind = text(self.r#type).filter(|kind| kind != "error");
        let detail = || text(self.detail).or_else(|| Some(self.detail?.get().to_owned()));
        ServerError {
            code: text(self.code).or(kind),
            message: text(self.message).or_else(detail).unwrap_or_default(),
        }
    }
}
