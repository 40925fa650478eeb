//! Commands of the person that run at fixed points of a session.
//!
//! They stand in the person's own files, `config.toml` and `hooks.json` beside it. A project's file may not bring any:
//! whoever opens a checkout would run its commands.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Deserialize;
use serde_json::{Value as Json, json};

use super::layers::Layers;
use super::location::LayerSource;
use super::value::{Table, Value};
use super::warning::{ConfigWarning, Warnings};

/// The points of a session at which commands are run here; the reference knows more.
const EVENTS: [&str; 3] = ["SessionStart", "UserPromptSubmit", "Stop"];

/// One command, as it is configured.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HookConfig {
    /// The point: `SessionStart`, `UserPromptSubmit` or `Stop`.
    pub event: String,
    /// For which sources of it; all where it says nothing.
    pub matcher: Option<String>,
    /// What the shell runs.
    pub command: String,
    /// How long it may take, where somebody said.
    pub timeout: Option<Duration>,
    /// The file that configures it.
    pub source: PathBuf,
}

#[derive(Deserialize)]
struct HooksFile {
    #[serde(default)]
    hooks: BTreeMap<String, Json>,
}

#[derive(Deserialize)]
struct Group {
    matcher: Option<String>,
    #[serde(default)]
    hooks: Vec<Hook>,
}

#[derive(Deserialize)]
struct Hook {
    r#type: String,
    command: Option<String>,
    timeout: Option<u64>,
}

/// The hooks of the person's TOML, in its order; those of a project are told and left out.
pub(super) fn hooks(layers: &Layers, warnings: &mut Warnings) -> Vec<HookConfig> {
    let mut found = Vec::new();
    for layer in layers.lowest_first() {
        let Some(item) = layer.table.get("hooks") else { continue };
        match &layer.source {
            LayerSource::System { path } | LayerSource::User { path } => {
                if let Value::Table(events) = &item.value {
                    let events = events.iter().map(|(name, it)| (name.clone(), plain(&it.value)));
                    read(path, events.collect(), &mut found, warnings);
                }
            }
            LayerSource::Project { .. } | LayerSource::Override { .. } => {
                let location = layers.locate(item.key_origin);
                let key = "hooks".to_owned();
                warnings.push(|| ConfigWarning::ProjectMayNotSet { location, key });
            }
        }
    }
    found
}

/// The hooks of `hooks.json`; a file that does not read so is told, and none of it runs.
pub(super) fn hooks_of_file(path: &Path, bytes: &[u8], warnings: &mut Warnings) -> Vec<HookConfig> {
    let mut found = Vec::new();
    match serde_json::from_slice::<HooksFile>(bytes) {
        Ok(file) => read(path, file.hooks, &mut found, warnings),
        Err(error) => not_run(warnings, path, &error.to_string()),
    }
    found
}

fn read(
    path: &Path,
    events: BTreeMap<String, Json>,
    found: &mut Vec<HookConfig>,
    warnings: &mut Warnings,
) {
    for (event, groups) in events {
        if !EVENTS.contains(&event.as_str()) {
            not_run(warnings, path, &format!("nothing happens at `{event}` here"));
            continue;
        }
        match serde_json::from_value::<Vec<Group>>(groups) {
            Ok(groups) => {
                for Group { matcher, hooks } in groups {
                    for hook in hooks {
                        match hook_config(path, &event, matcher.clone(), hook) {
                            Ok(hook) => found.push(hook),
                            Err(problem) => not_run(warnings, path, &problem),
                        }
                    }
                }
            }
            Err(error) => not_run(warnings, path, &format!("`{event}`: {error}")),
        }
    }
}

fn hook_config(
    path: &Path,
    event: &str,
    matcher: Option<String>,
    hook: Hook,
) -> Result<HookConfig, String> {
    if hook.r#type != "command" {
        return Err(format!("a hook on `{event}` is of the type `{}`, not a command", hook.r#type));
    }
    let command = hook.command.filter(|it| !it.trim().is_empty());
    let command = command.ok_or_else(|| format!("a hook on `{event}` has no command"))?;
    Ok(HookConfig {
        event: event.to_owned(),
        matcher,
        command,
        timeout: hook.timeout.map(Duration::from_secs),
        source: path.to_owned(),
    })
}

fn not_run(warnings: &mut Warnings, path: &Path, problem: &str) {
    let (path, problem) = (path.to_owned(), problem.to_owned());
    warnings.push(|| ConfigWarning::HookNotRun { path, problem });
}

/// A value without its places.
fn plain(value: &Value) -> Json {
    match value {
        Value::Text(text) | Value::Decimal(text) | Value::Date(text) => json!(text),
        Value::Integer { natural, text } => natural.map_or_else(|| json!(text), |it| json!(it)),
        Value::Boolean(boolean) => json!(boolean),
        Value::List(items) => items.iter().map(|item| plain(&item.value)).collect(),
        Value::Table(table) => plain_table(table),
    }
}

fn plain_table(table: &Table) -> Json {
    table.iter().map(|(key, item)| (key.clone(), plain(&item.value))).collect()
}
