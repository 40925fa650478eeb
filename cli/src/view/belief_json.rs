//! `rollout why --json`.

use recto_core::agents_md::FileComparison;
use recto_core::rollout::{Belief, Cause};
use serde::Serialize;

use super::belief::{Scene, check, words};
use super::json::SCHEMA_VERSION;

/// What the model was told beside what is there, and why. `check` is the number of the check that applies.
#[derive(Debug, Serialize)]
pub(crate) struct BeliefDocument<'a> {
    schema_version: u32,
    id: &'a str,
    cwd: String,
    turn: Option<usize>,
    is_current: bool,
    check: Option<usize>,
    cause: &'static str,
    message: String,
    files: Vec<FileMember<'a>>,
}

#[derive(Debug, Serialize)]
struct FileMember<'a> {
    paths: Vec<String>,
    is_equal: bool,
    told: Option<&'a str>,
    today: Option<&'a str>,
}

/// All of it as one document.
pub(crate) fn document<'a>(scene: &Scene<'a>, belief: &'a Belief) -> BeliefDocument<'a> {
    BeliefDocument {
        schema_version: SCHEMA_VERSION,
        id: &scene.file.id,
        cwd: scene.cwd.to_string_lossy().into_owned(),
        turn: scene.turn,
        is_current: belief.is_current,
        check: check(&belief.cause),
        cause: code(&belief.cause),
        message: words(scene, &belief.cause),
        files: belief.files.iter().map(member).collect(),
    }
}

fn member(file: &FileComparison) -> FileMember<'_> {
    FileMember {
        paths: file.paths.iter().map(|path| path.to_string_lossy().into_owned()).collect(),
        is_equal: file.is_equal(),
        told: file.told.as_deref(),
        today: file.today.as_deref(),
    }
}

const fn code(cause: &Cause) -> &'static str {
    match cause {
        Cause::NotOnChain(_) => "not_on_chain",
        Cause::NotRead(..) => "not_read",
        Cause::SameSelection { .. } => "same_selection",
        Cause::NeverReachedStep(_) => "never_reached_step",
        Cause::Equal => "equal",
        Cause::GoesByRecord => "goes_by_record",
        Cause::NotRecorded => "not_recorded",
        Cause::OtherSettings { .. } => "other_settings",
    }
}
