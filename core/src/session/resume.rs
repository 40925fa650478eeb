//! A session goes on from its record: what it knew, and where it works.
//!
//! The past is what the record says. Files of today are read when the next step is captured, as in any turn, and what
//! changed since then is told there, once.

use std::path::{Path, PathBuf};

use crate::environment::{FileKind, FileSystem, FileSystemError};
use crate::history::Audience;
use crate::rollout::{Baseline, ReplayedSession, RolloutEntry};
use crate::world_state::WorldStateSnapshot;

use super::session::Session;
use super::state::{SessionState, Told};

/// Why a session cannot go on where it is to work.
#[derive(Debug, thiserror::Error)]
pub enum ResumeCwdError {
    /// The directory is not there.
    #[error("the session works in {}, which is no directory any more", .0.display())]
    Gone(PathBuf),
    /// Nobody says where it works.
    #[error("the record does not say where the session works")]
    NotRecorded,
    /// The directory cannot be looked at.
    #[error("the session works in {}, which cannot be looked at: {source}", path.display())]
    Unreadable {
        /// The directory.
        path: PathBuf,
        /// The system's words.
        source: FileSystemError,
    },
}

impl ResumeCwdError {
    /// What a person can do.
    pub fn hint(&self) -> &'static str {
        "name another working directory for it"
    }
}

impl SessionState {
    /// What a recorded session has come to, for the model and provider that go on with it.
    ///
    /// Turns of the last context window can be taken back, earlier ones with [`Session::roll_back_to`]. Values from
    /// outside are forgotten, as the reference does.
    pub fn resumed(session: &ReplayedSession, audience: &Audience) -> Self {
        let told = session.turn_starts.iter().map(|start| Told {
            baseline: known(&start.baseline),
            is_too_long: start.is_full,
            ..Told::default()
        });
        let mut past = Self::with_past(
            session.history(audience),
            known(&session.baseline),
            session.base_instructions.as_ref().map(|it| it.text.clone()),
            told.collect(),
        );
        past.is_too_long = session.is_full;
        past.dynamic_tools.clone_from(&session.meta.dynamic_tools);
        past
    }
}

impl Session {
    /// Takes back the last `turns` turns where [`roll_back`](Self::roll_back) holds them no more: those that began in
    /// context windows before the one that the session was taken up in.
    ///
    /// `past` is a replay of its record to before [`ReplayedSession::turn_taken_back`].
    pub async fn roll_back_to(&mut self, past: &ReplayedSession, turns: usize) {
        self.state = SessionState::resumed(past, &self.audience());
        let turns = u32::try_from(turns).unwrap_or(u32::MAX);
        self.record_entries(vec![RolloutEntry::RolledBack { turns }]).await;
    }
}

/// What a step goes by. An empty state says that something was told and nobody knows what.
fn known(baseline: &Baseline) -> Option<WorldStateSnapshot> {
    match baseline {
        Baseline::Absent => None,
        Baseline::Unknown => Some(WorldStateSnapshot::default()),
        Baseline::Known(told) => Some(told.clone()),
    }
}

/// Where a resumed session works: where the person says, else where its last turn worked. Where the program was
/// started does not matter.
///
/// Another directory than before is told to the model in the next turn.
pub async fn resumed_cwd(
    session: &ReplayedSession,
    chosen: Option<&Path>,
    files: &dyn FileSystem,
) -> Result<PathBuf, ResumeCwdError> {
    let recorded = session.cwd().filter(|cwd| !cwd.is_empty()).map(Path::new);
    let Some(cwd) = chosen.or(recorded) else { return Err(ResumeCwdError::NotRecorded) };
    let path = cwd.to_owned();
    match files.get_metadata(cwd).await {
        Ok(metadata) if metadata.kind == FileKind::Directory => Ok(path),
        Ok(_) | Err(FileSystemError::NotFound | FileSystemError::BrokenLink) => {
            Err(ResumeCwdError::Gone(path))
        }
        Err(source) => Err(ResumeCwdError::Unreadable { path, source }),
    }
}
