//! What a session tells the program that runs it, as it happens.

use recto_protocol::{Item, TokenUsage, TurnId};

use super::inputs::UserInput;
use crate::rollout::RecordError;

/// One thing that happened.
#[derive(Debug, Clone, PartialEq)]
pub enum SessionEvent {
    /// A turn began.
    TurnStarted(TurnId),
    /// The model begins to say something; the text that follows belongs to it.
    MessageStarted {
        /// Where in its answer it stands, where the server says: `commentary` or `final_answer`.
        phase: Option<String>,
    },
    /// More text of an answer.
    TextDelta(String),
    /// More of the readable thoughts.
    ReasoningDelta(String),
    /// The answer broke off and is asked for again: what came of it is void, and it comes from its start.
    AnswerRestarted {
        /// Why, and what happens now, as a phrase for people.
        reason: String,
    },
    /// An item was recorded: the model's, or the output of a tool.
    ItemRecorded(Item),
    /// What a response cost.
    Usage(TokenUsage),
    /// Something that the person should know and that does not stop the turn.
    Notice(String),
    /// Something is not recorded yet; the recorder keeps it and tries again with what comes next.
    NotRecorded(RecordError),
    /// A turn ended.
    TurnEnded(TurnId, TurnEnd),
}

/// How a turn ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TurnEnd {
    /// The model said all it had to say; its last message, if it wrote one.
    Completed {
        /// The text of that message.
        last_message: Option<String>,
    },
    /// A hook kept the prompt from the model, or ended the turn.
    Blocked {
        /// Why, in the hook's words.
        reason: String,
    },
    /// The person stopped it.
    Interrupted,
    /// Something failed.
    Failed {
        /// What, as a phrase for people.
        message: String,
        /// What they can do, where there is something.
        hint: Option<String>,
        /// Inputs that were accepted and did not reach the conversation.
        rejected: Vec<UserInput>,
    },
}
