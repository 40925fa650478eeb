//! What a host says of a plugin.

use std::path::PathBuf;

use crate::skills::SkillCatalog;

/// A plugin that the host has switched on; the host knows where it came from and whether it may be used.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Plugin {
    /// Its name among all, by which a link mentions it: `calendar@shop`.
    pub id: String,
    /// Stands before the names of its skills.
    pub name: String,
    /// Its name for people.
    pub display_name: String,
    /// What it is for; may be empty.
    pub description: String,
    /// The directory below which its skills stand; none where it brings none.
    pub skills: Option<PathBuf>,
    /// The MCP servers that it brings and that run in this session.
    pub mcp_servers: Vec<String>,
}

impl Plugin {
    /// Whether any of the skills are its own.
    pub fn has_skills(&self, skills: &SkillCatalog) -> bool {
        let root_of = |root: &usize| skills.roots.get(*root).and_then(|it| it.plugin.as_deref());
        self.skills.is_some()
            && skills.skills.iter().any(|skill| root_of(&skill.root) == Some(&self.name))
    }
}

/// The plugins that have something to give, in the order of their ids; of two with one id the first.
pub fn useful_plugins<'a>(plugins: &'a [Plugin], skills: &SkillCatalog) -> Vec<&'a Plugin> {
    let is_useful = |it: &&Plugin| !it.mcp_servers.is_empty() || it.has_skills(skills);
    let mut useful: Vec<&Plugin> = plugins.iter().filter(is_useful).collect();
    useful.sort_by(|one, other| one.id.cmp(&other.id));
    useful.dedup_by(|later, earlier| later.id == earlier.id);
    useful
}
