//! A plugin that the person asked for.

use recto_context_fragments::{ContextualUserFragment, Markers, truncate_head};
use recto_protocol::{ContentKind, Role};

use super::registry::{Cap, ContextFragment};

/// What a mentioned plugin brings, so that the model turns to it; without markers, a message of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PluginCapabilities {
    /// Its name for people.
    pub display_name: String,
    /// What stands before the names of its skills; none where it brings none.
    pub skill_prefix: Option<String>,
    /// Its MCP servers.
    pub mcp_servers: Vec<String>,
}

/// Bytes that one name may have.
const NAME_BYTES: usize = 256;

/// MCP servers that are named.
const MAX_SERVERS: usize = 16;

impl ContextualUserFragment for PluginCapabilities {
    fn role(&self) -> Role {
        Role::Developer
    }

    fn markers() -> Markers {
        Markers::NONE
    }

    /// The servers by name; those that do not fit are counted.
    fn body(&self) -> String {
        let name = short(&self.display_name);
        let skills = self.skill_prefix.as_ref().map(|prefix| {
            format!("- the skills whose names begin with `{}:`\n", short(prefix))
        });
        let servers = server_list(&self.mcp_servers)
            .map(|servers| format!("- the tools of these MCP servers: {servers}\n"));
        let parts = [skills, servers].into_iter().flatten().collect::<String>();
        format!("The user names the plugin `{name}`. It brings:\n{parts}Turn to them first for this task.")
    }
}

fn server_list(servers: &[String]) -> Option<String> {
    let mut names: Vec<&String> = servers.iter().collect();
    names.sort();
    let left_out = names.len().saturating_sub(MAX_SERVERS);
    names.truncate(MAX_SERVERS);
    let names: Vec<String> = names.iter().map(|name| format!("`{}`", short(name))).collect();
    let more = if left_out > 0 { format!(" and {left_out} more") } else { String::new() };
    (!names.is_empty()).then(|| names.join(", ") + &more)
}

/// A name on one line, no longer than it may be.
fn short(name: &str) -> String {
    let line = name.split_whitespace().collect::<Vec<_>>().join(" ");
    truncate_head(&line, NAME_BYTES).to_owned()
}

impl ContextFragment for PluginCapabilities {
    const KIND: ContentKind = ContentKind::new("plugins.instructions");
    const SENT: &'static str =
        "Behind the input, and behind the skills that it mentions, where the input mentions the plugin.";
    const CAP: Cap = Cap::Tokens(1_300);

    fn samples() -> Vec<Self> {
        vec![
            Self {
                display_name: "Calendar".to_owned(),
                skill_prefix: Some("calendar".to_owned()),
                mcp_servers: vec!["rooms".to_owned(), "events".to_owned()],
            },
            Self {
                display_name: "n".repeat(1_000),
                skill_prefix: None,
                mcp_servers: (10..40).map(|at| format!("{at}{}", "s".repeat(1_000))).collect(),
            },
        ]
    }
}
