//! `recto rollout why`: why the model goes by an old text of AGENTS.md.

use std::path::{Path, PathBuf};

use clap::{Args, ValueHint};
use recto_core::environment::metadata_of;
use recto_core::rollout::{
    Belief, Cause, ReplayedSession, TurnFacts, Until, belief, changed_last, replay, turn_facts,
};

use crate::engine::{self, Captured};
use crate::env::HostFacts;
use crate::error::CliError;
use crate::exit::ExitStatus;
use crate::place::{Place, PlaceArgs};
use crate::printer::Printer;
use crate::recorded::{Recorded, SessionArgs, rebuild};
use crate::view::belief::{self as as_text, Scene};
use crate::view::belief_json;
use crate::view::diagnostics::{self, Subject};
use crate::view::json::pretty;
use crate::view::names::PathNames;

/// Tell why the model of a session goes by an old text of AGENTS.md; exit with 1 where it does
///
/// Compares what the model was told with what it would be told today where the session works.
#[derive(Debug, Args)]
pub(crate) struct WhyArgs {
    #[command(flatten)]
    place: PlaceArgs,
    #[command(flatten)]
    session: SessionArgs,
    /// As of the first request of that turn, from 1; else as of the end
    #[arg(long, value_name = "N")]
    turn: Option<usize>,
    /// The file that you changed; else those that count in the current directory (or DIR)
    #[arg(long, value_name = "PATH", value_hint = ValueHint::FilePath)]
    path: Option<PathBuf>,
    /// Print one document for programs
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(
    args: WhyArgs,
    before: PlaceArgs,
    printer: &mut Printer,
) -> Result<ExitStatus, CliError> {
    let place = Place::of(before.then(args.place))?;
    let host = HostFacts::read()?;
    let recorded = Recorded::find(&args.session, &place, &host, printer)?;
    let chain = recorded.chain()?;
    let until = args.turn.map_or(Until::End, Until::Request);
    let session = rebuild(&chain, until, printer)?;
    let all = replay(&chain, Until::End)?.turns;
    let turns = turn_facts(&chain, &all, args.turn)?;
    let there = Place {
        cwd: session.cwd().map_or_else(|| place.cwd.clone(), PathBuf::from),
        is_named: true,
        overrides: place.overrides.clone(),
    };
    let asked = args.path.as_deref().map(|path| place.path(path));
    let names = PathNames::of_host(&host);
    let (captured, found, diagnostics) = engine::block_on(async {
        let captured = engine::capture(&there, host).await?;
        let found = find_out(&session, &captured, &turns, asked.as_deref()).await;
        let found = match off_chain(&found, &place, &there, &captured).await {
            Some(path) => find_out(&session, &captured, &turns, Some(&path)).await,
            None => found,
        };
        let diagnostics = diagnostics::collect(&captured, &there).await;
        Ok((captured, found, diagnostics))
    })?;
    for diagnostic in diagnostics.iter().filter(|it| it.subject() == Subject::Run) {
        printer.warning(&diagnostic.to_string());
    }
    let scene = Scene {
        file: &recorded.file,
        cwd: &there.cwd,
        project: captured.step.agents_md.projects.first(),
        turn: turns.last().map(|turn| turn.number),
        names: &names,
    };
    if args.json {
        printer.data(&pretty(&belief_json::document(&scene, &found)))?;
    } else {
        printer.styled(&as_text::render(&scene, &found))?;
    }
    let is_fine = found.cause == Cause::Equal;
    Ok(if is_fine { ExitStatus::Fine } else { ExitStatus::Faults })
}

async fn find_out(
    session: &ReplayedSession,
    captured: &Captured,
    turns: &[TurnFacts],
    asked: Option<&Path>,
) -> Belief {
    let today = &captured.step.agents_md;
    let changed = changed_last(&*captured.file_system, &session.baseline, today).await;
    belief(&session.baseline, today, turns, asked, changed)
}

/// A file that counts where the person stands and not where the session works.
///
/// Asked only where the model knows everything that counts there, and both places lie in one tree.
async fn off_chain(
    found: &Belief,
    here: &Place,
    there: &Place,
    captured: &Captured,
) -> Option<PathBuf> {
    if found.cause != Cause::Equal || here.cwd == there.cwd {
        return None;
    }
    let today = &captured.step.agents_md;
    let root = &today.projects.first()?.root.path;
    if !here.cwd.starts_with(root) {
        return None;
    }
    let below = here.cwd.ancestors().take_while(|it| it.starts_with(root));
    let config = &captured.config.agents_md;
    let fallbacks = config.project_doc_fallback_filenames.iter().map(String::as_str);
    let names: Vec<&str> =
        ["AGENTS.override.md", "AGENTS.md"].into_iter().chain(fallbacks).collect();
    let paths: Vec<PathBuf> =
        below.flat_map(|directory| names.iter().map(|name| directory.join(name))).collect();
    let found = metadata_of(&*captured.file_system, &paths).await;
    let mut there_is = paths.into_iter().zip(found).filter(|(_, found)| found.is_ok());
    there_is
        .find(|(path, _)| today.candidates().all(|candidate| candidate.path != *path))
        .map(|(path, _)| path)
}
