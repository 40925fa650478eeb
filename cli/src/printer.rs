//! The one way out: data to standard output, everything else to standard error.

use std::error::Error as _;
use std::io::{self, ErrorKind, IsTerminal, Write};

use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style};

use crate::error::CliError;
use crate::view::layout::{one_line, readable};

const ERROR: Style = AnsiColor::Red.on_default().bold();
const WARNING: Style = AnsiColor::Yellow.on_default().bold();
const LABEL: Style = Style::new().bold();
const NOTE: Style = Style::new().dimmed();

/// Writes to standard output and standard error.
///
/// Whoever reads standard output may go away at any time; that ends the run quietly.
#[derive(Debug)]
pub(crate) struct Printer {
    stdout: io::Stdout,
    stderr: io::Stderr,
}

impl Printer {
    pub(crate) fn of_this_process() -> Self {
        Self { stdout: io::stdout(), stderr: io::stderr() }
    }

    /// Data for a program: the bytes as they are.
    pub(crate) fn data(&mut self, text: &str) -> Result<(), CliError> {
        let mut stdout = self.stdout.lock();
        written(stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()))
    }

    /// Text for people; its styles are taken out where they cannot be seen or are not wanted.
    pub(crate) fn styled(&mut self, text: &str) -> Result<(), CliError> {
        if AutoStream::choice(&self.stdout) == ColorChoice::Never {
            return self.data(&anstream::adapter::strip_str(text).to_string());
        }
        self.data(text)
    }

    /// Help or a version, for whoever asked for it.
    pub(crate) fn help(&mut self, help: &clap::Error) -> Result<(), CliError> {
        written(help.print().and_then(|()| self.stdout.flush()))
    }

    /// What was typed wrongly.
    pub(crate) fn usage(usage: &clap::Error) {
        // There is nobody left to tell that standard error is closed.
        let _ = usage.print();
    }

    /// Part of an answer of a model: as it is, but on a terminal without what would steer it.
    pub(crate) fn answer(&mut self, text: &str) -> Result<(), CliError> {
        if self.stdout.is_terminal() { self.data(&readable(text)) } else { self.data(text) }
    }

    /// Part of what a model says beside its answer, on standard error.
    pub(crate) fn aside(&mut self, text: &str) {
        self.complain(&readable(text));
    }

    /// One line on standard error about what goes on.
    pub(crate) fn note(&mut self, label: &str, message: &str) {
        self.complain(&format!("{NOTE}{label:>7}{NOTE:#} {}\n", one_line(message)));
    }

    /// What went wrong with the work, on standard error.
    pub(crate) fn failure(&mut self, message: &str, hint: Option<&str>) {
        self.complain(&format!("{ERROR}error:{ERROR:#} {}\n", one_line(message)));
        if let Some(hint) = hint {
            self.complain(&format!("  {LABEL}hint:{LABEL:#} {}\n", one_line(hint)));
        }
    }

    /// One line on standard error.
    pub(crate) fn warning(&mut self, message: &str) {
        self.complain(&format!("{WARNING}warning:{WARNING:#} {}\n", one_line(message)));
    }

    /// Says on a terminal what takes long; [`progress_done`](Self::progress_done) takes it away.
    pub(crate) fn progress(&mut self, message: &str) {
        if self.stderr.is_terminal() {
            self.complain(&format!("\r\x1b[2K{}…", one_line(message)));
        }
    }

    /// Takes the last word of progress away.
    pub(crate) fn progress_done(&mut self) {
        if self.stderr.is_terminal() {
            self.complain("\r\x1b[2K");
        }
    }

    /// An error with its causes and, where there is one, a way out. What was said already is not said again.
    pub(crate) fn error(&mut self, error: &CliError) {
        let mut said = one_line(&error.to_string());
        self.complain(&format!("{ERROR}error:{ERROR:#} {said}\n"));
        let mut cause = error.source();
        while let Some(error) = cause {
            let line = one_line(&error.to_string());
            if !said.ends_with(&line) {
                self.complain(&format!("  {LABEL}cause:{LABEL:#} {line}\n"));
            }
            said = line;
            cause = error.source();
        }
        if let Some(hint) = error.hint() {
            self.complain(&format!("  {LABEL}hint:{LABEL:#} {}\n", one_line(&hint)));
        }
    }

    fn complain(&mut self, text: &str) {
        let mut stderr = AutoStream::auto(self.stderr.lock());
        // There is nobody left to tell that standard error is closed.
        let _ = stderr.write_all(text.as_bytes());
    }
}

fn written(result: io::Result<()>) -> Result<(), CliError> {
    result.map_err(|error| match error.kind() {
        ErrorKind::BrokenPipe => CliError::ClosedPipe,
        _ => CliError::Output(error),
    })
}
