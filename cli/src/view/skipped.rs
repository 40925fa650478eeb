//! What beside the sessions is none: one line for each reason.

use std::path::Path;

use recto_core::rollout::{SkipReason, Skipped};

use super::names::PathNames;

/// How many files of one reason are named.
const NAMED: usize = 3;

/// One line for each reason, the first reason first.
pub(crate) fn lines(skipped: &[Skipped], names: &PathNames) -> Vec<String> {
    let mut reasons: Vec<(String, Vec<&Path>)> = Vec::new();
    for file in skipped {
        let reason = words(&file.reason);
        match reasons.iter_mut().find(|(known, _)| *known == reason) {
            Some((_, paths)) => paths.push(&file.path),
            None => reasons.push((reason, vec![&file.path])),
        }
    }
    reasons.iter().map(|(reason, paths)| line(reason, paths, names)).collect()
}

fn words(reason: &SkipReason) -> String {
    match reason {
        SkipReason::Superseded(_) => "another file stands for the same session".to_owned(),
        other => other.to_string(),
    }
}

fn line(reason: &str, paths: &[&Path], names: &PathNames) -> String {
    let shown: Vec<String> = paths.iter().take(NAMED).map(|path| names.full(path)).collect();
    let mut line = match paths.len() {
        1 => format!("not listed: {}", shown.join(", ")),
        count => format!("not listed: {count} files, {}", shown.join(", ")),
    };
    if paths.len() > NAMED {
        line.push_str(", …");
    }
    line + ": " + reason
}
