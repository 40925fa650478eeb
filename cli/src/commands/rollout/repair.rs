//! `recto rollout repair`: a copy in which every line is a record.

use std::path::PathBuf;

use clap::{Args, ValueHint};
use recto_core::rollout::{
    Change, CheckedRepair, PromptDifference, discard_unfinished, repair_checked,
};

use crate::env::HostFacts;
use crate::error::CliError;
use crate::exit::ExitStatus;
use crate::place::{Place, PlaceArgs};
use crate::printer::Printer;
use crate::recorded::{Recorded, SessionArgs};
use crate::signals;
use crate::view::layout::{counted, grouped};

/// Copy a recorded session without what is no record; the original is only read
///
/// Original and copy are rebuilt: where a model would not read the same of both, the difference is told and the exit
/// code is 1.
#[derive(Debug, Args)]
pub(crate) struct RepairArgs {
    #[command(flatten)]
    place: PlaceArgs,
    #[command(flatten)]
    session: SessionArgs,
    /// Where to write the copy; nothing may stand there
    #[arg(long, value_name = "COPY", value_hint = ValueHint::FilePath)]
    to: PathBuf,
}

pub(crate) fn run(
    args: RepairArgs,
    before: PlaceArgs,
    printer: &mut Printer,
) -> Result<ExitStatus, CliError> {
    let place = Place::of(before.then(args.place))?;
    let host = HostFacts::read()?;
    let recorded = Recorded::find(&args.session, &place, &host, printer)?;
    let to = place.path(&args.to);
    let unfinished = to.clone();
    signals::end_cleanly(move || discard_unfinished(&unfinished));
    printer.progress("copying the session");
    let checked = repair_checked(recorded.path(), &to);
    printer.progress_done();
    let CheckedRepair { repaired, difference } = checked?;
    let mut lines: Vec<String> = repaired.changes.iter().map(change).collect();
    if repaired.blank_lines > 0 {
        lines.push(format!("{} left out", counted(repaired.blank_lines, "blank line")));
    }
    if repaired.respaced_lines > 0 {
        let count = counted(repaired.respaced_lines, "line");
        lines.push(format!("{count} without the white space around the record"));
    }
    let records = counted(repaired.records, "record");
    lines.push(match &difference {
        None => format!("{records} in the copy; a model reads the same of both"),
        Some(difference) => {
            format!("{records} in the copy; a model does not read the same: {}", words(difference))
        }
    });
    let text: String = lines.iter().map(|line| line.clone() + "\n").collect();
    printer.data(&text)?;
    Ok(if difference.is_some() { ExitStatus::Faults } else { ExitStatus::Fine })
}

fn change(change: &Change) -> String {
    let Change { line, byte, len, kind } = change;
    format!("line {line} (byte {byte}, {len} bytes): {kind}")
}

fn words(difference: &PromptDifference) -> String {
    let PromptDifference { items_before, items_after, first, base_instructions } = difference;
    let mut parts = Vec::new();
    if let Some(first) = first {
        parts.push(format!(
            "{} of the original, {} of the copy, other from item {} on",
            counted(*items_before as u64, "item"),
            grouped(*items_after as u64),
            grouped(*first as u64)
        ));
    }
    if *base_instructions {
        parts.push("other base instructions".to_owned());
    }
    parts.join("; ")
}
