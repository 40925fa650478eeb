//! `explain --format json`.

use std::path::Path;

use recto_core::config::{LayerReport, LayerStanding};
use recto_core::environment::FileKind;
use serde::Serialize;

use super::diagnostics::{Diagnostic, Subject};
use super::environments::EnvironmentReport;
use super::json::SCHEMA_VERSION;
use super::outcome;
use super::report::{AmbiguousValue, Report, Scope, Source, Unused, UnusedReason};
use super::sources::standing_words;

/// The document; paths are absolute, bytes that are no UTF-8 are U+FFFD in it.
#[derive(Debug, Serialize)]
pub(crate) struct ReportDocument<'a> {
    schema_version: u32,
    cwd: Option<String>,
    root: Option<String>,
    marker: Option<MarkerDocument<'a>>,
    trust: TrustDocument,
    model: &'a str,
    budget: Option<BudgetDocument>,
    /// All environments, whether they gave something or not.
    environments: &'a [EnvironmentReport],
    sources: Vec<SourceDocument<'a>>,
    unused: Vec<UnusedDocument>,
    near_misses: Vec<NearMissDocument>,
    ambiguous_context: &'a [AmbiguousValue],
    configuration: Vec<ConfigFileDocument>,
    /// About arguments, configuration, model and directory.
    warnings: Vec<&'a Diagnostic>,
    /// About files of instructions.
    diagnostics: Vec<&'a Diagnostic>,
}

#[derive(Debug, Serialize)]
struct MarkerDocument<'a> {
    name: &'a str,
    kind: &'static str,
}

#[derive(Debug, Serialize)]
struct TrustDocument {
    level: Option<recto_protocol::TrustLevel>,
    key: Option<String>,
    source: Option<String>,
}

#[derive(Debug, Serialize)]
struct BudgetDocument {
    max: u64,
    spent: u64,
}

#[derive(Debug, Serialize)]
struct SourceDocument<'a> {
    scope: Scope,
    environment: Option<&'a str>,
    path: String,
    bytes_read: u64,
    bytes_on_disk: u64,
    tokens: usize,
    lossy: bool,
    truncated: bool,
    first_lost_line: Option<LostLineDocument<'a>>,
    link_target: Option<String>,
    same_file_as: Option<usize>,
}

#[derive(Debug, Serialize)]
struct LostLineDocument<'a> {
    number: u64,
    text: &'a str,
}

#[derive(Debug, Serialize)]
struct UnusedDocument {
    scope: Scope,
    environment: Option<String>,
    path: String,
    through_link: bool,
    bytes_on_disk: Option<u64>,
    code: &'static str,
    reason: String,
}

#[derive(Debug, Serialize)]
struct NearMissDocument {
    path: String,
    code: &'static str,
    text: String,
}

#[derive(Debug, Serialize)]
struct ConfigFileDocument {
    path: String,
    used: bool,
    reason: Option<&'static str>,
}

impl Report {
    /// All of it as one document.
    pub(crate) fn document(&self) -> ReportDocument<'_> {
        let project = self.project();
        let root = project.map(|it| &it.root);
        let config = &self.captured.config;
        ReportDocument {
            schema_version: SCHEMA_VERSION,
            cwd: project.map(|it| lossy(&it.cwd)),
            root: root.map(|it| lossy(&it.path)),
            marker: root
                .and_then(|it| it.marker.as_ref())
                .map(|marker| MarkerDocument { name: &marker.name, kind: kind_code(marker.kind) }),
            trust: TrustDocument {
                level: config.trust.level,
                key: config.trust.key.as_deref().map(lossy),
                source: config.trust.location.as_ref().map(ToString::to_string),
            },
            model: &self.captured.model.info.slug,
            budget: project.map(|it| BudgetDocument { max: it.budget, spent: it.spent() }),
            environments: &self.environments,
            sources: self.sources.iter().map(source).collect(),
            unused: self.unused.iter().map(|it| self.unused_document(it)).collect(),
            near_misses: self
                .near_misses
                .iter()
                .map(|it| NearMissDocument {
                    path: lossy(&it.path),
                    code: outcome::near_miss_code(&it.kind),
                    text: it.kind.to_string(),
                })
                .collect(),
            ambiguous_context: &self.ambiguous_values,
            configuration: config.layers.iter().filter_map(config_file).collect(),
            warnings: self.diagnostics_about(Subject::Run),
            diagnostics: self.diagnostics_about(Subject::Source),
        }
    }

    fn diagnostics_about(&self, subject: Subject) -> Vec<&Diagnostic> {
        self.diagnostics.iter().filter(|it| it.subject() == subject).collect()
    }

    fn unused_document(&self, unused: &Unused) -> UnusedDocument {
        let (code, reason) = match &unused.reason {
            UnusedReason::Outcome(it) => (outcome::code(it), outcome::words(it, &self.names)),
            UnusedReason::AboveRoot => {
                ("above_root", "above the root, where the walk ended".to_owned())
            }
        };
        UnusedDocument {
            scope: unused.scope,
            environment: unused.environment.clone(),
            path: lossy(&unused.path),
            through_link: unused.through_link,
            bytes_on_disk: unused.bytes_on_disk,
            code,
            reason,
        }
    }
}

fn source(source: &Source) -> SourceDocument<'_> {
    SourceDocument {
        scope: source.scope,
        environment: source.environment.as_deref(),
        path: lossy(&source.path),
        bytes_read: source.bytes_read,
        bytes_on_disk: source.bytes_on_disk,
        tokens: source.tokens,
        lossy: source.lossy,
        truncated: source.cut.is_some(),
        first_lost_line: source.cut.as_ref().map(|cut| LostLineDocument {
            number: cut.first_lost_line.number,
            text: &cut.first_lost_line.text,
        }),
        link_target: source.link_target.as_deref().map(lossy),
        same_file_as: source.same_as,
    }
}

fn config_file(layer: &LayerReport) -> Option<ConfigFileDocument> {
    let used = layer.standing == LayerStanding::Used;
    Some(ConfigFileDocument {
        path: lossy(layer.source.path()?),
        used,
        reason: (!used).then(|| standing_words(layer.standing)),
    })
}

fn lossy(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

const fn kind_code(kind: FileKind) -> &'static str {
    match kind {
        FileKind::File => "file",
        FileKind::Directory => "directory",
        FileKind::Pipe => "pipe",
        FileKind::Socket => "socket",
        FileKind::Device => "device",
        FileKind::Other => "other",
    }
}
