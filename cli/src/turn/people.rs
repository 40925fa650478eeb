//! For people: the answer on standard output as it comes, everything else on standard error.

use std::collections::{HashMap, HashSet};

use recto_core::session::{SessionEvent, TurnEnd};
use recto_core::tools::ToolCall;
use recto_protocol::TokenUsage;

use super::item::{Shown, output_text, without_head};
use super::tool_name::ToolName;
use super::totals::add;
use super::view::{Head, View};
use super::writing::Writing;
use crate::error::CliError;
use crate::printer::Printer;
use crate::view::layout::{grouped, shortened};

/// Columns of an input or output of a tool that are shown.
const EXCERPT: usize = 160;

/// What was shown so far.
#[derive(Debug, Default)]
pub(super) struct People {
    /// The messages that are being written, as far as they are shown.
    writing: Writing,
    /// The tools that were called, by the ids of the calls.
    calls: HashMap<String, ToolName>,
    /// The calls that failed, by their ids.
    failed: HashSet<String>,
    /// What the turn has cost.
    spent: TokenUsage,
}

impl View for People {
    fn begin(&mut self, printer: &mut Printer, head: &Head) -> Result<(), CliError> {
        let Head { thread_id, cwd, model, provider, forked_from } = head;
        let fork = forked_from.as_ref().map(|id| format!(", a fork of {id}")).unwrap_or_default();
        printer.note("session", &format!("{thread_id}{fork}"));
        printer.note("model", &format!("{model} from {provider}, in {cwd}"));
        Ok(())
    }

    fn warn(&mut self, printer: &mut Printer, message: &str) -> Result<(), CliError> {
        printer.warning(message);
        Ok(())
    }

    fn call_failed(&mut self, call_id: &str, _cause: Option<&str>) {
        self.failed.insert(call_id.to_owned());
    }

    fn show(&mut self, printer: &mut Printer, event: &SessionEvent) -> Result<(), CliError> {
        match event {
            SessionEvent::MessageStarted { phase } => {
                self.writing.begin(printer, phase.as_deref())?;
            }
            SessionEvent::TextDelta(text) => self.writing.add(printer, text)?,
            SessionEvent::AnswerRestarted { reason } => {
                self.writing.leave(printer)?;
                printer.warning(reason);
            }
            SessionEvent::ItemRecorded(item) => {
                if let Some(shown) = Shown::of(item) {
                    self.item(printer, shown)?;
                }
            }
            SessionEvent::Usage(usage) => add(&mut self.spent, *usage),
            SessionEvent::Notice(notice) => printer.warning(notice),
            SessionEvent::NotRecorded(error) => printer.warning(&error.to_string()),
            SessionEvent::TurnEnded(_, end) => self.end(printer, end)?,
            SessionEvent::TurnStarted(_) | SessionEvent::ReasoningDelta(_) => {}
        }
        Ok(())
    }
}

impl People {
    fn item(&mut self, printer: &mut Printer, shown: Shown) -> Result<(), CliError> {
        match shown {
            Shown::Message { text, phase } => {
                self.writing.end(printer, &text, phase.as_deref())?;
            }
            Shown::Thoughts(text) => text.lines().for_each(|line| printer.note("thinks", line)),
            Shown::Call(call) => {
                let name = ToolName::of(&call);
                printer.note("calls", &called(&name, &call));
                self.calls.insert(call.call_id, name);
            }
            Shown::Output { call_id, output } => {
                let name = self.calls.remove(&call_id).map(|it| it.to_string());
                let text = output_text(&output);
                let text = without_head(&text);
                let bytes = grouped(text.len() as u64);
                let label = if self.failed.remove(&call_id) { "failed" } else { "got" };
                let (name, text) = (name.unwrap_or(call_id), shortened(text, EXCERPT));
                printer.note(label, &format!("{name}, {bytes} bytes: {text}"));
            }
        }
        Ok(())
    }

    fn end(&mut self, printer: &mut Printer, end: &TurnEnd) -> Result<(), CliError> {
        self.writing.leave(printer)?;
        match end {
            TurnEnd::Completed { .. } => {}
            TurnEnd::Blocked { reason } => {
                printer.failure(&format!("a hook ended the turn: {reason}"), None);
            }
            TurnEnd::Interrupted => printer.failure("the turn was interrupted", None),
            TurnEnd::Failed { message, hint, rejected } => {
                printer.failure(message, hint.as_deref());
                if !rejected.is_empty() {
                    printer.warning("the session did not take up what was said; say it again");
                }
            }
        }
        if self.spent.total_tokens > 0 {
            printer.note("tokens", &cost(&self.spent));
        }
        Ok(())
    }
}

fn called(name: &ToolName, call: &ToolCall) -> String {
    format!("{name} {}", shortened(&call.input, EXCERPT))
}

fn cost(usage: &TokenUsage) -> String {
    format!(
        "{}: {} read, {} of them from the cache; {} written",
        grouped(usage.total_tokens),
        grouped(usage.input_tokens),
        grouped(usage.cached_input_tokens),
        grouped(usage.output_tokens)
    )
}
