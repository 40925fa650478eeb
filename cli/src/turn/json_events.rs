//! For programs: one event a line on standard output, named and shaped as those of `codex exec --json`.

use std::collections::HashMap;

use recto_core::session::{SessionEvent, TurnEnd};
use recto_core::tools::ToolCall;
use recto_protocol::{OutputPayload, TokenUsage};
use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};

use super::call_result::CallResult;
use super::item::Shown;
use super::tool_name::ToolName;
use super::totals::add;
use super::view::{Head, View};
use crate::error::CliError;
use crate::printer::Printer;
use crate::view::json::for_terminals;

/// What was written so far.
#[derive(Debug, Default)]
pub(super) struct JsonEvents {
    /// Items so far; their ids count up.
    items: usize,
    /// Calls that are not answered yet, by their ids.
    calls: HashMap<String, McpToolCall>,
    /// The calls that failed, by their ids, with the cause where the tool did not say so itself.
    failed: HashMap<String, Option<String>>,
    /// What the session has cost, all turns together.
    spent: TokenUsage,
}

#[derive(Debug, Serialize)]
struct Event<T> {
    r#type: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    thread_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    item: Option<T>,
    #[serde(skip_serializing_if = "Option::is_none")]
    usage: Option<Usage>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<Failure>,
}

/// What the session has cost.
#[derive(Debug, Serialize)]
#[expect(clippy::struct_field_names, reason = "the names are the reference's")]
struct Usage {
    input_tokens: u64,
    cached_input_tokens: u64,
    output_tokens: u64,
    reasoning_output_tokens: u64,
}

#[derive(Debug, Serialize)]
struct Failure {
    message: String,
}

#[derive(Debug, Serialize)]
struct Said {
    id: String,
    r#type: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<String>,
}

#[derive(Debug, Serialize)]
struct McpToolCall {
    id: String,
    r#type: &'static str,
    server: String,
    tool: String,
    arguments: Box<RawValue>,
    result: Option<CallResult>,
    error: Option<Failure>,
    status: &'static str,
}

impl View for JsonEvents {
    fn begin(&mut self, printer: &mut Printer, head: &Head) -> Result<(), CliError> {
        let thread_id = Some(head.thread_id.clone());
        write(printer, &Event { thread_id, ..bare("thread.started") })
    }

    fn warn(&mut self, printer: &mut Printer, message: &str) -> Result<(), CliError> {
        let item = Said {
            id: self.next_id(),
            r#type: "error",
            text: None,
            message: Some(message.to_owned()),
        };
        write(printer, &Event { item: Some(item), ..event("item.completed") })
    }

    fn call_failed(&mut self, call_id: &str, cause: Option<&str>) {
        self.failed.insert(call_id.to_owned(), cause.map(str::to_owned));
    }

    fn show(&mut self, printer: &mut Printer, event: &SessionEvent) -> Result<(), CliError> {
        match event {
            SessionEvent::TurnStarted(_) => write(printer, &bare("turn.started")),
            SessionEvent::ItemRecorded(item) => match Shown::of(item) {
                Some(shown) => self.item(printer, shown),
                None => Ok(()),
            },
            SessionEvent::Usage(usage) => {
                add(&mut self.spent, *usage);
                Ok(())
            }
            SessionEvent::AnswerRestarted { reason } => {
                write(printer, &Event { message: Some(reason.clone()), ..bare("error") })
            }
            SessionEvent::Notice(notice) => self.warn(printer, notice),
            SessionEvent::NotRecorded(error) => self.warn(printer, &error.to_string()),
            SessionEvent::TurnEnded(_, end) => self.end(printer, end),
            SessionEvent::MessageStarted { .. }
            | SessionEvent::TextDelta(_)
            | SessionEvent::ReasoningDelta(_) => Ok(()),
        }
    }
}

impl JsonEvents {
    /// `spent` is what the session has cost before.
    pub(super) fn new(spent: TokenUsage) -> Self {
        Self { spent, ..Self::default() }
    }

