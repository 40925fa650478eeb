//! `recto rollout show`: a session as a person reads it.

use clap::Args;
use recto_core::rollout::{ReplayError, TranscriptEntry, Until, transcript};

use super::cache;
use crate::env::HostFacts;
use crate::error::CliError;
use crate::exit::ExitStatus;
use crate::place::{Place, PlaceArgs};
use crate::printer::Printer;
use crate::recorded::{Recorded, SessionArgs, rebuild};
use crate::view::json::pretty;
use crate::view::names::PathNames;
use crate::view::session_head;
use crate::view::transcript::{self as as_text, Detail};
use crate::view::transcript_json;

/// Show a recorded session turn by turn: what the model was told, what was said and done
#[derive(Debug, Args)]
pub(crate) struct ShowArgs {
    #[command(flatten)]
    place: PlaceArgs,
    #[command(flatten)]
    session: SessionArgs,
    /// Only that turn, from 1, with all its words
    #[arg(long, value_name = "N")]
    turn: Option<usize>,
    /// Show the requests instead: how much of the one before each begins with, and what broke that
    #[arg(long)]
    cache: bool,
    /// Print one document for programs
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(
    args: ShowArgs,
    before: PlaceArgs,
    printer: &mut Printer,
) -> Result<ExitStatus, CliError> {
    let place = Place::of(before.then(args.place))?;
    let host = HostFacts::read()?;
    let recorded = Recorded::find(&args.session, &place, &host, printer)?;
    let chain = recorded.chain()?;
    let session = rebuild(&chain, Until::End, printer)?;
    let turns = &session.turns;
    if let Some(asked) = args.turn
        && !(1..=turns.len()).contains(&asked)
    {
        return Err(ReplayError::NoSuchTurn { asked, held: turns.len() }.into());
    }
    if args.cache {
        return cache::run(&recorded.file, &chain, &session, args.turn, args.json, printer);
    }
    let is_asked = |turn: usize| args.turn.is_none_or(|asked| asked == turn);
    if args.json {
        let mut entries = Vec::new();
        transcript(&chain, turns, |entry| {
            if is_asked(entry.turn) {
                entries.push(entry);
            }
        })?;
        printer.data(&pretty(&transcript_json::document(&recorded.file, &session, &entries)))?;
        return Ok(ExitStatus::Fine);
    }
    let names = PathNames::of_host(&host);
    if args.turn.is_none() {
        printer.styled(&session_head::render(&recorded.file, &session, &names))?;
    }
    let detail = if args.turn.is_some() { Detail::All } else { Detail::Short };
    let mut outcome = Ok(());
    let mut gathered: Vec<TranscriptEntry> = Vec::new();
    let mut print = |entries: &mut Vec<TranscriptEntry>| {
        if outcome.is_ok() && !entries.is_empty() {
            outcome = printer.styled(&as_text::render(entries, turns, detail, &names));
        }
        entries.clear();
    };
    transcript(&chain, turns, |entry| {
        if gathered.last().is_some_and(|last| last.turn != entry.turn) {
            print(&mut gathered);
        }
        if is_asked(entry.turn) {
            gathered.push(entry);
        }
    })?;
    print(&mut gathered);
    outcome?;
    if args.turn.is_none() {
        printer.styled(&session_head::totals(&session))?;
    }
    Ok(ExitStatus::Fine)
}
