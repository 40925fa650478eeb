//! The plugins that the host has switched on.

use recto_context_fragments::{
    ContextualUserFragment, Markers, TokenCount, approximate_tokens, truncate_head,
};
use recto_protocol::{ContentKind, Role};

use super::registry::{Cap, ContextFragment};

/// Lists the plugins; the host knows them and passes them in. An empty list says that there are none any more.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AvailablePlugins {
    /// The plugins, in the order in which they are told.
    pub plugins: Vec<PluginEntry>,
}

/// One plugin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PluginEntry {
    /// Its name for people.
    pub name: String,
    /// What it brings; may be empty.
    pub description: String,
}

/// What the lines of the list may cost together.
const LIST_TOKENS: TokenCount = 2_000;

/// Bytes that one description may have.
const DESCRIPTION_BYTES: usize = 1_024;

const INTRODUCTION: &str = "\n## Plugins\nA plugin brings skills and tools that belong together. These plugins are \
                            switched on. When the user names one, prefer its skills and tools for the task.\n";

const REMOVED: &str = "\n## Plugins\nNo plugin is switched on any more.\n";

impl ContextualUserFragment for AvailablePlugins {
    fn role(&self) -> Role {
        Role::Developer
    }

    fn markers() -> Markers {
        Markers::new("<plugins_instructions>", "</plugins_instructions>")
    }

    /// The list; plugins that do not fit are counted in its last line.
    fn body(&self) -> String {
        if self.plugins.is_empty() {
            return REMOVED.to_owned();
        }
        let mut left = LIST_TOKENS;
        let mut body = INTRODUCTION.to_owned();
        for (at, plugin) in self.plugins.iter().enumerate() {
            let line = plugin.line();
            let Some(rest) = left.checked_sub(approximate_tokens(line.len())) else {
                body.push_str(&format_left_out(self.plugins.len() - at));
                break;
            };
            left = rest;
            body.push_str(&line);
        }
        body
    }
}

impl PluginEntry {
    fn line(&self) -> String {
        let name = single_line(&self.name);
        let description = single_line(&self.description);
        match truncate_head(&description, DESCRIPTION_BYTES) {
            "" => format!("- {name}\n"),
            description => format!("- {name}: {description}\n"),
        }
    }
}

fn format_left_out(count: usize) -> String {
    format!("(and {count} more that are not listed here)\n")
}

fn single_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

impl ContextFragment for AvailablePlugins {
    const KIND: ContentKind = ContentKind::new("plugins.usage_instructions");
    const SENT: &'static str = "With the first request where the host has plugins, whole again when their list changed, and once when none are left.";
    const CAP: Cap = Cap::Tokens(LIST_TOKENS + 100);

    fn samples() -> Vec<Self> {
        let entry = |name: &str, description: &str| PluginEntry {
            name: name.to_owned(),
            description: description.to_owned(),
        };
        let many = |at: usize| entry(&format!("plugin-{at}"), &"what it brings ".repeat(100));
        vec![
            Self {
                plugins: vec![
                    entry("calendar", "Reads and writes appointments."),
                    entry("notes", ""),
                ],
            },
            Self { plugins: (0..20).map(many).collect() },
            Self::default(),
        ]
    }
}
