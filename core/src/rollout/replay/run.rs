//! Runs through the lines of a session.

use std::io::{self, Read};
use std::path::PathBuf;

use super::super::open;
use super::chain::{PartEnd, RolloutChain};
use super::lines::{Flow, Replay};
use super::session::ReplayedSession;

/// How far a replay goes. Turns count from 1, those that were taken back included.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Until {
    /// To the end of the record.
    #[default]
    End,
    /// To the place where a turn begins.
    BeforeTurn(usize),
    /// To a turn's first request: everything that the model read when it gave its first answer there.
    Request(usize),
    /// To the end of a turn, before the next one begins.
    AfterTurn(usize),
}

/// Why a session cannot be rebuilt.
#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    /// A file cannot be read.
    #[error("cannot read the session file {path}")]
    Read {
        /// The file.
        path: PathBuf,
        /// The system's words.
        source: io::Error,
    },
    /// Nothing in it is a record.
    #[error("{path} holds no record of a session")]
    Empty {
        /// The file.
        path: PathBuf,
    },
    /// The past stands in a file that is not there.
    #[error("{path} goes on from session {thread_id}, of which there is no file")]
    MissingBase {
        /// The file.
        path: PathBuf,
        /// The session that holds its past.
        thread_id: String,
    },
    /// The session has no such turn.
    #[error("there is no turn {asked}: the session has {held}")]
    NoSuchTurn {
        /// The turn that was asked for.
        asked: usize,
        /// How many it has.
        held: usize,
    },
}

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

/// A file to be read, and how much of it.
pub(super) type Part<R> = (io::Result<R>, PartEnd);

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
