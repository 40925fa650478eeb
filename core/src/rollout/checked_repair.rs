//! A repaired copy that is held against its original: whether a model would read the same of both.

#![expect(clippy::disallowed_methods, reason = "the copy gets its name here")]

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use recto_protocol::{BaseInstructions, BaseInstructionsSource, Item, Prompt};

use super::repair::{RepairError, Repaired, repair};
use super::replay::{RolloutChain, Until, replay};
use crate::history::Audience;

/// A copy, and how it compares with its original.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckedRepair {
    /// What the copy does not have as the original has it.
    pub repaired: Repaired,
    /// How the prompts that the two lead to differ; none where they are the same, byte for byte.
    pub difference: Option<PromptDifference>,
}

/// How the prompts of an original and its copy differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PromptDifference {
    /// Items that the original leads to.
    pub items_before: usize,
    /// Items that the copy leads to.
    pub items_after: usize,
    /// The first item that is not the same, from 1.
    pub first: Option<usize>,
    /// Whether the base instructions are others.
    pub base_instructions: bool,
}

/// Does what [`repair`] does, and rebuilds both files to compare what a model would read.
///
/// The copy has its name only when it is whole; until then it stands beside it under another one.
pub fn repair_checked(from: &Path, to: &Path) -> Result<CheckedRepair, RepairError> {
    let write_error = |source| RepairError::Write { path: to.to_owned(), source };
    if fs::symlink_metadata(to).is_ok() {
        let taken = "something stands there already, and nothing is replaced";
        return Err(write_error(io::Error::new(io::ErrorKind::AlreadyExists, taken)));
    }
    let unfinished = unfinished_name(to);
    let repaired = repair(from, &unfinished)?;
    let difference = difference(prompt_of(from).as_ref(), prompt_of(&unfinished).as_ref());
    // A link does not replace what came to stand there meanwhile; a rename would.
    let named = fs::hard_link(&unfinished, to);
    let removed = fs::remove_file(&unfinished);
    named.and(removed).map_err(write_error)?;
    Ok(CheckedRepair { repaired, difference })
}

/// Removes what [`repair_checked`] of this process has of a copy that is not whole; for a program that is interrupted.
pub fn discard_unfinished(to: &Path) {
    let _ = fs::remove_file(unfinished_name(to));
}

fn unfinished_name(path: &Path) -> PathBuf {
    let mut name = OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    name.push(format!(".{}.part", std::process::id()));
    path.with_file_name(name)
}

/// What the records of one file lead to; none where there are no records.
fn prompt_of(path: &Path) -> Option<Prompt> {
    let session = replay(&RolloutChain::single(path), Until::End).ok()?;
    let audience = Audience::default();
    let text = session.base_instructions.as_ref().map(|base| base.text.clone());
    let base = BaseInstructions {
        text: text.unwrap_or_default(),
        source: BaseInstructionsSource::Session,
    };
    Some(session.history(&audience).for_prompt(base, Vec::new(), &audience))
}

fn difference(before: Option<&Prompt>, after: Option<&Prompt>) -> Option<PromptDifference> {
    let texts = |prompt: Option<&Prompt>| -> Vec<String> {
        let input = prompt.into_iter().flat_map(|prompt| prompt.input.iter());
        input.map(Item::wire_json).map(std::borrow::Cow::into_owned).collect()
    };
    let base = |prompt: Option<&Prompt>| {
        prompt.map(|prompt| prompt.base_instructions.text.clone()).unwrap_or_default()
    };
    let (items_before, items_after) = (texts(before), texts(after));
    let longest = items_before.len().max(items_after.len());
    let first = (0..longest).find(|at| items_before.get(*at) != items_after.get(*at));
    let base_instructions = base(before) != base(after);
    (first.is_some() || base_instructions).then_some(PromptDifference {
        items_before: items_before.len(),
        items_after: items_after.len(),
        first: first.map(|at| at + 1),
        base_instructions,
    })
}
