//! From tables of settings to hooks.

use std::path::PathBuf;
use std::time::Duration;

use super::error::ConfigError;
use super::fields::Fields;
use super::hook_matcher::HookMatcher;
use super::key::{OtherKey, OtherShape, ValueKind};
use super::keys::{Position, position};
use super::layers::{Layer, Layers};
use super::mismatch::Mismatch;
use super::names::nearest;
use super::value::{Item, Table, Value, get_table};
use super::warning::{ConfigWarning, Warnings};

/// One hook.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HookConfig {
    /// The name of the event on which it runs; one of those in [`KNOWN_KEYS`](super::KNOWN_KEYS) below `hooks`.
    pub event: String,
    /// The sources of the event for which it runs; all of them for an event without sources.
    pub matcher: HookMatcher,
    /// What a shell runs; not blank.
    pub command: String,
    /// How long it may take, at least a second, where somebody said.
    pub timeout: Option<Duration>,
    /// The file that configured it; for a `-c` a name that stands for one, as in the reference.
    pub source: PathBuf,
}

/// What stands for a file where a `-c` configured a hook; the model may be told it.
const OVERRIDES: &str = "/<session-flags>/config.toml";

/// The type of hook that is run, and those that are not.
const HOOK_TYPES: &[&str] = &["command", "mcp_tool", "prompt", "agent"];

/// Members of a group of hooks.
const GROUP_MEMBERS: &[&str] = &["matcher", "hooks"];

/// Members of a hook that is a command.
const HOOK_MEMBERS: &[&str] =
    &["type", "command", "timeout", "async", "statusMessage", "commandWindows", "command_windows"];

/// The event whose hooks may say for which of its sources they run; what others say there is not looked at.
const WITH_SOURCES: &str = "SessionStart";

/// The hooks of one layer; unknown events are left to those who tell of unknown keys.
pub(super) fn read_hooks(
    layers: &Layers,
    layer: &Layer,
    warnings: &mut Warnings,
) -> Result<Vec<HookConfig>, ConfigError> {
    let source = layer.source.path().map_or_else(|| PathBuf::from(OVERRIDES), PathBuf::from);
    let mut reader = Reader { layers, source, warnings, hooks: Vec::new() };
    match reader.events(get_table(&layer.table, &["hooks"])) {
        Ok(()) => Ok(reader.hooks),
        Err(mismatch) => Err(mismatch.into_error(layers)),
    }
}

struct Reader<'a> {
    layers: &'a Layers,
    source: PathBuf,
    warnings: &'a mut Warnings,
    hooks: Vec<HookConfig>,
}

impl Reader<'_> {
    fn events(&mut self, hooks: Option<&Table>) -> Result<(), Mismatch> {
        for (event, item) in hooks.into_iter().flatten() {
            match position(&["hooks", event]) {
                Position::Known(_) => self.groups(event, item)?,
                Position::Other(OtherKey { shape: OtherShape::Value, .. }) if matches!(&item.value, Value::List(groups) if !groups.is_empty()) =>
                {
                    let reason = "hooks of this event are not run here";
                    self.not_read(format!("hooks.{event}"), item, reason);
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn groups(&mut self, event: &str, item: &Item) -> Result<(), Mismatch> {
        for group in Fields::each(&["hooks", event], item)? {
            let matcher = self.matcher(event, &group)?;
            let before = self.hooks.len();
            for hook in group.inner("hooks")? {
                self.hook(event, matcher.as_ref().unwrap_or(&HookMatcher::default()), &hook)?;
            }
            if matcher.is_none() {
                self.hooks.truncate(before);
            }
            self.unknown_members(&group, GROUP_MEMBERS);
        }
        Ok(())
    }

    /// None where it cannot be understood; then none of the group's hooks run.
    fn matcher(
        &mut self,
        event: &str,
        group: &Fields<'_>,
    ) -> Result<Option<HookMatcher>, Mismatch> {
        let written = group.text("matcher")?.filter(|_| event == WITH_SOURCES);
        let (Some(text), Some(item)) = (written, group.get("matcher")) else {
            return Ok(Some(HookMatcher::default()));
        };
        match HookMatcher::new(text) {
            Ok(matcher) => Ok(Some(matcher)),
            Err(error) => {
                self.warnings.push(|| ConfigWarning::HooksWithoutMatcher {
                    location: self.layers.locate(item.origin),
                    key: group.key("matcher"),
                    error,
                });
                Ok(None)
            }
        }
    }

    fn hook(
        &mut self,
        event: &str,
        matcher: &HookMatcher,
        hook: &Fields<'_>,
    ) -> Result<(), Mismatch> {
        let kind = hook.required_text("type")?;
        let Some(item) = hook.get("type") else { return Ok(()) };
        if !HOOK_TYPES.contains(&kind) {
            let expected = ValueKind::OneOf(HOOK_TYPES).expected();
            return Err(Mismatch::new(hook.key("type"), item, expected));
        }
        if kind != "command" {
            self.not_read(hook.key("type"), item, "only hooks of the type `command` are run");
            return Ok(());
        }
        let command = hook.required_text("command")?;
        let timeout = hook.natural("timeout")?;
        if hook.boolean("async")? == Some(true)
            && let Some(item) = hook.get("async")
        {
            self.not_read(hook.key("async"), item, "every hook is waited for");
        }
        self.unknown_members(hook, HOOK_MEMBERS);
        if command.trim().is_empty() {
            let item = hook.get("command").unwrap_or(item);
            self.not_read(hook.key("command"), item, "there is nothing to run");
            return Ok(());
        }
        self.hooks.push(HookConfig {
            event: event.to_owned(),
            matcher: matcher.clone(),
            command: command.to_owned(),
            timeout: timeout.map(|seconds| Duration::from_secs(seconds.max(1))),
            source: self.source.clone(),
        });
        Ok(())
    }

    fn not_read(&mut self, key: String, item: &Item, reason: &'static str) {
        let location = || self.layers.locate(item.key_origin);
        self.warnings.push(|| ConfigWarning::NotRead { location: location(), key, reason });
    }

    fn unknown_members(&mut self, fields: &Fields<'_>, known: &[&str]) {
        for (name, item) in fields.members().filter(|(name, _)| !known.contains(name)) {
            self.warnings.push(|| ConfigWarning::UnknownKey {
                location: self.layers.locate(item.key_origin),
                key: fields.key(name),
                suggestion: nearest(name, known.iter().copied()).map(|near| fields.key(near)),
            });
        }
    }
}
