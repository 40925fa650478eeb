//! Why a model goes by the AGENTS.md text that it goes by, and not by what is on disk today.

use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use recto_protocol::rollout::epoch_milliseconds;

use super::replay::{Baseline, RecordedTurn, ReplayError, RolloutChain};
use super::transcript::{Happened, transcript};
use crate::agents_md::{CandidateOutcome, FileComparison, LoadedAgentsMd, compare};
use crate::environment::{FileSystem, metadata_of};
use crate::world_state::{AgentsMdState, WorldStateSection};

/// What a model was told of AGENTS.md beside what it would be told today, and why they are as they are.
#[derive(Debug, Clone, PartialEq)]
pub struct Belief {
    /// The files; empty where nobody knows what the model was told.
    pub files: Vec<FileComparison>,
    /// Whether the model knows what it would be told today.
    pub is_current: bool,
    /// Why.
    pub cause: Cause,
}

/// Why a model does not go by a text, or that it does. Turns are named by their number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cause {
    /// The file is none that is looked for from the directory that was used.
    NotOnChain(PathBuf),
    /// The file is looked for there, and what stands there is not read.
    NotRead(PathBuf, CandidateOutcome),
    /// A turn began after the change with the selection of the turn before, so that what was loaded served again.
    SameSelection {
        /// The last such turn.
        turn: usize,
    },
    /// What is there now was captured by no step.
    NeverReachedStep(NoStep),
    /// The model was told what is there.
    Equal,
    /// Nothing ran since the change: the session goes by its record until its next turn.
    GoesByRecord,
    /// The record does not hold what the model was told.
    NotRecorded,
    /// A turn loaded the files after their last change, and yet they differ: today other settings say what counts.
    OtherSettings {
        /// That turn.
        turn: usize,
    },
}

/// Why no step captured what is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoStep {
    /// The session had no step at all.
    None,
    /// The files changed while this turn ran, after it had loaded them.
    During(usize),
    /// This turn began after the change and ended before its first step.
    EndedBefore(usize),
}

/// What counts about a turn when it is asked why its files were read or not. Times are milliseconds since 1970.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TurnFacts {
    /// Its number.
    pub number: usize,
    /// When it began.
    pub began: Option<i64>,
    /// The last thing recorded of it.
    pub ended: Option<i64>,
    /// Where it worked.
    pub cwd: Option<String>,
    /// Whether settings were set before it, as at the start of a program.
    pub settings_applied: bool,
    /// Whether it came to a step.
    pub has_step: bool,
}

/// What a record says about its turns up to one of them; those that were taken back are left out.
pub fn turn_facts(
    chain: &RolloutChain,
    turns: &[RecordedTurn],
    last: Option<usize>,
) -> Result<Vec<TurnFacts>, ReplayError> {
    let mut facts: Vec<TurnFacts> = turns
        .iter()
        .map(|turn| TurnFacts { number: turn.number, ..TurnFacts::default() })
        .collect();
    // Settings that are set while a turn runs are those of that turn: something of it comes behind them. That it ended
    // is no sign, for a killed program leaves none.
    let (mut before, mut applied) = (0, false);
    transcript(chain, turns, |entry| {
        if entry.what == Happened::SettingsApplied {
            applied = true;
            return;
        }
        let Some(turn) = entry.turn.checked_sub(1).and_then(|at| facts.get_mut(at)) else { return };
        let time = entry.time.as_deref().and_then(epoch_milliseconds);
        turn.began = turn.began.or(time);
        turn.settings_applied |= applied && before != entry.turn;
        (before, applied) = (entry.turn, false);
        turn.ended = time.or(turn.ended);
        match entry.what {
            Happened::Settings(context) => {
                turn.cwd = context.cwd;
                turn.has_step = true;
            }
            Happened::Did(_) => turn.has_step = true,
            _ => {}
        }
    })?;
    facts.retain(|turn| last.is_none_or(|last| turn.number <= last));
    facts.retain(|turn| turns.get(turn.number - 1).is_some_and(|it| !it.taken_back));
    Ok(facts)
}

/// When any of the files that differ changed last; of one that is gone, when its directory did.
pub async fn changed_last(
    files: &dyn FileSystem,
    baseline: &Baseline,
    today: &LoadedAgentsMd,
) -> Option<SystemTime> {
    let told = told(baseline)?;
    let mut paths: Vec<PathBuf> = Vec::new();
    for file in comparisons(&told, today).iter().filter(|file| !file.is_equal()) {
        paths.extend(file.paths.iter().cloned());
        if file.today.is_none() {
            let candidates = today.candidates().filter_map(|candidate| candidate.path.parent());
            paths.extend(candidates.map(ToOwned::to_owned));
        }
    }
    let found = metadata_of(files, &paths).await;
    found.into_iter().filter_map(|metadata| metadata.ok()?.modified).max()
}

