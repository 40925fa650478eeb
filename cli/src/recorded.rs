//! Which recorded session is meant, and the files that it is made of.

use std::path::{Path, PathBuf};

use clap::{Args, ValueHint};
use recto_core::rollout::{
    Catalog, ReplayError, ReplayedSession, RolloutChain, SessionFile, Until, replay,
};

use crate::env::HostFacts;
use crate::error::CliError;
use crate::find_error::FindError;
use crate::place::Place;
use crate::printer::Printer;

/// How a person names a recorded session.
#[derive(Debug, Args)]
pub(crate) struct SessionArgs {
    /// A recorded session: its file, its id, or the beginning of its id
    #[arg(
        value_name = "FILE",
        value_hint = ValueHint::FilePath,
        required_unless_present = "last",
        conflicts_with = "last"
    )]
    file: Option<PathBuf>,
    /// The session of the current directory (or DIR) that was written last
    #[arg(long)]
    last: bool,
    /// With --last: the session of any directory
    #[arg(long, requires = "last")]
    all: bool,
}

impl SessionArgs {
    /// The session that was written last, here or anywhere.
    pub(crate) fn last(all: bool) -> Self {
        Self { file: None, last: true, all }
    }

    /// A session by its file, its id, or the beginning of its id.
    pub(crate) fn named(file: PathBuf) -> Self {
        Self { file: Some(file), last: false, all: false }
    }
}

/// A recorded session that was found.
#[derive(Debug)]
pub(crate) struct Recorded {
    pub(crate) file: SessionFile,
    catalog: Catalog,
}

impl Recorded {
    /// Finds the session in both homes, or at its path; creates nothing.
    pub(crate) fn find(
        args: &SessionArgs,
        place: &Place,
        host: &HostFacts,
        printer: &mut Printer,
    ) -> Result<Self, CliError> {
        let catalog = Catalog::of_homes(host.session_homes());
        let mut skipped = Vec::new();
        let found = match &args.file {
            Some(file) => catalog.find(as_path(file, place)),
            None if args.all => catalog.last(None, &mut skipped),
            None => catalog.last(Some(&place.cwd.to_string_lossy()), &mut skipped),
        };
        for skipped in skipped {
            printer.warning(&skipped.to_string());
        }
        match found {
            Ok(file) => Ok(Self { file, catalog }),
            Err(error) => Err(FindError::new(error, &host.session_homes()).into()),
        }
    }

    /// Where its file is.
    pub(crate) fn path(&self) -> &Path {
        &self.file.path
    }

    /// Its files, those with its past first.
    pub(crate) fn chain(&self) -> Result<RolloutChain, ReplayError> {
        self.catalog.chain(self.path())
    }
}

/// Rebuilds a session; a person is told where that takes long, and how many lines were lost.
pub(crate) fn rebuild(
    chain: &RolloutChain,
    until: Until,
    printer: &mut Printer,
) -> Result<ReplayedSession, CliError> {
    printer.progress("reading the session");
    let session = replay(chain, until);
    printer.progress_done();
    let session = session?;
    let lost = session.faults.first().iter().filter(|fault| fault.costs_the_line()).count();
    if lost > 0 {
        let lines = if lost == 1 { "1 line" } else { &*format!("{lost} lines") };
        printer.warning(&format!(
            "{lines} of the record cannot be read; `recto rollout verify` names them"
        ));
    }
    Ok(session)
}

/// A path is relative to the directory that is looked from; an id is left as it is.
fn as_path(file: &Path, place: &Place) -> PathBuf {
    let is_name = file.components().count() < 2 && file.extension().is_none();
    if is_name && !file.is_absolute() { file.to_owned() } else { place.path(file) }
}
