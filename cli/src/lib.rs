//! The command line of recto: what a coding agent's model reads, shown to people and to programs.
//!
//! Arguments become calls of the engine, and what the engine captured becomes output. What another program would
//! want to know stands in `recto-core`; nothing here decides what a model reads.

mod args;
mod commands;
mod engine;
mod env;
mod error;
mod exit;
mod inputs;
mod place;
mod printer;
mod reach;
mod recorded;
mod view;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::{CommandFactory, Parser};

use args::{Cli, Command};
use error::CliError;
use exit::ExitStatus;
use printer::Printer;

/// Runs the program with its arguments, the first of which is its name.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let mut printer = Printer::of_this_process();
    let status = match Cli::try_parse_from(arguments) {
        Ok(cli) => dispatch(cli, &mut printer).unwrap_or_else(|error| report(&error, &mut printer)),
        Err(usage) => explain_usage(&usage),
    };
    status.into()
}

fn dispatch(cli: Cli, printer: &mut Printer) -> Result<ExitStatus, CliError> {
    match cli.command {
        Command::Prompt(args) => commands::prompt::run(args, cli.place, printer),
        Command::Explain(args) => commands::explain::run(args, cli.place, printer),
        Command::Rollout(args) => commands::rollout::run(args, cli.place, printer),
        Command::Completions(args) => commands::completions::run(&args, Cli::command(), printer),
    }
}

fn report(error: &CliError, printer: &mut Printer) -> ExitStatus {
    if !matches!(error, CliError::ClosedPipe) {
        printer.error(error);
    }
    error.exit_status()
}

/// Help and versions, or what was typed wrongly.
fn explain_usage(usage: &clap::Error) -> ExitStatus {
    // A reader that went away has seen what it wanted to see.
    let _ = usage.print();
    if usage.use_stderr() { ExitStatus::Unusable } else { ExitStatus::Fine }
}
