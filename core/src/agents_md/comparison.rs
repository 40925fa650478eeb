//! What a model was told once beside what it would be told today, file by file.

use std::path::PathBuf;

use super::document::{
    DOC_SEPARATOR, InstructionEntry, LoadedAgentsMd, PROJECT_DOC_SEPARATOR, ProjectDocs,
};

/// One file, or several that the old text does not tell apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileComparison {
    /// The files as they are named today; none for a text of which no file is left.
    pub paths: Vec<PathBuf>,
    /// What the model was told of them.
    pub told: Option<String>,
    /// What it would be told of them today.
    pub today: Option<String>,
}

impl FileComparison {
    /// Whether the model knows what stands there.
    pub fn is_equal(&self) -> bool {
        self.told == self.today
    }
}

/// Compares a text that was told with what is loaded today, host first, then project docs in order.
///
/// The text does not say which file a part of it came from; files that are still as they were show where the others
/// begin and end. `with_project_docs` tells whether the heading named a directory, as it does where a project doc was
/// loaded.
pub fn compare(
    told: Option<&str>,
    with_project_docs: bool,
    today: &LoadedAgentsMd,
) -> Vec<FileComparison> {
    if today.projects.len() > 1 {
        return vec![whole(told, today)];
    }
    let (host, docs) = match told {
        None => (None, None),
        Some(text) => match text.split_once(PROJECT_DOC_SEPARATOR) {
            Some((host, docs)) => (Some(host), Some(docs)),
            None if with_project_docs => (None, Some(text)),
            None => (Some(text), None),
        },
    };
    let mut comparisons = Vec::new();
    let host_entry = today.host.entry.as_ref();
    if host.is_some() || host_entry.is_some() {
        let path = host_entry.map(|entry| entry.path.clone());
        let fallback = || today.host.candidates.last().map(|candidate| candidate.path.clone());
        comparisons.push(FileComparison {
            paths: path.or_else(fallback).into_iter().collect(),
            told: host.map(str::to_owned),
            today: host_entry.map(|entry| entry.text.clone()),
        });
    }
    let entries = today.projects.first().map_or(&[][..], |project: &ProjectDocs| &project.entries);
    compare_docs(docs.unwrap_or_default(), entries, &mut comparisons);
    comparisons
}

/// Several environments: their groups are labelled, and told as one.
fn whole(told: Option<&str>, today: &LoadedAgentsMd) -> FileComparison {
    FileComparison {
        paths: today.instruction_sources().map(ToOwned::to_owned).collect(),
        told: told.map(str::to_owned),
        today: today.to_text().map(|text| text.text),
    }
}

fn compare_docs(mut told: &str, entries: &[InstructionEntry], out: &mut Vec<FileComparison>) {
    let mut unmatched: Vec<&InstructionEntry> = Vec::new();
    for entry in entries {
        let Some((before, behind)) = split_at_doc(told, &entry.text) else {
            unmatched.push(entry);
            continue;
        };
        add(before, &unmatched, out);
        unmatched.clear();
        out.push(FileComparison {
            paths: vec![entry.path.clone()],
            told: Some(entry.text.clone()),
            today: Some(entry.text.clone()),
        });
        told = behind;
    }
    add(told, &unmatched, out);
}

/// What stands before and behind a doc that is in the text as it is today.
fn split_at_doc<'a>(told: &'a str, doc: &str) -> Option<(&'a str, &'a str)> {
    told.match_indices(doc).find_map(|(at, _)| {
        let (before, behind) = (&told[..at], &told[at + doc.len()..]);
        let before = if before.is_empty() { Some("") } else { before.strip_suffix(DOC_SEPARATOR) };
        let behind = if behind.is_empty() { Some("") } else { behind.strip_prefix(DOC_SEPARATOR) };
        Some((before?, behind?))
    })
}

/// Adds a stretch of the old text with the files of today that stand between the same neighbours.
fn add(told: &str, entries: &[&InstructionEntry], out: &mut Vec<FileComparison>) {
    let told = Some(told.to_owned()).filter(|text| !text.is_empty());
    match (told, entries) {
        (None, entries) => out.extend(entries.iter().map(|entry| FileComparison {
            paths: vec![entry.path.clone()],
            told: None,
            today: Some(entry.text.clone()),
        })),
        (told, entries) => {
            let texts: Vec<&str> = entries.iter().map(|entry| entry.text.as_str()).collect();
            out.push(FileComparison {
                paths: entries.iter().map(|entry| entry.path.clone()).collect(),
                told,
                today: (!texts.is_empty()).then(|| texts.join(DOC_SEPARATOR)),
            });
        }
    }
}