    fn next_id(&mut self) -> String {
        self.items += 1;
        format!("item_{}", self.items - 1)
    }

    fn item(&mut self, printer: &mut Printer, shown: Shown) -> Result<(), CliError> {
        match shown {
            Shown::Message { text, .. } => self.text(printer, "agent_message", text),
            Shown::Thoughts(text) => self.text(printer, "reasoning", text),
            Shown::Call(call) => self.call(printer, call),
            Shown::Output { call_id, output } => match self.calls.remove(&call_id) {
                Some(call) => self.answered(printer, call, &call_id, &output),
                None => Ok(()),
            },
        }
    }

    fn text(
        &mut self,
        printer: &mut Printer,
        r#type: &'static str,
        text: String,
    ) -> Result<(), CliError> {
        let item = Said { id: self.next_id(), r#type, text: Some(text), message: None };
        write(printer, &Event { item: Some(item), ..event("item.completed") })
    }

    fn call(&mut self, printer: &mut Printer, call: ToolCall) -> Result<(), CliError> {
        let ToolName { server: Some(server), tool } = ToolName::of(&call) else {
            return self.warn(printer, &format!("the model calls {}, which nobody has", call.name));
        };
        let arguments = RawValue::from_string(call.input.clone())
            .or_else(|_| to_raw_value(&call.input))
            .unwrap_or_default();
        let item = McpToolCall {
            id: self.next_id(),
            r#type: "mcp_tool_call",
            server,
            tool,
            arguments,
            result: None,
            error: None,
            status: "in_progress",
        };
        write(printer, &Event { item: Some(&item), ..event("item.started") })?;
        self.calls.insert(call.call_id, item);
        Ok(())
    }

    fn answered(
        &mut self,
        printer: &mut Printer,
        call: McpToolCall,
        call_id: &str,
        output: &OutputPayload,
    ) -> Result<(), CliError> {
        let failed = self.failed.remove(call_id);
        let status = if failed.is_some() { "failed" } else { "completed" };
        let error = failed.flatten().map(|message| Failure { message });
        let result = error.is_none().then(|| CallResult::of(output));
        let item = McpToolCall { result, error, status, ..call };
        write(printer, &Event { item: Some(&item), ..event("item.completed") })
    }

    fn end(&mut self, printer: &mut Printer, end: &TurnEnd) -> Result<(), CliError> {
        let message = match end {
            TurnEnd::Completed { .. } => {
                let usage = Some(Usage::of(&self.spent));
                return write(printer, &Event { usage, ..bare("turn.completed") });
            }
            TurnEnd::Blocked { reason } => format!("a hook ended the turn: {reason}"),
            TurnEnd::Interrupted => "the turn was interrupted".to_owned(),
            TurnEnd::Failed { message, hint, .. } => {
                let hint = hint.as_ref().map(|hint| format!("; {hint}")).unwrap_or_default();
                let message = format!("{message}{hint}");
                write(printer, &Event { message: Some(message.clone()), ..bare("error") })?;
                message
            }
        };
        write(printer, &Event { error: Some(Failure { message }), ..bare("turn.failed") })
    }
}

fn event<T>(r#type: &'static str) -> Event<T> {
    Event { r#type, thread_id: None, message: None, item: None, usage: None, error: None }
}

impl Usage {
    fn of(spent: &TokenUsage) -> Self {
        Self {
            input_tokens: spent.input_tokens,
            cached_input_tokens: spent.cached_input_tokens,
            output_tokens: spent.output_tokens,
            reasoning_output_tokens: spent.reasoning_output_tokens,
        }
    }
}

/// An event without an item.
fn bare(r#type: &'static str) -> Event<()> {
    event(r#type)
}

fn write<T: Serialize>(printer: &mut Printer, event: &Event<T>) -> Result<(), CliError> {
    let line = serde_json::to_string(event)
        .unwrap_or_else(|_| unreachable!("events hold texts, numbers and JSON"));
    printer.data(&(for_terminals(line) + "\n"))
}
