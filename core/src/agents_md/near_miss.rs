//! What looks like an instruction that the model should have read, or reads otherwise than its author thinks.
//!
//! Asked for by those who inspect, never by a turn: the looks that this takes are made here alone and counted apart.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::fmt;
use std::path::{Path, PathBuf};

use super::discovery::{AGENTS_MD_NAME, OVERRIDE_NAME};
use super::document::{CandidateOutcome, InstructionEntry, LoadedAgentsMd, ProjectDocs};
use super::named_paths::named_paths;
use crate::config::AgentsMdConfig;
use crate::environment::{
    FileIdentity, FileKind, FileSystem, FileSystemResult, Metadata, TurnEnvironment, metadata_of,
};

/// Lines of one file over which a map has become a manual.
const MAX_MAP_LINES: usize = 100;

/// Paths of one text that are looked for; who names more than that keeps a list, not instructions.
const MOST_NAMED: usize = 10_000;

/// Ends the text in the model's eyes.
const END_MARKER: &str = "</INSTRUCTIONS>";

/// Names that people give the file by mistake, in lower case.
const MISTAKEN_NAMES: [&str; 8] = [
    "agents.md",
    "agents.override.md",
    "agent.md",
    "agents.markdown",
    "agents.txt",
    "agents.md.txt",
    "agents",
    "agent.override.md",
];

/// One thing that an author would want to know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NearMiss {
    /// The file it is about, or the directory of the configuration.
    pub path: PathBuf,
    /// What it is.
    pub kind: NearMissKind,
}

/// What an author would want to know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NearMissKind {
    /// The name is almost one that is looked for.
    MistakenName {
        /// The name that is looked for.
        expected: &'static str,
    },
    /// The text is UTF-16, which the model reads as noise.
    Utf16,
    /// The text is nothing but the path of another file: a link that was checked out as text, or an import.
    OnlyAPath {
        /// The path.
        target: String,
    },
    /// The text starts with a byte order mark, which the model reads as part of the first word.
    ByteOrderMark,
    /// The text holds the marker that ends it.
    HoldsEndMarker {
        /// The line, counted from 1.
        line: usize,
    },
    /// A name in `project_doc_fallback_filenames` that is always tried earlier anyway.
    UnreachableFallback {
        /// The name.
        name: String,
    },
    /// The text names a path that does not exist.
    NamesMissingPath {
        /// The path as it is written.
        target: String,
        /// The line, counted from 1.
        line: usize,
    },
    /// The text has more lines than a map should.
    LongMap {
        /// Its lines.
        lines: usize,
    },
}

impl fmt::Display for NearMissKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::MistakenName { expected } => {
                write!(f, "not read: the name that is looked for is {expected}")
            }
            Self::Utf16 => f.write_str("is UTF-16; the model reads it as noise: save it as UTF-8"),
            Self::OnlyAPath { target } => {
                write!(f, "holds only the path `{target}`; nothing is imported or followed")
            }
            Self::ByteOrderMark => {
                f.write_str("starts with a byte order mark, which the model reads too")
            }
            Self::HoldsEndMarker { line } => {
                write!(
                    f,
                    "holds {END_MARKER} in line {line}; the model may think that the text ends there"
                )
            }
            Self::UnreachableFallback { name } => {
                write!(
                    f,
                    "the fallback name `{name}` can never be reached: it is tried before all fallbacks"
                )
            }
            Self::NamesMissingPath { target, line } => {
                write!(f, "line {line} names `{target}`, which does not exist")
            }
            Self::LongMap { lines } => {
                write!(
                    f,
                    "has {lines} lines; in more than {MAX_MAP_LINES}, single rules are easily passed over"
                )
            }
        }
    }
}

/// What was found, and at what cost.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NearMisses {
    /// What was found, in the order of the files.
    pub found: Vec<NearMiss>,
    /// File-system calls that were made for it.
    pub calls: usize,
}

/// Looks for near misses around what was loaded for the given environments.
///
/// Directories that cannot be listed are passed over: nothing is looked for in them, and nothing is claimed.
pub async fn near_misses(
    loaded: &LoadedAgentsMd,
    environments: &[TurnEnvironment],
    config: &AgentsMdConfig,
    host: &dyn FileSystem,
) -> NearMisses {
    let mut search = Search::default();
    for name in &config.project_doc_fallback_filenames {
        if [OVERRIDE_NAME, AGENTS_MD_NAME].contains(&name.as_str()) {
            search
                .report(Path::new(name), NearMissKind::UnreachableFallback { name: name.clone() });
        }
    }
    let homes = loaded
        .host
        .candidates
        .iter()
        .filter_map(|candidate| candidate.path.parent())
        .map(Path::to_owned);
    search
        .mistaken_names(host, homes.collect(), &[OVERRIDE_NAME.into(), AGENTS_MD_NAME.into()])
        .await;
    if let Some(entry) = &loaded.host.entry {
        search.text(entry);
    }
    for project in &loaded.projects {
        let environment = environments.iter().find(|it| {
            it.selection.environment_id == project.environment_id && it.selection.cwd == project.cwd
        });
        if let Some(environment) = environment {
            search.project(&*environment.environment.file_system, project, config).await;
        }
    }
    search.result
}

#[derive(Default)]
struct Search {
    result: NearMisses,
}

impl Search {
    fn report(&mut self, path: &Path, kind: NearMissKind) {
        self.result.found.push(NearMiss { path: path.to_owned(), kind });
    }

