//! The messages of a model as they are written: the answer on standard output, what stands beside it on standard error.

use std::collections::VecDeque;

use crate::error::CliError;
use crate::printer::Printer;

/// The phase of a message that is not the answer.
const COMMENTARY: &str = "commentary";

/// Messages that are not known to be whole yet, as far as they are shown.
#[derive(Debug, Default)]
pub(super) struct Writing(VecDeque<Message>);

#[derive(Debug)]
struct Message {
    is_aside: bool,
    text: String,
}

impl Message {
    fn new(phase: Option<&str>) -> Self {
        Self { is_aside: phase == Some(COMMENTARY), text: String::new() }
    }

    fn show(&mut self, printer: &mut Printer, text: &str) -> Result<(), CliError> {
        self.text.push_str(text);
        if !self.is_aside {
            return printer.answer(text);
        }
        printer.aside(text);
        Ok(())
    }

    fn end_line(&mut self, printer: &mut Printer) -> Result<(), CliError> {
        let is_open = !self.text.is_empty() && !self.text.ends_with('\n');
        if is_open { self.show(printer, "\n") } else { Ok(()) }
    }
}

impl Writing {
    /// A message begins.
    pub(super) fn begin(
        &mut self,
        printer: &mut Printer,
        phase: Option<&str>,
    ) -> Result<(), CliError> {
        if let Some(last) = self.0.back_mut() {
            last.end_line(printer)?;
        }
        self.0.push_back(Message::new(phase));
        Ok(())
    }

    /// The message that began last goes on.
    pub(super) fn add(&mut self, printer: &mut Printer, text: &str) -> Result<(), CliError> {
        if self.0.is_empty() {
            self.begin(printer, None)?;
        }
        self.0.back_mut().map_or(Ok(()), |last| last.show(printer, text))
    }

    /// The first message is whole; what of it is not shown yet is shown now.
    pub(super) fn end(
        &mut self,
        printer: &mut Printer,
        text: &str,
        phase: Option<&str>,
    ) -> Result<(), CliError> {
        let mut message = self.0.pop_front().unwrap_or_else(|| Message::new(phase));
        if message.text.trim_end() == text.trim_end() {
            return message.end_line(printer);
        }
        let shown = message.text.clone();
        if let Some(rest) = text.strip_prefix(&shown) {
            message.show(printer, rest)?;
        } else {
            message.end_line(printer)?;
            message.show(printer, text)?;
        }
        message.end_line(printer)
    }

    /// What is being written does not go on.
    pub(super) fn leave(&mut self, printer: &mut Printer) -> Result<(), CliError> {
        let mut left = std::mem::take(&mut self.0);
        left.back_mut().map_or(Ok(()), |last| last.end_line(printer))
    }
}
