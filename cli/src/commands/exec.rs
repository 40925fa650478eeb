//! `recto exec`: one turn of a new session.

use std::ffi::OsString;

use clap::Args;

use crate::env::HostFacts;
use crate::error::CliError;
use crate::exit::ExitStatus;
use crate::place::PlaceArgs;
use crate::printer::Printer;
use crate::turn::{InputRule, Start, TurnArgs, run as run_turn, said};

/// Ask the model: one turn of a new session, recorded
///
/// The answer goes to standard output as it comes, everything else to standard error. Ctrl-C stops the turn and records
/// that it was stopped; a second one leaves at once. Exits with 1 where the turn did not come to its end.
#[derive(Debug, Args)]
pub(crate) struct ExecArgs {
    #[command(flatten)]
    turn: TurnArgs,
    /// What the user says; without it, or for `-`, standard input; what is piped in beside it is added to it
    #[arg(value_name = "PROMPT")]
    prompt: Option<OsString>,
}

pub(crate) fn run(
    args: ExecArgs,
    before: PlaceArgs,
    printer: &mut Printer,
) -> Result<ExitStatus, CliError> {
    let place = args.turn.place(before)?;
    let host = HostFacts::read()?;
    let text = said(args.prompt.as_deref(), InputRule::PromptOrBeside, printer)?;
    let input = args.turn.input(text)?;
    run_turn(args.turn, Start::New, &place, host, input, printer)
}
