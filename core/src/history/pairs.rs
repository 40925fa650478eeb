//! Which output belongs to which call.
//!
//! A server refuses a request in which a call has no output, an output no call, or an id two outputs; and since the
//! conversation keeps what is in it, it would refuse every later one. The rules here:
//!
//! - An id belongs to the first call that has it, and that call to the first output of its kind; later ones of either
//!   stay behind. (The reference keeps all of them.)
//! - An output that was recorded before its call goes directly after it. (The reference sends it before.)
//! - A call without an output is answered directly after it by `aborted`, in the words of the reference, until one
//!   comes.

use std::sync::Arc;

use recto_protocol::{
    CustomToolCallOutput, FunctionCallOutput, Item, OutputPayload, ResponseItem, Role,
    ToolSearchOutput,
};

use super::fate::LeftOut;

/// What answers a call whose tool never finished.
const ABORTED: &str = "aborted";

/// Who runs a search for tools, where it is this program.
const CLIENT: &str = "client";

/// The type of the item that answers a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum OutputKind {
    Function,
    Custom,
    ToolSearch,
}

/// How an item hangs together with others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Link {
    /// Not at all.
    None,
    /// The model made it, so the thoughts before it led to it.
    OfModel,
    /// Thoughts, which need what they led to.
    Reasoning,
    /// The model made it and waits for an output.
    Call(OutputKind, Arc<str>),
    /// It answers a call.
    Output(OutputKind, Arc<str>),
}

impl Link {
    /// How an item hangs together with others; an error where it cannot go out at all.
    pub(super) fn of(view: &ResponseItem) -> Result<Self, LeftOut> {
        use OutputKind::{Custom, Function, ToolSearch};
        use ResponseItem as It;

        match view {
            It::Message(message) => Self::of_message(message.role),
            It::Reasoning(_) => Ok(Self::Reasoning),
            It::FunctionCall(call) => Ok(Self::Call(Function, id(Some(&call.call_id))?)),
            It::CustomToolCall(call) => Ok(Self::Call(Custom, id(Some(&call.call_id))?)),
            It::LocalShellCall(call) => Ok(Self::Call(Function, id(call.call_id.as_ref())?)),
            It::ToolSearchCall(call) if call.execution == CLIENT => {
                Ok(Self::Call(ToolSearch, id(call.call_id.as_ref())?))
            }
            It::FunctionCallOutput(output) => {
                Ok(Self::Output(Function, id(Some(&output.call_id))?))
            }
            It::CustomToolCallOutput(output) => {
                Ok(Self::Output(Custom, id(Some(&output.call_id))?))
            }
            It::ToolSearchOutput(output) if output.execution == CLIENT => {
                Ok(Self::Output(ToolSearch, id(output.call_id.as_ref())?))
            }
            It::ToolSearchCall(_)
            | It::ToolSearchOutput(_)
            | It::WebSearchCall(_)
            | It::ImageGenerationCall(_)
            | It::Compaction(_) => Ok(Self::OfModel),
            It::NamedOutput(_) | It::AdditionalTools(_) => Ok(Self::None),
            It::Other(other) => Err(match &other.problem {
                Some(problem) => LeftOut::Malformed(problem.clone()),
                None => LeftOut::UnknownType(other.r#type.clone()),
            }),
        }
    }

    /// How a message hangs together with other items, by who speaks in it.
    pub(super) fn of_message(role: Role) -> Result<Self, LeftOut> {
        match role {
            Role::System => Err(LeftOut::SystemRole),
            Role::Assistant => Ok(Self::OfModel),
            Role::Developer | Role::User => Ok(Self::None),
        }
    }
}

fn id(call_id: Option<&String>) -> Result<Arc<str>, LeftOut> {
    match call_id {
        Some(id) if !id.is_empty() => Ok(id.as_str().into()),
        _ => Err(LeftOut::Malformed("it has no call id".to_owned())),
    }
}

/// The output that stands for the one which never came.
pub(super) fn aborted(kind: OutputKind, call_id: &str) -> Item {
    let call_id = call_id.to_owned();
    let output = || OutputPayload::Text(ABORTED.to_owned());
    let view = match kind {
        OutputKind::Function => {
            ResponseItem::FunctionCallOutput(FunctionCallOutput { output: output(), call_id })
        }
        OutputKind::Custom => {
            ResponseItem::CustomToolCallOutput(CustomToolCallOutput { output: output(), call_id })
        }
        OutputKind::ToolSearch => ResponseItem::ToolSearchOutput(ToolSearchOutput {
            call_id: Some(call_id),
            status: "completed".to_owned(),
            execution: CLIENT.to_owned(),
            tools: Vec::new(),
        }),
    };
    Item::new(view, Vec::new())
}
