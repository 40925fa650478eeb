//! What `explain` has to tell, gathered once for people and for programs.
//!
//! It is made from the very documents that the model's text is made from, so the two cannot differ.

use std::path::{Path, PathBuf};

use recto_context_fragments::{
    AdditionalContext, AdditionalContextFragment, AdditionalContextKind, approximate_tokens,
};
use recto_core::agents_md::{
    Candidate, CandidateOutcome, InstructionEntry, LostLine, NearMiss, ProjectDocs, near_misses,
};
use recto_core::environment::{FileKey, FileSystem, file_keys, metadata_of};

use super::diagnostics::Diagnostic;
use super::environments::{EnvironmentReport, environments};
use super::layout::one_line;
use super::names::{PathNames, shown};
use crate::engine::Captured;

/// Whose instructions they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Scope {
    /// Those of whoever runs the agent.
    Host,
    /// Those of the project.
    Project,
}

impl Scope {
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Host => "host",
            Self::Project => "project",
        }
    }
}

/// A file that the model reads.
#[derive(Debug)]
pub(crate) struct Source {
    pub(crate) scope: Scope,
    /// The environment that it was read in; none for the host's.
    pub(crate) environment: Option<String>,
    pub(crate) path: PathBuf,
    pub(crate) bytes_read: u64,
    pub(crate) bytes_on_disk: u64,
    pub(crate) cut: Option<Cut>,
    pub(crate) lossy: bool,
    pub(crate) tokens: usize,
    /// Where the path leads, where it is a link.
    pub(crate) link_target: Option<PathBuf>,
    /// Which file it is.
    pub(crate) key: Option<FileKey>,
    /// The place in the list of an earlier source that is the same file.
    pub(crate) same_as: Option<usize>,
}

/// What a cut took.
#[derive(Debug)]
pub(crate) struct Cut {
    pub(crate) lost: u64,
    pub(crate) first_lost_line: LostLine,
}

/// A file that is there and that the model does not read.
#[derive(Debug)]
pub(crate) struct Unused {
    pub(crate) scope: Scope,
    /// The environment that it was looked at in; none for the host's.
    pub(crate) environment: Option<String>,
    pub(crate) path: PathBuf,
    pub(crate) through_link: bool,
    pub(crate) bytes_on_disk: Option<u64>,
    pub(crate) reason: UnusedReason,
    /// Which file it is, where that was asked.
    pub(crate) key: Option<FileKey>,
}

/// Why a file is not read.
#[derive(Debug)]
pub(crate) enum UnusedReason {
    /// It was looked at.
    Outcome(CandidateOutcome),
    /// It stands above the root, where nobody looks.
    AboveRoot,
}

/// Everything that `explain` tells.
#[derive(Debug)]
pub(crate) struct Report {
    pub(crate) captured: Captured,
    pub(crate) names: PathNames,
    pub(crate) environments: Vec<EnvironmentReport>,
    pub(crate) sources: Vec<Source>,
    pub(crate) unused: Vec<Unused>,
    pub(crate) near_misses: Vec<NearMiss>,
    /// Values from outside that hold the marker that ends them.
    pub(crate) ambiguous_values: Vec<AmbiguousValue>,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// A value from outside that holds the marker that ends it.
#[derive(Debug, serde::Serialize)]
pub(crate) struct AmbiguousValue {
    pub(crate) key: String,
    pub(crate) marker: String,
}

impl Report {
    pub(crate) async fn of(
        captured: Captured,
        values: &AdditionalContext,
        diagnostics: Vec<Diagnostic>,
    ) -> Self {
        let file_system = &*captured.file_system;
        let mut sources = sources(&captured);
        trace_links(file_system, sources.iter_mut().filter(|it| it.environment.is_none())).await;
        let mut unused: Vec<Unused> = unused(&captured).collect();
        for environment in &captured.step.environments.ready {
            let id = environment.selection.environment_id.as_str();
            let there = &*environment.environment.file_system;
            let of_it = |it: &&mut Source| it.environment.as_deref() == Some(id);
            trace_links(there, sources.iter_mut().filter(of_it)).await;
            let projects = captured.step.agents_md.projects.iter();
            for project in projects.filter(|it| it.environment_id.as_str() == id) {
                unused.extend(above_root(there, project).await);
            }
        }
        find_twins(&mut sources);
        let near_misses = near_misses(
            &captured.step.agents_md,
            &captured.step.environments.ready,
            &captured.config.agents_md,
            file_system,
        )
        .await
        .found;
        Self {
            names: PathNames::of(&captured),
            environments: environments(&captured),
            sources,
            unused,
            near_misses,
            ambiguous_values: ambiguous_values(values),
            diagnostics,
            captured,
        }
    }

    /// Whether there is something that `--strict` does not let pass.
    pub(crate) fn is_faulty(&self) -> bool {
        let is_unreadable = |unused: &Unused| {
            matches!(unused.reason, UnusedReason::Outcome(CandidateOutcome::Unreadable(_)))
        };
        self.sources.iter().any(|source| source.cut.is_some())
            || self.unused.iter().any(is_unreadable)
            || !self.near_misses.is_empty()
    }

    /// The file that is read, where an unused one is the very same.
    pub(crate) fn read_as(&self, unused: &Unused) -> Option<&Source> {
        let is_same = |it: &&Source| it.environment == unused.environment && it.key == unused.key;
        unused.key.as_ref().and_then(|_| self.sources.iter().find(is_same))
    }

    /// The name of a file in an environment: short in the first one, with the environment before it in others.
    pub(crate) fn name_in(&self, environment: Option<&str>, path: &Path) -> String {
        let first = self.project().map(|it| it.environment_id.as_str());
        match environment {
            Some(id) if first != Some(id) => format!("{}:{}", one_line(id), shown(path)),
            _ => self.names.short(path),
        }
    }

