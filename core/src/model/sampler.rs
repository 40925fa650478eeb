//! Who answers a prompt: a server behind the wire, or a script in a test.

use std::fmt;

use async_trait::async_trait;
use recto_protocol::{Item, ModelInfo, OutputSchema, Prompt, TokenUsage};
use tokio::sync::mpsc::UnboundedSender;

/// One request for an answer.
#[derive(Debug, Clone, Copy)]
pub struct SampleRequest<'a> {
    /// Which model.
    pub model: &'a ModelInfo,
    /// What it reads.
    pub prompt: &'a Prompt,
    /// Under which key the provider may cache the prefix.
    pub cache_key: &'a str,
    /// The shape that the answer is to have; none where it is free.
    pub output_schema: Option<&'a OutputSchema>,
}

/// What comes while a model answers, in the order in which it is to be shown and recorded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SampleEvent {
    /// The model begins to say something; the text that follows belongs to it.
    MessageStarted {
        /// Where in its answer it stands, where the server says: `commentary` or `final_answer`.
        phase: Option<String>,
    },
    /// More text of the answer.
    TextDelta(String),
    /// More of the readable thoughts.
    ReasoningDelta(String),
    /// An item is whole; items come in the order of the response, whatever the order in which they ended. It stands
    /// once the answer has ended.
    ItemDone(Item),
    /// The attempt failed and another one begins: everything that came before is void.
    Retry {
        /// What went wrong and when the next attempt begins, as a phrase for people.
        reason: String,
    },
}

/// What is known once an answer is whole.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SampleEnd {
    /// What it cost, where the server said.
    pub usage: Option<TokenUsage>,
}

/// Why there is no whole answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SampleError {
    /// The prompt does not fit into the model's window; asking again cannot help, a compaction can.
    #[error("the conversation is longer than the model's context window: {message}")]
    ContextTooLong {
        /// The server's own words.
        message: String,
    },
    /// The server, or the way to it, failed for good.
    #[error("{message}")]
    Failed {
        /// What happened, as a phrase for people.
        message: String,
        /// What they can do, where there is something.
        hint: Option<String>,
    },
}

impl SampleError {
    /// What people can do about it, where there is something.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::ContextTooLong { .. } => {
                Some("the next turn begins with a summary of the conversation".to_owned())
            }
            Self::Failed { hint, .. } => hint.clone(),
        }
    }
}

/// Answers prompts.
///
/// Dropping the future of [`sample`](Self::sample) cancels the request at once.
#[async_trait]
pub trait Sampler: fmt::Debug + Send + Sync {
    /// Asks a model; what comes meanwhile goes to `events`.
    async fn sample(
        &self,
        request: SampleRequest<'_>,
        events: UnboundedSender<SampleEvent>,
    ) -> Result<SampleEnd, SampleError>;
}
