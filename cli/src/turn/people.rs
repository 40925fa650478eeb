//! For people: the answer on standard output as it comes, everything else on standard error.

use std::collections::HashMap;

use recto_core::session::{SessionEvent, TurnEnd};
use recto_core::tools::ToolCall;
use recto_protocol::TokenUsage;

use super::item::{Shown, output_text};
use super::tool_name::ToolName;
use super::totals::add;
use super::view::{Head, View};
use crate::error::CliError;
use crate::printer::Printer;
use crate::view::layout::{grouped, shortened};

/// Columns of an input or output of a tool that are shown.
const EXCERPT: usize = 160;

/// What was shown so far.
#[derive(Debug, Default)]
pub(super) struct People {
    /// What of the message that is being written stands on standard output already.
    streamed: String,
    /// The tools that were called, by the ids of the calls.
    calls: HashMap<String, ToolName>,
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

    fn show(&mut self, printer: &mut Printer, event: &SessionEvent) -> Result<(), CliError> {
        match event {
            SessionEvent::TextDelta(text) => {
                self.streamed.push_str(text);
                printer.answer(text)?;
            }
            SessionEvent::ItemRecorded(item) => {
                if let Some(shown) = Shown::of(item) {
                    self.item(printer, shown)?;
                }
            }
            SessionEvent::Usage(usage) => add(&mut self.spent, *usage),
            SessionEvent::Notice(notice) => printer.warning(notice),
            SessionEvent::TurnEnded(_, end) => self.end(printer, end)?,
            SessionEvent::TurnStarted(_) | SessionEvent::ReasoningDelta(_) => {}
        }
        Ok(())
    }
}

impl People {
    fn item(&mut self, printer: &mut Printer, shown: Shown) -> Result<(), CliError> {
        match shown {
            Shown::Message(text) => self.message(printer, &text)?,
            Shown::Thoughts(text) => text.lines().for_each(|line| printer.note("thinks", line)),
            Shown::Call(call) => {
                let name = ToolName::of(&call);
                printer.note("calls", &called(&name, &call));
                self.calls.insert(call.call_id, name);
            }
            Shown::Output { call_id, output } => {
                let name = self.calls.remove(&call_id).map(|it| it.to_string());
                let text = output_text(&output);
                let bytes = grouped(text.len() as u64);
                let (name, text) = (name.unwrap_or(call_id), shortened(&text, EXCERPT));
                printer.note("got", &format!("{name}, {bytes} bytes: {text}"));
            }
        }
        Ok(())
    }

    /// The rest of a message; one that was begun otherwise before an interruption is shown anew.
    fn message(&mut self, printer: &mut Printer, text: &str) -> Result<(), CliError> {
        let streamed = std::mem::take(&mut self.streamed);
        match text.strip_prefix(&streamed) {
            Some(rest) => printer.answer(rest)?,
            None => printer.answer(&format!("\n{text}"))?,
        }
        if text.ends_with('\n') { Ok(()) } else { printer.answer("\n") }
    }

    fn end(&mut self, printer: &mut Printer, end: &TurnEnd) -> Result<(), CliError> {
        let streamed = std::mem::take(&mut self.streamed);
        if !streamed.is_empty() && !streamed.ends_with('\n') {
            printer.answer("\n")?;
        }
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
