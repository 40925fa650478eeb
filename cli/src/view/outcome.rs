//! Why the model does not read a file, or not all of it: a code for programs and words for people.

use recto_core::agents_md::{CandidateOutcome, LostLine, NearMissKind};
use recto_core::environment::FileKind;

use super::layout::{grouped, shortened};
use super::names::PathNames;

/// Columns that are shown of a line that was lost.
const LOST_LINE_COLUMNS: usize = 60;

/// The code of an outcome in documents.
pub(crate) fn code(outcome: &CandidateOutcome) -> &'static str {
    match outcome {
        CandidateOutcome::Loaded { .. } => "loaded",
        CandidateOutcome::Cut { .. } => "cut",
        CandidateOutcome::Shadowed { .. } => "shadowed",
        CandidateOutcome::Blank => "blank",
        CandidateOutcome::Absent => "absent",
        CandidateOutcome::NotRegular(_) => "not_a_regular_file",
        CandidateOutcome::BrokenLink => "broken_link",
        CandidateOutcome::Unreadable(_) => "unreadable",
        CandidateOutcome::Untrusted => "untrusted",
        CandidateOutcome::BudgetSpent => "budget_spent",
        CandidateOutcome::ProjectDocsOff => "project_docs_off",
    }
}

/// An outcome as a phrase that follows the file's name.
pub(crate) fn words(outcome: &CandidateOutcome, names: &PathNames) -> String {
    match outcome {
        CandidateOutcome::Loaded { .. } => "read".to_owned(),
        CandidateOutcome::Cut { kept, lost, first_lost_line, .. } => {
            cut_words(*kept, *lost, first_lost_line)
        }
        CandidateOutcome::Shadowed { by } => format!("shadowed by {}", names.short(by)),
        CandidateOutcome::Blank => "blank: it holds only white space".to_owned(),
        CandidateOutcome::Absent => "does not exist".to_owned(),
        CandidateOutcome::NotRegular(FileKind::Other) => "skipped: not a regular file".to_owned(),
        CandidateOutcome::NotRegular(kind) => format!("skipped: {kind}, not a regular file"),
        CandidateOutcome::BrokenLink => "skipped: a link that leads nowhere".to_owned(),
        CandidateOutcome::Unreadable(error) => format!("cannot be read: {error}"),
        CandidateOutcome::Untrusted => "skipped: untrusted".to_owned(),
        CandidateOutcome::BudgetSpent => {
            "skipped: the files before it used up project_doc_max_bytes".to_owned()
        }
        CandidateOutcome::ProjectDocsOff => "skipped: project_doc_max_bytes is 0".to_owned(),
    }
}

/// What a cut took.
fn cut_words(kept: u64, lost: u64, line: &LostLine) -> String {
    format!(
        "cut: {} of {} bytes read, {} lost from line {} on: \"{}\"",
        grouped(kept),
        grouped(kept + lost),
        grouped(lost),
        line.number,
        shortened(&line.text, LOST_LINE_COLUMNS)
    )
}

/// The code of a near miss in documents.
pub(crate) fn near_miss_code(kind: &NearMissKind) -> &'static str {
    match kind {
        NearMissKind::MistakenName { .. } => "mistaken_name",
        NearMissKind::Utf16 => "utf_16",
        NearMissKind::OnlyAPath { .. } => "only_a_path",
        NearMissKind::ByteOrderMark => "byte_order_mark",
        NearMissKind::HoldsEndMarker { .. } => "holds_end_marker",
        NearMissKind::Hidden(_) => "hidden_text",
        NearMissKind::UnreachableFallback { .. } => "unreachable_fallback",
        NearMissKind::NamesMissingPath { .. } => "names_missing_path",
        NearMissKind::LongMap { .. } => "long_map",
    }
}