    /// The project docs of the environment that people ask about.
    pub(crate) fn project(&self) -> Option<&ProjectDocs> {
        self.captured.step.agents_md.projects.first()
    }
}

/// The files that the model reads, in its order.
fn sources(captured: &Captured) -> Vec<Source> {
    let loaded = &captured.step.agents_md;
    let host = loaded
        .host
        .entry
        .iter()
        .filter_map(|entry| source(Scope::Host, None, entry, &loaded.host.candidates));
    let projects = loaded.projects.iter().flat_map(|project| {
        let environment = project.environment_id.to_string();
        project.entries.iter().filter_map(move |entry| {
            source(Scope::Project, Some(environment.clone()), entry, &project.candidates)
        })
    });
    host.chain(projects).collect()
}

fn source(
    scope: Scope,
    environment: Option<String>,
    entry: &InstructionEntry,
    candidates: &[Candidate],
) -> Option<Source> {
    let candidate = candidates.iter().find(|it| it.path == entry.path)?;
    let len = candidate.len.unwrap_or(entry.text.len() as u64);
    let (bytes_read, cut, lossy) = match &candidate.outcome {
        CandidateOutcome::Cut { kept, lost, first_lost_line, lossy } => {
            (*kept, Some(Cut { lost: *lost, first_lost_line: first_lost_line.clone() }), *lossy)
        }
        outcome => (len, None, matches!(outcome, CandidateOutcome::Loaded { lossy: true })),
    };
    Some(Source {
        scope,
        environment,
        path: entry.path.clone(),
        bytes_read,
        bytes_on_disk: len,
        cut,
        lossy,
        tokens: approximate_tokens(entry.text.len()),
        link_target: candidate.through_link.then(PathBuf::new),
        key: None,
        same_as: None,
    })
}

/// Finds where links of one file system lead and which file each source is.
async fn trace_links(file_system: &dyn FileSystem, sources: impl Iterator<Item = &mut Source>) {
    let mut sources: Vec<&mut Source> = sources.collect();
    let paths: Vec<PathBuf> = sources.iter().map(|source| source.path.clone()).collect();
    let answers = metadata_of(file_system, &paths).await;
    let keys = file_keys(file_system, &paths, &answers).await;
    for (source, key) in sources.iter_mut().zip(keys) {
        if source.link_target.is_some() {
            source.link_target = file_system.canonicalize(&source.path).await.ok();
        }
        source.key = key;
    }
}

/// Finds the sources that are one file; the host and this machine's environment have the same files.
fn find_twins(sources: &mut [Source]) {
    let place = |source: &Source| match source.environment.as_deref() {
        Some("local") => None,
        other => other.map(str::to_owned),
    };
    for at in 0..sources.len() {
        let (before, rest) = sources.split_at_mut(at);
        let is_twin = |it: &Source| place(it) == place(&rest[0]) && it.key == rest[0].key;
        if rest[0].key.is_some() {
            rest[0].same_as = before.iter().position(is_twin);
        }
    }
}

/// The files that were looked at, are there and are not read.
fn unused(captured: &Captured) -> impl Iterator<Item = Unused> {
    let loaded = &captured.step.agents_md;
    let host = loaded.host.candidates.iter().map(|it| (Scope::Host, None, it));
    let projects = loaded.projects.iter().flat_map(|project| {
        let id = project.environment_id.as_str();
        project.candidates.iter().map(move |it| (Scope::Project, Some(id), it))
    });
    host.chain(projects)
        .filter(|(_, _, candidate)| {
            !matches!(
                candidate.outcome,
                CandidateOutcome::Loaded { .. }
                    | CandidateOutcome::Cut { .. }
                    | CandidateOutcome::Absent
            )
        })
        .map(|(scope, environment, candidate)| Unused {
            scope,
            environment: environment.map(str::to_owned),
            path: candidate.path.clone(),
            through_link: candidate.through_link,
            bytes_on_disk: candidate.len,
            reason: UnusedReason::Outcome(candidate.outcome.clone()),
            key: None,
        })
}

/// Files of the names that count everywhere, above the root: who wrote them may think that they are read.
async fn above_root(file_system: &dyn FileSystem, project: &ProjectDocs) -> Vec<Unused> {
    let asked: Vec<PathBuf> = project
        .root
        .path
        .ancestors()
        .skip(1)
        .flat_map(|directory: &Path| {
            ["AGENTS.override.md", "AGENTS.md"].map(|name| directory.join(name))
        })
        .collect();
    let answers = metadata_of(file_system, &asked).await;
    let keys = file_keys(file_system, &asked, &answers).await;
    let found = asked.into_iter().zip(answers.into_iter().zip(keys));
    let found = found.filter_map(|(path, (answer, key))| {
        let found = answer.ok().filter(|it| it.kind == recto_core::environment::FileKind::File)?;
        Some(Unused {
            scope: Scope::Project,
            environment: Some(project.environment_id.to_string()),
            path,
            through_link: found.through_link,
            bytes_on_disk: Some(found.len),
            reason: UnusedReason::AboveRoot,
            key,
        })
    });
    found.collect()
}

fn ambiguous_values(values: &AdditionalContext) -> Vec<AmbiguousValue> {
    values
        .fragments()
        .filter(AdditionalContextFragment::holds_its_end_marker)
        .map(|fragment| {
            let key = fragment.key().to_string();
            let marker = match fragment.kind() {
                AdditionalContextKind::Untrusted => format!("</external_{key}>"),
                AdditionalContextKind::Application => format!("</{key}>"),
            };
            AmbiguousValue { key, marker }
        })
        .collect()
}
