//! Looks around what was loaded.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use super::kind::{NearMiss, NearMissKind};
use super::text::misses_of_text;
use crate::agents_md::discovery::{AGENTS_MD_NAME, OVERRIDE_NAME};
use crate::agents_md::document::{CandidateOutcome, InstructionEntry, LoadedAgentsMd, ProjectDocs};
use crate::agents_md::named_paths::named_paths;
use crate::config::AgentsMdConfig;
use crate::environment::{FileKind, FileSystem, Metadata, TurnEnvironment, file_keys, metadata_of};

/// Paths of one text that are looked for; who names more than that keeps a list, not instructions.
const MOST_NAMED: usize = 10_000;

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
            let untold = answers.iter().flatten().filter(|it| it.identity.is_none());
            self.result.calls += untold.count();
            let keys = file_keys(file_system, &asked, &answers).await;
            let (suspected, right) = keys.split_at(suspects.len());
            for (((path, expected), found), key) in suspects.iter().zip(answers).zip(suspected) {
                let is_file = matches!(found, Ok(Metadata { kind: FileKind::File, .. }));
                if is_file && (key.is_none() || !right.contains(key)) {
                    let expected =
                        if *expected == OVERRIDE_NAME { OVERRIDE_NAME } else { AGENTS_MD_NAME };
                    self.report(path, NearMissKind::MistakenName { expected });
                }
            }
        }
    }

    fn text(&mut self, entry: &InstructionEntry) {
        for kind in misses_of_text(&entry.text) {
            self.report(&entry.path, kind);
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
