//! The command line of recto: what a coding agent's model reads, shown to people and to programs.
//!
//! Arguments become calls of the engine, and what the engine captured becomes output. What another program would
//! want to know stands in `recto-core`; nothing here decides what a model reads.

mod args;
mod commands;
mod engine;
mod env;
mod environments;
mod error;
mod exit;
mod find_error;
mod inputs;
mod place;
mod printer;
mod reach;
mod recorded;
mod signals;
mod trust_preview;
mod turn;
mod turn_error;
mod view;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::{CommandFactory, Parser};

use args::{Cli, Command};
use error::CliError;
use exit::ExitStatus;
use printer::Printer;
use view::layout::one_line;

/// Runs the program with its arguments, the first of which is its name.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    signals::outlive_file_limits();
    let mut printer = Printer::of_this_process();
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    let status = match Cli::try_parse_from(&arguments) {
        Ok(cli) => dispatch(cli, &mut printer),
        Err(usage) => explain_usage(&usage, &arguments, &mut printer),
    };
    status.unwrap_or_else(|error| report(&error, &mut printer)).into()
}

fn dispatch(cli: Cli, printer: &mut Printer) -> Result<ExitStatus, CliError> {
    match cli.command {
        Command::Prompt(args) => commands::prompt::run(args, cli.place, printer),
        Command::Explain(args) => commands::explain::run(args, cli.place, printer),
        Command::Exec(args) => commands::exec::run(args, cli.place, printer),
        Command::Resume(args) => commands::resume::run(args, cli.place, printer),
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
fn explain_usage(
    usage: &clap::Error,
    arguments: &[OsString],
    printer: &mut Printer,
) -> Result<ExitStatus, CliError> {
    if !usage.use_stderr() {
        printer.help(usage)?;
        return Ok(ExitStatus::Fine);
    }
    // The words repeat what was typed, so they are made from arguments that cannot steer a terminal.
    let shown = arguments.iter().map(|it| one_line(&it.to_string_lossy()));
    Printer::usage(Cli::try_parse_from(shown).err().as_ref().unwrap_or(usage));
    Ok(ExitStatus::Unusable)
}
