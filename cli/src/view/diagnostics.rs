//! What the person should know beside the data: one line each.

use std::fmt;
use std::path::Path;

use recto_core::agents_md::{Candidate, CandidateOutcome};
use recto_core::config::ConfigWarning;
use recto_core::environment::{FileKind, FileSystemError, Metadata};
use serde::Serialize;

use super::layout::one_line;
use super::names::{PathNames, shown};
use super::outcome;
use crate::engine::Captured;
use crate::place::Place;

/// The code of a project's configuration that does not count.
const IGNORED_FILE: &str = "project_configuration_ignored";

/// Something that the person should know.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Diagnostic {
    /// What it is, for programs.
    code: &'static str,
    /// The file that it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<String>,
    /// A phrase; it follows the file's short name where there is a file.
    message: String,
    #[serde(skip)]
    name: Option<String>,
    #[serde(skip)]
    subject: Subject,
}

/// What a diagnostic is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Subject {
    /// The whole run: arguments, configuration, model, directory.
    Run,
    /// One file of instructions.
    Source,
}

/// One line: the file's name, where there is one, and the phrase.
impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.name.as_ref().map(|name| format!("{name}: ")).unwrap_or_default();
        f.write_str(&one_line(&(name + &self.message)))
    }
}

impl Diagnostic {
    /// About what the person typed.
    pub(crate) fn of_input(message: String) -> Self {
        Self::about_run("input", message)
    }

    /// Whether it says that a project's own configuration does not count.
    pub(crate) fn is_about_ignored_file(&self) -> bool {
        self.code == IGNORED_FILE
    }

    /// What it is about.
    pub(crate) const fn subject(&self) -> Subject {
        self.subject
    }

    fn about_run(code: &'static str, message: String) -> Self {
        Self { code, path: None, message, name: None, subject: Subject::Run }
    }

    fn about_file(
        code: &'static str,
        path: &Path,
        names: &PathNames,
        message: String,
        subject: Subject,
    ) -> Self {
        let name = Some(names.short(path));
        Self { code, path: Some(path.to_string_lossy().into_owned()), message, name, subject }
    }
}

/// Everything that came up while a step was captured.
pub(crate) async fn collect(captured: &Captured, place: &Place) -> Vec<Diagnostic> {
    let names = PathNames::of(captured);
    let mut found = Vec::new();
    found.extend(missing_place(captured, place).await);
    found.extend(captured.config.warnings.iter().map(about_configuration));
    if !captured.model.is_known {
        found.push(Diagnostic::about_run(
            "unknown_model",
            format!(
                "the model `{}` is not known here; what every Responses server takes is \
                 assumed; `model_catalog_json` can describe it",
                captured.model.info.slug
            ),
        ));
    }
    for selection in &captured.step.environments.starting {
        let id = &selection.environment_id;
        let message =
            format!("the environment `{id}` is still starting; nothing of it is read yet");
        found.push(Diagnostic::about_run("environment", message));
    }
    for failure in &captured.step.environments.failed {
        let id = &failure.selection.environment_id;
        let message = format!("the environment `{id}` is not used: {}", failure.reason);
        found.push(Diagnostic::about_run("environment", message));
    }
    for project in &captured.step.agents_md.projects {
        for (path, error) in &project.root.unreadable {
            let message = format!("cannot be looked at, so it marks no root: {error}");
            found.push(Diagnostic::about_file("unreadable", path, &names, message, Subject::Run));
        }
    }
    for skill in &captured.step.skills.diagnostics {
        let message = format!("gives no skill: {}", skill.problem);
        found.push(Diagnostic::about_file("skill", &skill.path, &names, message, Subject::Run));
    }
    found.extend(captured.step.agents_md.candidates().flat_map(|it| about_candidate(it, &names)));
    found
}

fn about_configuration(warning: &ConfigWarning) -> Diagnostic {
    let code = match warning {
        ConfigWarning::ProjectConfigIgnored { .. } => IGNORED_FILE,
        _ => "configuration",
    };
    Diagnostic::about_run(code, warning.to_string())
}

/// A directory that somebody named need not be there; the reference reads the docs above it all the same.
async fn missing_place(captured: &Captured, place: &Place) -> Option<Diagnostic> {
    if !place.is_named {
        return None;
    }
    let problem = match captured.file_system.get_metadata(&place.cwd).await {
        Ok(Metadata { kind: FileKind::Directory, .. }) => return None,
        Ok(Metadata { kind, .. }) => format!("is {kind}, not a directory"),
        Err(FileSystemError::NotFound) => "does not exist".to_owned(),
        Err(error) => format!("cannot be looked at: {error}"),
    };
    let message = format!("{} {problem}; only what stands above it can be read", shown(&place.cwd));
    Some(Diagnostic::about_run("directory", message))
}

/// What is told of a file even to those who did not ask: what the model would have read and does not.
fn about_candidate(candidate: &Candidate, names: &PathNames) -> Vec<Diagnostic> {
    let outcome = &candidate.outcome;
    let about = |code, message| {
        Diagnostic::about_file(code, &candidate.path, names, message, Subject::Source)
    };
    let lossy = matches!(
        outcome,
        CandidateOutcome::Loaded { lossy: true } | CandidateOutcome::Cut { lossy: true, .. }
    );
    let is_told = match outcome {
        CandidateOutcome::Cut { .. }
        | CandidateOutcome::Unreadable(_)
        | CandidateOutcome::Untrusted
        | CandidateOutcome::BudgetSpent
        | CandidateOutcome::ProjectDocsOff => true,
        CandidateOutcome::Loaded { .. }
        | CandidateOutcome::Shadowed { .. }
        | CandidateOutcome::Blank
        | CandidateOutcome::Absent
        | CandidateOutcome::NotRegular(_)
        | CandidateOutcome::BrokenLink => false,
    };
    let replaced = "holds bytes that are not UTF-8; the model reads U+FFFD in their place";
    let lossy = lossy.then(|| about("lossy", replaced.to_owned()));
    let told = is_told.then(|| about(outcome::code(outcome), outcome::words(outcome, names)));
    told.into_iter().chain(lossy).collect()
}
