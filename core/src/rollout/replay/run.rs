//! Runs through the lines of a session.

use std::io::Read;
use std::path::PathBuf;

use super::super::open;
use super::chain::RolloutChain;
use super::error::ReplayError;
use super::lines::{Flow, Replay};
use super::part::{Part, PartEnd};
use super::session::ReplayedSession;
use super::until::Until;

/// Rebuilds a session from its files.
pub fn replay(chain: &RolloutChain, until: Until) -> Result<ReplayedSession, ReplayError> {
    let paths: Vec<PathBuf> = chain.parts().iter().map(|part| part.path.clone()).collect();
    let mut open = |index: usize| {
        let part = chain.parts().get(index)?;
        Some((open::open(&part.path), part.end))
    };
    let mut session = run_twice(&mut open, &paths, until)?;
    session.files = paths;
    Ok(session)
}

/// Rebuilds a session from the bytes of one file.
pub fn replay_bytes(bytes: &[u8], until: Until) -> Result<ReplayedSession, ReplayError> {
    let mut open = |index: usize| (index == 0).then_some((Ok(bytes), PartEnd::File));
    run_twice(&mut open, &[], until)
}

/// Most sessions never go back, so a first run keeps only what stands; one that does is run again.
fn run_twice<R: Read>(
    open: &mut dyn FnMut(usize) -> Option<Part<R>>,
    paths: &[PathBuf],
    until: Until,
) -> Result<ReplayedSession, ReplayError> {
    if until == Until::End {
        let mut replay = Replay::new(until, false);
        if replay.read_all(open, paths)? != Flow::NeedsPast {
            return replay.finish(paths);
        }
    }
    let mut replay = Replay::new(until, true);
    replay.read_all(open, paths)?;
    replay.finish(paths)
}
