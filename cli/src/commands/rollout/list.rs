//! `recto rollout list`: the sessions of both homes.

use clap::Args;
use recto_core::rollout::{Catalog, ListedSession, SessionList, Until, replay};

use crate::env::{self, HostFacts};
use crate::error::CliError;
use crate::exit::ExitStatus;
use crate::place::{Place, PlaceArgs};
use crate::printer::Printer;
use crate::view::json::pretty;
use crate::view::names::PathNames;
use crate::view::session_list::{self, Row};
use crate::view::skipped;

/// List the recorded sessions of Codex and of recto, the one that was written last first
#[derive(Debug, Args)]
pub(crate) struct ListArgs {
    #[command(flatten)]
    place: PlaceArgs,
    /// Also tell turns and file of each; this reads every file whole
    #[arg(long)]
    long: bool,
    /// Only the sessions whose last turn worked in the current directory (or DIR)
    #[arg(long)]
    here: bool,
    /// Print one document for programs
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(
    args: ListArgs,
    before: PlaceArgs,
    printer: &mut Printer,
) -> Result<ExitStatus, CliError> {
    let place = Place::of(before.then(args.place))?;
    let host = HostFacts::read()?;
    printer.progress("looking through the sessions");
    let catalog = Catalog::of_homes(host.session_homes());
    let SessionList { mut sessions, skipped } = catalog.list();
    printer.progress_done();
    let prefixes = session_list::shortest_prefixes(&sessions);
    if args.here {
        let cwd = place.cwd.to_string_lossy();
        sessions.retain(|session| session.summary.cwd.as_deref() == Some(&*cwd));
    }
    let count = sessions.len();
    let rows: Vec<Row> = sessions
        .into_iter()
        .enumerate()
        .map(|(at, session)| {
            if args.long {
                printer.progress(&format!("counting turns: session {} of {count}", at + 1));
            }
            let turns = if args.long { turns(&catalog, &session) } else { None };
            Row { prefix: prefixes.of(&session), turns, session }
        })
        .collect();
    printer.progress_done();
    let names = PathNames::of_host(&host);
    for line in skipped::lines(&skipped, &names) {
        printer.warning(&line);
    }
    if args.json {
        printer.data(&pretty(&session_list::document(&rows, &skipped)))?;
    } else {
        printer.styled(&session_list::render(&rows, args.long, &names, env::clock()))?;
    }
    Ok(ExitStatus::Fine)
}

/// How many turns of a person stand; none where that cannot be told.
fn turns(catalog: &Catalog, session: &ListedSession) -> Option<usize> {
    let chain = catalog.chain(&session.file.path).ok()?;
    let turns = replay(&chain, Until::End).ok()?.turns;
    Some(turns.iter().filter(|turn| turn.from_person && !turn.taken_back).count())
}