    async fn project(
        &mut self,
        file_system: &dyn FileSystem,
        project: &ProjectDocs,
        config: &AgentsMdConfig,
    ) {
        let read = |outcome: &CandidateOutcome| {
            !matches!(outcome, CandidateOutcome::Untrusted | CandidateOutcome::ProjectDocsOff)
        };
        if !project.candidates.iter().all(|candidate| read(&candidate.outcome)) {
            return;
        }
        let directories = project.candidates.iter().filter_map(|candidate| candidate.path.parent());
        let mut names = vec![OVERRIDE_NAME.to_owned(), AGENTS_MD_NAME.to_owned()];
        names.extend(config.project_doc_fallback_filenames.iter().cloned());
        self.mistaken_names(file_system, directories.map(Path::to_owned).collect(), &names).await;
        for entry in &project.entries {
            self.text(entry);
            self.missing_paths(file_system, entry, &project.root.path).await;
        }
    }

    /// Lists directories and reports names that are almost right, unless they are the very file that is read.
    async fn mistaken_names(
        &mut self,
        file_system: &dyn FileSystem,
        directories: Vec<PathBuf>,
        names: &[String],
    ) {
        let mut seen = HashSet::new();
        for directory in directories.into_iter().filter(|directory| seen.insert(directory.clone()))
        {
            self.result.calls += 1;
            let Ok(mut listed) = file_system.read_directory(&directory).await else { continue };
            listed.sort();
            let suspects: Vec<(PathBuf, &str)> = listed
                .iter()
                .filter_map(|name| Some((directory.join(name), expected_name(name, names)?)))
                .collect();
            if suspects.is_empty() {
                continue;
            }
            let mut asked: Vec<PathBuf> = suspects.iter().map(|(path, _)| path.clone()).collect();
            asked.extend(names.iter().map(|name| directory.join(name)));
            self.result.calls += asked.len();
            let answers = metadata_of(file_system, &asked).await;
            let (suspected, right) = answers.split_at(suspects.len());
            let read: HashSet<FileIdentity> = right.iter().filter_map(identity).collect();
            for ((path, expected), found) in suspects.iter().zip(suspected) {
                let is_file = matches!(found, Ok(Metadata { kind: FileKind::File, .. }));
                if is_file && identity(found).is_none_or(|it| !read.contains(&it)) {
                    let expected =
                        if *expected == OVERRIDE_NAME { OVERRIDE_NAME } else { AGENTS_MD_NAME };
                    self.report(path, NearMissKind::MistakenName { expected });
                }
            }
        }
    }

    fn text(&mut self, entry: &InstructionEntry) {
        let InstructionEntry { path, text } = entry;
        if is_utf16(text) {
            self.report(path, NearMissKind::Utf16);
            return;
        }
        if text.starts_with('\u{feff}') {
            self.report(path, NearMissKind::ByteOrderMark);
        }
        if let Some(target) = only_a_path(text) {
            self.report(path, NearMissKind::OnlyAPath { target: target.to_owned() });
        }
        let marker = END_MARKER.to_ascii_lowercase();
        if let Some(at) = text.to_ascii_lowercase().find(&marker) {
            let line = 1 + text[..at].matches('\n').count();
            self.report(path, NearMissKind::HoldsEndMarker { line });
        }
        let lines = text.lines().count();
        if lines > MAX_MAP_LINES {
            self.report(path, NearMissKind::LongMap { lines });
        }
    }

    async fn missing_paths(
        &mut self,
        file_system: &dyn FileSystem,
        entry: &InstructionEntry,
        root: &Path,
    ) {
        let mut named = named_paths(&entry.text);
        named.truncate(MOST_NAMED);
        let Some(directory) = entry.path.parent() else { return };
        let asked: Vec<PathBuf> = named
            .iter()
            .flat_map(|(_, target)| [directory.join(target), root.join(target)])
            .collect();
        self.result.calls += asked.len();
        let answers = metadata_of(file_system, &asked).await;
        for ((line, target), found) in named.into_iter().zip(answers.chunks_exact(2)) {
            if found.iter().all(|found| {
                found.as_ref().is_err_and(crate::environment::FileSystemError::is_absence)
            }) {
                let target = target.to_owned();
                self.report(&entry.path, NearMissKind::NamesMissingPath { target, line });
            }
        }
    }
}

fn identity(found: &FileSystemResult<Metadata>) -> Option<FileIdentity> {
    found.as_ref().ok()?.identity
}

/// The name that somebody who wrote this one may have meant.
fn expected_name(name: &OsStr, names: &[String]) -> Option<&'static str> {
    let name = name.to_str()?;
    if names.iter().any(|it| it == name) {
        return None;
    }
    let lower = name.trim().to_lowercase();
    let is_mistake = MISTAKEN_NAMES.contains(&lower.as_str());
    is_mistake.then_some(if lower.contains("override") { OVERRIDE_NAME } else { AGENTS_MD_NAME })
}

/// Whether a text that was decoded as UTF-8 was UTF-16: a broken mark at its start, or every other byte zero.
fn is_utf16(text: &str) -> bool {
    if text.starts_with("\u{fffd}\u{fffd}") {
        return true;
    }
    let head: Vec<char> = text.chars().take(64).collect();
    let zeros = head.iter().filter(|it| **it == '\0').count();
    zeros * 3 >= head.len().max(1)
}

/// The one word of a text that holds nothing else, if it looks like a path.
fn only_a_path(text: &str) -> Option<&str> {
    let word = text.trim().trim_start_matches('@');
    let is_word = !word.is_empty() && !word.contains(char::is_whitespace);
    (is_word && (word.contains('/') || Path::new(word).extension().is_some_and(|it| it == "md")))
        .then_some(word)
}
