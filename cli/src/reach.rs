//! Whether one file reaches the model from here, and if not why.

use std::path::Path;

use recto_core::agents_md::{Candidate, CandidateOutcome, ProjectDocs};
use recto_core::environment::{FileKind, FileSystemError, FileSystemResult, Metadata};

use crate::view::finding::{Answer, Finding};
use crate::view::names::shown;
use crate::view::outcome;
use crate::view::report::{Report, Scope};

/// The names that count wherever a project is.
const NAMES: [&str; 2] = ["AGENTS.override.md", "AGENTS.md"];

/// Tells about one absolute path.
pub(crate) async fn reach(report: &Report, path: &Path) -> Answer {
    let mut findings = looked_at(report, path);
    if findings.is_empty() {
        let found = report.captured.file_system.get_metadata(path).await;
        findings = match other_name(report, &found).await {
            Some(finding) => vec![finding],
            None => vec![not_looked_at(report, path, &found)],
        };
    }
    Answer {
        path: path.to_owned(),
        reaches_model: findings.iter().any(Finding::reaches_model),
        findings,
    }
}

/// The roles of a path that was a candidate, or that the configuration names.
fn looked_at(report: &Report, path: &Path) -> Vec<Finding> {
    let loaded = &report.captured.step.agents_md;
    let host = loaded.host.candidates.iter().map(|it| (Scope::Host, it));
    let projects = loaded.projects.iter().flat_map(|project| &project.candidates);
    let candidates = host.chain(projects.map(|it| (Scope::Project, it)));
    let mut findings: Vec<Finding> = candidates
        .filter(|(_, candidate)| candidate.path == path)
        .map(|(scope, candidate)| of_candidate(report, scope, candidate))
        .collect();
    let config = &report.captured.config;
    if report.captured.instructions_file() == Some(path) {
        findings.push(Finding::new("base_instructions", "read as the base instructions"));
    }
    if config.layers.iter().any(|layer| layer.source.path() == Some(path)) {
        findings.push(Finding::new("configuration", "configuration: the model does not read it"));
    }
    findings
}

fn of_candidate(report: &Report, scope: Scope, candidate: &Candidate) -> Finding {
    let words = outcome::words(&candidate.outcome, &report.names);
    let text = match candidate.outcome {
        CandidateOutcome::Loaded { .. } => format!("read as {}", role(scope)),
        CandidateOutcome::Cut { .. } => format!("read as {}, but {words}", role(scope)),
        _ => words,
    };
    Finding { code: outcome::code(&candidate.outcome), scope: Some(scope), text }
}

const fn role(scope: Scope) -> &'static str {
    match scope {
        Scope::Host => "the host's instructions",
        Scope::Project => "a project doc",
    }
}

/// The same file under the path that the model reads it by: a link, or another way to it.
async fn other_name(report: &Report, found: &FileSystemResult<Metadata>) -> Option<Finding> {
    let identity = found.as_ref().ok()?.identity?;
    for source in &report.sources {
        let metadata = report.captured.file_system.get_metadata(&source.path).await;
        if metadata.is_ok_and(|it| it.identity == Some(identity)) {
            let text =
                format!("the same file as {}, which is read", report.names.short(&source.path));
            return Some(Finding { scope: Some(source.scope), ..Finding::new("other_name", text) });
        }
    }
    None
}

/// Why nobody looks at a path.
fn not_looked_at(report: &Report, path: &Path, found: &FileSystemResult<Metadata>) -> Finding {
    match found {
        Err(FileSystemError::NotFound) => return missing(report, path),
        Err(FileSystemError::BrokenLink) => {
            return Finding::new("broken_link", "a link that leads nowhere");
        }
        Err(error) => return Finding::new("unreadable", format!("cannot be looked at: {error}")),
        Ok(Metadata { kind: FileKind::Directory, .. }) => {
            return Finding::new("directory", "a directory; ask about a file in it");
        }
        Ok(_) => {}
    }
    if path.parent() == Some(&report.captured.codex_home) {
        return wrong_name(path, &NAMES.map(str::to_owned));
    }
    match report.project() {
        Some(project) => outside_the_chain(report, project, path),
        None => Finding::new("no_project", "there is no project here"),
    }
}

fn missing(report: &Report, path: &Path) -> Finding {
    let near = report.sources.iter().find(|source| {
        source.path.parent() == path.parent() && is_other_spelling(&source.path, path)
    });
    match near {
        Some(source) => {
            let text =
                format!("does not exist; {} does, and is read", report.names.short(&source.path));
            Finding::new("other_spelling", text)
        }
        None => Finding::new("absent", "does not exist"),
    }
}

fn is_other_spelling(one: &Path, other: &Path) -> bool {
    match (one.file_name(), other.file_name()) {
        (Some(one), Some(other)) => one.eq_ignore_ascii_case(other),
        _ => false,
    }
}

/// A file that is there, in a place or under a name that nobody looks for.
fn outside_the_chain(report: &Report, project: &ProjectDocs, path: &Path) -> Finding {
    let names = names(report);
    let directory = path.parent().unwrap_or(path);
    let (root, cwd) = (&project.root.path, &project.cwd);
    if !path.starts_with(root) {
        return outside_the_root(report, project);
    }
    let has_name = path.file_name().is_some_and(|it| names.iter().any(|name| it == name.as_str()));
    if !has_name {
        return wrong_name(path, &names);
    }
    let text = if directory.starts_with(cwd) {
        format!(
            "below the working directory; it is read where the agent works in {} or below",
            report.names.short(directory)
        )
    } else {
        format!(
            "not on the way from the root to the working directory ({})",
            report.names.full(cwd)
        )
    };
    let code = if directory.starts_with(cwd) { "below_cwd" } else { "beside" };
    Finding::new(code, text)
}

fn outside_the_root(report: &Report, project: &ProjectDocs) -> Finding {
    let root = report.names.full(&project.root.path);
    let text = match &project.root.marker {
        Some(marker) => format!(
            "outside the root: the walk up ended at {root} because of {}",
            shown(Path::new(&marker.name))
        ),
        None => format!("outside the root: no marker was found, so only {root} counts"),
    };
    Finding::new("outside_root", text)
}

fn wrong_name(path: &Path, names: &[String]) -> Finding {
    let near = names.iter().find(|name| is_other_spelling(Path::new(name.as_str()), path));
    if let Some(name) = near {
        let text = format!("not read: the name that is looked for is {name}");
        return Finding::new("other_spelling", text);
    }
    let names = names.join(", ");
    Finding::new("other_file", format!("not a name that is looked for ({names})"))
}

/// The names that are looked for in a project.
fn names(report: &Report) -> Vec<String> {
    let fallbacks = &report.captured.config.agents_md.project_doc_fallback_filenames;
    NAMES.iter().map(|name| (*name).to_owned()).chain(fallbacks.iter().cloned()).collect()
}
