//! The commands below `recto rollout`.

use clap::{Args, Subcommand};

use super::list::{self, ListArgs};
use super::prompt::{self, PromptArgs};
use super::repair::{self, RepairArgs};
use super::show::{self, ShowArgs};
use super::state::{self, StateArgs};
use super::verify::{self, VerifyArgs};
use super::why::{self, WhyArgs};
use crate::error::CliError;
use crate::exit::ExitStatus;
use crate::place::PlaceArgs;
use crate::printer::Printer;
use crate::signals;

/// Look at recorded sessions: what was said, what the model was told, at any turn
#[derive(Debug, Args)]
pub(crate) struct RolloutArgs {
    #[command(subcommand)]
    command: RolloutCommand,
}

#[derive(Debug, Subcommand)]
enum RolloutCommand {
    List(ListArgs),
    Show(ShowArgs),
    State(StateArgs),
    Prompt(PromptArgs),
    Verify(VerifyArgs),
    Repair(RepairArgs),
    Why(WhyArgs),
}

pub(crate) fn run(
    args: RolloutArgs,
    before: PlaceArgs,
    printer: &mut Printer,
) -> Result<ExitStatus, CliError> {
    if !matches!(args.command, RolloutCommand::Repair(_)) {
        signals::end_cleanly(|| ());
    }
    match args.command {
        RolloutCommand::List(args) => list::run(args, before, printer),
        RolloutCommand::Show(args) => show::run(args, before, printer),
        RolloutCommand::State(args) => state::run(args, before, printer),
        RolloutCommand::Prompt(args) => prompt::run(args, before, printer),
        RolloutCommand::Verify(args) => verify::run(args, before, printer),
        RolloutCommand::Repair(args) => repair::run(args, before, printer),
        RolloutCommand::Why(args) => why::run(args, before, printer),
    }
}
