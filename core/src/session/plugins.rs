//! The plugins of a step, and those that an input asks for.

use recto_protocol::Item;

use super::session::Session;
use crate::context::available_plugins::PluginEntry;
use crate::context::{PluginCapabilities, RenderedFragment};
use crate::history::merge_contextual_fragments;
use crate::plugins::{Plugin, mentioned_plugins};
use crate::skills::SkillCatalog;

/// The plugins that have something to give, in the order of their ids; of two with one id the first.
pub(super) fn useful_plugins<'a>(plugins: &'a [Plugin], skills: &SkillCatalog) -> Vec<&'a Plugin> {
    let mut useful: Vec<&Plugin> =
        plugins.iter().filter(|it| !it.mcp_servers.is_empty() || has_skills(it, skills)).collect();
    useful.sort_by(|one, other| one.id.cmp(&other.id));
    useful.dedup_by(|later, earlier| later.id == earlier.id);
    useful
}

/// What a model is told of each.
pub(super) fn plugin_entries(plugins: &[Plugin], skills: &SkillCatalog) -> Vec<PluginEntry> {
    let entry = |plugin: &Plugin| PluginEntry {
        name: plugin.display_name.clone(),
        description: plugin.description.clone(),
    };
    useful_plugins(plugins, skills).into_iter().map(entry).collect()
}

fn has_skills(plugin: &Plugin, skills: &SkillCatalog) -> bool {
    let root_of = |root: &usize| skills.roots.get(*root).and_then(|it| it.plugin.as_deref());
    plugin.skills.is_some()
        && skills.skills.iter().any(|skill| root_of(&skill.root) == Some(&plugin.name))
}

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
                skill_prefix: has_skills(plugin, &skills).then(|| plugin.name.clone()),
                mcp_servers: plugin.mcp_servers.clone(),
            })
            .flat_map(|it| merge_contextual_fragments([RenderedFragment::of(&it)]))
            .collect()
    }
}
