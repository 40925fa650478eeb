//! The configuration as one value.

use std::collections::BTreeMap;

use recto_protocol::TrustLevel;

use super::agents_md::AgentsMdConfig;
use super::environments::EnvironmentConfig;
use super::hook_reader::HookConfig;
use super::instructions::InstructionsConfig;
use super::location::LayerSource;
use super::mcp::McpServerConfig;
use super::model::ModelConfig;
use super::permissions::PermissionsConfig;
use super::skills::SkillsConfig;
use super::trust::TrustDecision;
use super::warning::ConfigWarning;

/// What the person configured, for one working directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Config {
    /// How AGENTS.md files are looked for.
    pub agents_md: AgentsMdConfig,
    /// Which model is asked.
    pub model: ModelConfig,
    /// Texts at the start of every session.
    pub instructions: InstructionsConfig,
    /// What is said of skills.
    pub skills: SkillsConfig,
    /// What commands may do.
    pub permissions: PermissionsConfig,
    /// Whether the project is trusted.
    pub trust: TrustDecision,
    /// Other places where files are read for the model.
    pub environments: Vec<EnvironmentConfig>,
    /// Commands of the person that run at fixed points of a session, in the order in which what they say is told; none
    /// where the feature `hooks` is off.
    pub hooks: Vec<HookConfig>,
    /// Servers that bring tools, by name; also those that are switched off.
    pub mcp_servers: Vec<McpServerConfig>,
    /// The features that somebody turned on or off.
    pub features: BTreeMap<String, bool>,
    /// Where all this comes from, the lowest layer first; files that are not there are left out.
    pub layers: Vec<LayerReport>,
    /// What has no effect, or not the one that it seems to have.
    pub warnings: Vec<ConfigWarning>,
}

/// One layer and what became of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LayerReport {
    /// The file or argument.
    pub source: LayerSource,
    /// Whether it counts.
    pub standing: LayerStanding,
}

/// Whether a layer counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LayerStanding {
    /// It counts.
    Used,
    /// A project's file that is not read: the project is untrusted, or nobody decided.
    Ignored(Option<TrustLevel>),
}
