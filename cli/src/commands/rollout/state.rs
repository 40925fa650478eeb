//! `recto rollout state`: what the model knew of the world.

use clap::Args;
use recto_core::rollout::{Baseline, Until};

use crate::env::HostFacts;
use crate::error::CliError;
use crate::exit::ExitStatus;
use crate::place::{Place, PlaceArgs};
use crate::printer::Printer;
use crate::recorded::{Recorded, SessionArgs, rebuild};
use crate::view::json::pretty;

/// Print the state of the world as the model was told it, as JSON
///
/// `null` where nothing was told yet, and `{}` where the record does not hold what was told.
#[derive(Debug, Args)]
pub(crate) struct StateArgs {
    #[command(flatten)]
    place: PlaceArgs,
    #[command(flatten)]
    session: SessionArgs,
    /// As of the first request of that turn, from 1; else as of the end
    #[arg(long, value_name = "N")]
    turn: Option<usize>,
}

pub(crate) fn run(
    args: StateArgs,
    before: PlaceArgs,
    printer: &mut Printer,
) -> Result<ExitStatus, CliError> {
    let place = Place::of(before.then(args.place))?;
    let host = HostFacts::read()?;
    let recorded = Recorded::find(&args.session, &place, &host, printer)?;
    let until = args.turn.map_or(Until::End, Until::Request);
    let session = rebuild(&recorded.chain()?, until, printer)?;
    match &session.baseline {
        Baseline::Known(state) => printer.data(&pretty(&state.to_json()))?,
        Baseline::Absent => {
            printer.warning("the model was told nothing of the world yet");
            printer.data("null\n")?;
        }
        Baseline::Unknown => {
            printer.warning("the record does not hold what the model was told of the world");
            printer.data("{}\n")?;
        }
    }
    Ok(ExitStatus::Fine)
}
