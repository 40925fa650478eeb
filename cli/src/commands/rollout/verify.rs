//! `recto rollout verify`: every fault of a file.

use std::path::Path;

use clap::Args;
use recto_core::rollout::{
    Faults, Record, ReplayError, RolloutChain, SessionSummary, Until, replay, walk,
};

use crate::env::HostFacts;
use crate::error::CliError;
use crate::exit::ExitStatus;
use crate::place::{Place, PlaceArgs};
use crate::printer::Printer;
use crate::recorded::{Recorded, SessionArgs};
use crate::view::layout::{counted, one_line};
use crate::view::names::{PathNames, shown};

/// Check every line of a recorded session; exit with 1 where there is a fault
#[derive(Debug, Args)]
pub(crate) struct VerifyArgs {
    #[command(flatten)]
    place: PlaceArgs,
    #[command(flatten)]
    session: SessionArgs,
}

pub(crate) fn run(
    args: VerifyArgs,
    before: PlaceArgs,
    printer: &mut Printer,
) -> Result<ExitStatus, CliError> {
    let place = Place::of(before.then(args.place))?;
    let host = HostFacts::read()?;
    let recorded = Recorded::find(&args.session, &place, &host, printer)?;
    printer.progress("reading the session");
    let found = faults(recorded.path());
    printer.progress_done();
    let found = found?;
    let names = PathNames::of_host(&host);
    let mut lines: Vec<String> = found.first().iter().map(ToString::to_string).collect();
    let more = found.total() - found.first().len() as u64;
    if more > 0 {
        lines.push(format!("and {} more", counted(more, "fault")));
    }
    lines.extend(about_the_whole(&recorded, &names)?);
    let status = if lines.is_empty() { ExitStatus::Fine } else { ExitStatus::Faults };
    if lines.is_empty() {
        lines.push("ok".to_owned());
    }
    let text: String = lines.iter().map(|line| one_line(line) + "\n").collect();
    printer.data(&text)?;
    Ok(status)
}

/// The faults of one file's own lines.
fn faults(path: &Path) -> Result<Faults, ReplayError> {
    let chain = RolloutChain::single(path);
    match replay(&chain, Until::End) {
        Ok(session) => Ok(session.faults),
        Err(ReplayError::Empty { .. }) => {
            let mut faults = Faults::default();
            walk(&chain, |_, record| {
                if let Record::Fault(fault) = record {
                    faults.push(fault);
                }
            })?;
            Ok(faults)
        }
        Err(error) => Err(error),
    }
}

/// What is wrong with the file as a whole, and with those that hold its past.
fn about_the_whole(recorded: &Recorded, names: &PathNames) -> Result<Vec<String>, CliError> {
    let path = recorded.path();
    let read_error = |source| ReplayError::Read { path: path.to_owned(), source };
    let mut lines = Vec::new();
    if SessionSummary::of_file(path).map_err(read_error)?.is_none() {
        lines.push("the file: nothing in it says which session it is".to_owned());
    }
    let chain = match recorded.chain() {
        Ok(chain) => chain,
        Err(error @ ReplayError::MissingBase { .. }) => {
            lines.push(format!("the file: {error}"));
            return Ok(lines);
        }
        Err(error) => return Err(error.into()),
    };
    let past = chain.parts().iter().filter(|part| part.path != path);
    for part in past {
        let total = faults(&part.path)?.total();
        if total > 0 {
            let (name, faults) = (names.full(&part.path), counted(total, "fault"));
            lines.push(format!(
                "its past: {name} has {faults}; `recto rollout verify {}` names them",
                shown(&part.path)
            ));
        }
    }
    Ok(lines)
}
