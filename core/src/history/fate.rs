//! What became of an item of the conversation on its way into a request, for those who look at it.

use super::images::ImageProblem;

/// What became of an item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fate {
    /// It goes out; the changes are empty where it goes out as it stands.
    Sent(Vec<Change>),
    /// It stays behind.
    LeftOut(LeftOut),
}

/// What is changed about an item that goes out.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Change {
    /// A text stands for a picture that no server would take.
    #[error("a picture is told as a text: {0}")]
    BadImage(#[from] ImageProblem),
    /// A text stands for a picture, since the model cannot be shown any; it comes back for one that can.
    #[error("a picture is told as a text: the model does not take pictures")]
    NoImageInput,
    /// A picture without an address is not there.
    #[error("a picture without an address is left out")]
    EmptyImage,
    /// A part that this program cannot read is not there.
    #[error("a part of type `{0}` is left out: it is not known or does not decode")]
    UnknownPart(String),
    /// A call of the shell without a call id is known by its item's id.
    #[error("the call has no call id and goes by the id of its item")]
    CallIdFromItem,
}

/// Why an item stays behind.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LeftOut {
    /// Its type is not known.
    #[error("items of type `{0}` are not known")]
    UnknownType(String),
    /// It does not decode.
    #[error("the item is not as its type asks: {0}")]
    Malformed(String),
    /// It speaks as `system`, which is the provider's own role.
    #[error("it speaks as system")]
    SystemRole,
    /// It says nothing.
    #[error("it says nothing")]
    Empty,
    /// An earlier call has the same id.
    #[error("an earlier call has the id `{0}`")]
    RepeatedCall(String),
    /// An earlier output answers the same call.
    #[error("an earlier output answers call `{0}`")]
    RepeatedOutput(String),
    /// No call of its kind has that id.
    #[error("no call of its kind has the id `{0}`")]
    OutputWithoutCall(String),
    /// Another provider sealed it.
    #[error("it is sealed by provider `{0}`, and no other can read it")]
    SealedByOther(String),
    /// The model did nothing after it; a server asks for the item that the thoughts led to.
    #[error("nothing of the model follows the reasoning")]
    ReasoningAlone,
}
