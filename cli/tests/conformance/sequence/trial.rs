//! One sequence as a test.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use libtest_mimic::{Failed, Trial};
use recto_core::testing::FixtureDirectory;

use super::list;
use super::ours::Ours;
use super::steps::{self, Sequence, Step};
use super::theirs::Theirs;
use super::view::Told;

/// All sequences as tests; ignored where there is no reference.
pub(crate) fn trials(reference: Option<&PathBuf>) -> Vec<Trial> {
    list::sequences()
        .into_iter()
        .map(|sequence| {
            let name = format!("sequence::{}", sequence.name);
            let reference = reference.cloned();
            let is_ignored = reference.is_none();
            let run = move || reference.map_or(Ok(()), |it| hold_unless_midnight(&it, &sequence));
            Trial::test(name, run).with_ignored_flag(is_ignored)
        })
        .collect()
}

/// Holds a sequence. Midnight may fall between the two programs: then they run once more.
///
/// In the zones of the sequences every midnight is a full hour of UTC.
fn hold_unless_midnight(reference: &Path, sequence: &Sequence) -> Result<(), Failed> {
    let begun = hour();
    let held = hold(reference, sequence);
    if held.is_err() && begun != hour() { hold(reference, sequence) } else { held }
}

/// The hours since 1970.
fn hour() -> u64 {
    let since = SystemTime::UNIX_EPOCH.elapsed().unwrap_or_default();
    since.as_secs() / 3_600
}

fn hold(reference: &Path, sequence: &Sequence) -> Result<(), Failed> {
    let tree = sequence.lay_out();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let mut theirs = Theirs::new(reference, &tree);
    let mut ours = Ours::new(&tree);
    let mut place = steps::Place::of(sequence, &tree);
    for step in &sequence.steps {
        match step {
            Step::Turn(turn) => {
                let expected = theirs.turn(&place, turn, &tree)?;
                let outputs = theirs.outputs();
                let actual = runtime.block_on(ours.turn(&place, turn, outputs, &tree))?;
                compare(&turn.text, &expected, &actual, &tree)?;
            }
            other => place.change(other, &tree),
        }
    }
    Ok(())
}

fn compare(
    turn: &str,
    expected: &Told,
    actual: &Told,
    tree: &FixtureDirectory,
) -> Result<(), Failed> {
    let expected = expected.readable(tree);
    let actual = actual.readable(tree);
    if expected == actual {
        return Ok(());
    }
    let diff = pretty_assertions::StrComparison::new(&expected, &actual);
    Err(format!("turn {turn:?}: reference (<) and recto (>):\n{diff}").into())
}
