//! The plugins that an input asks for.

use recto_protocol::Item;

use super::session::Session;
use crate::context::{PluginCapabilities, RenderedFragment};
use crate::history::merge_contextual_fragments;
use crate::plugins::{mentioned_plugins, useful_plugins};

impl Session {
    /// What the plugins bring that a text mentions, each a message of its own.
    pub(super) fn mentioned_plugins(&self, text: &str) -> Vec<Item> {
        let asked = mentioned_plugins(text);
        if asked.is_empty() {
            return Vec::new();
        }
        let skills = self.surroundings.known_skills();
        useful_plugins(&self.surroundings.settings.plugins, &skills)
            .into_iter()
            .filter(|plugin| asked.contains(plugin.id.as_str()))
            .map(|plugin| PluginCapabilities {
                display_name: plugin.display_name.clone(),
                skill_prefix: plugin.has_skills(&skills).then(|| plugin.name.clone()),
                mcp_servers: plugin.mcp_servers.clone(),
            })
            .flat_map(|it| merge_contextual_fragments([RenderedFragment::of(&it)]))
            .collect()
    }
}
