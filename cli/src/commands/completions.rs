//! `recto completions`: what a shell needs to complete our arguments.

use clap::{Args, Command};
use clap_complete::Shell;

use crate::error::CliError;
use crate::exit::ExitStatus;
use crate::printer::Printer;

/// Print a completion script for a shell
#[derive(Debug, Args)]
pub(crate) struct CompletionsArgs {
    /// The shell that will read it
    shell: Shell,
}

/// `command` is everything that can be typed.
pub(crate) fn run(
    args: &CompletionsArgs,
    mut command: Command,
    printer: &mut Printer,
) -> Result<ExitStatus, CliError> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command, "recto", &mut script);
    printer.data(&String::from_utf8_lossy(&script))?;
    Ok(ExitStatus::Fine)
}