/// Walks the checks in their order; the first that holds is the cause.
///
/// `today` is what is loaded for the directory of the last of `turns`, `changed` when it changed last; `asked` is the
/// absolute path of a file that somebody asks about.
pub fn belief(
    baseline: &Baseline,
    today: &LoadedAgentsMd,
    turns: &[TurnFacts],
    asked: Option<&Path>,
    changed: Option<SystemTime>,
) -> Belief {
    let off_chain = off_chain(today, asked);
    let Some(told) = told(baseline) else {
        let cause = off_chain.unwrap_or(Cause::NotRecorded);
        return Belief { files: Vec::new(), is_current: false, cause };
    };
    let files = comparisons(&told, today);
    let is_current = files.iter().all(FileComparison::is_equal);
    let cause = match off_chain {
        Some(cause) => cause,
        None if is_current => Cause::Equal,
        None => why_not(turns, changed.and_then(milliseconds)),
    };
    Belief { files, is_current, cause }
}

/// What the model was told; none where the record does not say it.
fn told(baseline: &Baseline) -> Option<AgentsMdState> {
    match baseline {
        Baseline::Absent => Some(AgentsMdState::default()),
        Baseline::Unknown => None,
        Baseline::Known(state) => {
            let section = state.section(AgentsMdState::ID)?;
            serde_json::from_value(section.clone()).ok()
        }
    }
}

fn comparisons(told: &AgentsMdState, today: &LoadedAgentsMd) -> Vec<FileComparison> {
    compare(told.text.as_deref(), told.directory.is_some(), today)
}

fn off_chain(today: &LoadedAgentsMd, asked: Option<&Path>) -> Option<Cause> {
    let path = asked?;
    let Some(candidate) = today.candidates().find(|candidate| candidate.path == path) else {
        return Some(Cause::NotOnChain(path.to_owned()));
    };
    match &candidate.outcome {
        CandidateOutcome::Loaded { .. }
        | CandidateOutcome::Cut { .. }
        | CandidateOutcome::Absent => None,
        outcome => Some(Cause::NotRead(path.to_owned(), outcome.clone())),
    }
}

fn why_not(turns: &[TurnFacts], changed: Option<i64>) -> Cause {
    let Some(last_step) = turns.iter().rfind(|turn| turn.has_step) else {
        let none = turns.last().map_or(NoStep::None, |turn| NoStep::EndedBefore(turn.number));
        return Cause::NeverReachedStep(none);
    };
    // Of a file that nobody can date, the last turn is the only witness.
    let Some(changed) = changed else { return Cause::GoesByRecord };
    let is_after = |time: Option<i64>| time.is_some_and(|time| time >= changed);
    let since: Vec<&TurnFacts> = turns.iter().filter(|turn| is_after(turn.began)).collect();
    let with_step = since.iter().rfind(|turn| turn.has_step);
    match (with_step, since.last()) {
        (Some(turn), _) => match loaded_anew(turns, since.as_slice()) {
            Some(turn) => Cause::OtherSettings { turn },
            None => Cause::SameSelection { turn: turn.number },
        },
        (None, Some(turn)) => Cause::NeverReachedStep(NoStep::EndedBefore(turn.number)),
        (None, None) if is_after(last_step.ended) => {
            Cause::NeverReachedStep(NoStep::During(last_step.number))
        }
        (None, None) => Cause::GoesByRecord,
    }
}

/// The last of these turns that had to load the files: the first of a program's run, or one of another selection.
fn loaded_anew(turns: &[TurnFacts], since: &[&TurnFacts]) -> Option<usize> {
    let had_to = |turn: &&&TurnFacts| {
        let before = turns.iter().rfind(|it| it.number < turn.number && it.has_step);
        turn.has_step
            && (turn.settings_applied || before.is_none_or(|before| before.cwd != turn.cwd))
    };
    since.iter().rfind(had_to).map(|turn| turn.number)
}

fn milliseconds(time: SystemTime) -> Option<i64> {
    let since = time.duration_since(UNIX_EPOCH).ok()?;
    i64::try_from(since.as_millis()).ok()
}
