//! `recto resume`: the next turn of a recorded session.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, ValueHint};
use recto_core::rollout::SessionSummary;

use crate::env::HostFacts;
use crate::error::CliError;
use crate::exit::ExitStatus;
use crate::place::{Place, PlaceArgs};
use crate::printer::Printer;
use crate::recorded::{Recorded, SessionArgs};
use crate::turn::{InputRule, Start, TurnArgs, run as run_turn, said};

/// Go on with a recorded session, Codex's or our own
///
/// It works where its last turn worked, or in DIR. A session of Codex goes on as a fork in our own home, unless
/// --in-place is given.
#[derive(Debug, Args)]
#[command(
    override_usage = "recto resume [OPTIONS] <SESSION> [PROMPT]\n       recto resume [OPTIONS] --last [PROMPT]"
)]
pub(crate) struct ResumeArgs {
    #[command(flatten)]
    turn: TurnArgs,
    /// Go on with the session of the current directory (or DIR) that was written last
    #[arg(long)]
    last: bool,
    /// With --last: the session of any directory
    #[arg(long, requires = "last")]
    all: bool,
    /// Go on in the session's own file, also where that is Codex's
    #[arg(long)]
    in_place: bool,
    /// The session: its file, its id, or the beginning of its id; not with --last
    #[arg(value_name = "SESSION", value_hint = ValueHint::FilePath, required_unless_present = "last")]
    session: Option<OsString>,
    /// What the user says; without it, or for `-`, standard input
    #[arg(value_name = "PROMPT")]
    prompt: Option<OsString>,
}

pub(crate) fn run(
    args: ResumeArgs,
    before: PlaceArgs,
    printer: &mut Printer,
) -> Result<ExitStatus, CliError> {
    let ResumeArgs { turn, last, all, in_place, session, prompt } = args;
    let mut place = turn.place(before)?;
    let host = HostFacts::read()?;
    // Behind --last the first word is the prompt.
    let (wanted, prompt) = if last { (None, session) } else { (session, prompt) };
    let wanted = wanted.map_or(SessionArgs::last(all), |it| SessionArgs::named(PathBuf::from(it)));
    let recorded = Recorded::find(&wanted, &place, &host, printer)?;
    let text = said(prompt.as_deref(), InputRule::Prompt, printer)?;
    let input = turn.input(text)?;
    move_to_session(&mut place, &recorded);
    let start =
        Start::Recorded { chain: recorded.chain()?, path: recorded.path().to_owned(), in_place };
    run_turn(turn, start, &place, host, input, printer)
}

/// The session works where it worked last, unless the person says where.
fn move_to_session(place: &mut Place, recorded: &Recorded) {
    if place.is_named {
        return;
    }
    let summary = SessionSummary::of_file(recorded.path()).ok().flatten();
    if let Some(cwd) = summary.and_then(|summary| summary.cwd) {
        place.cwd = PathBuf::from(cwd);
    }
}
