//! What the person configured: one small struct per concern, read from layers of TOML.

mod agents_md;
mod api_key;
mod approval;
mod check;
#[expect(clippy::module_inception, reason = "`Config` is what the module is about")]
mod config;
mod error;
mod features;
mod hooks;
mod instructions;
mod key_list;
mod keys;
mod layers;
mod load;
mod location;
mod mcp;
mod model;
mod model_catalog;
mod override_key;
mod paths;
mod permission_entries;
mod permission_profile;
mod permissions;
mod project;
mod resolve;
mod trust;
mod unknown;
mod value;
mod warning;

pub use agents_md::AgentsMdConfig;
pub use api_key::ApiKey;
pub use config::{Config, LayerReport, LayerStanding};
pub use error::{
    CatalogProblem, ConfigError, InstructionsProblem, ModelCatalogError, OverrideProblem,
    ValueError,
};
pub use hooks::HookConfig;
pub use instructions::{ConfiguredInstructions, InstructionsConfig, Personality};
pub use key_list::{KNOWN_KEYS, OTHER_KEYS};
pub use keys::{KnownKey, OtherKey, OtherShape, ProjectRule, ValueKind};
pub use load::{ConfigSources, load};
pub use location::{LayerSource, Location};
pub use mcp::{McpApproval, McpServerConfig, McpTransport};
pub use model::{ModelConfig, ModelProvider};
pub use model_catalog::CatalogModel;
pub use permissions::PermissionsConfig;
pub use trust::TrustDecision;
pub use warning::ConfigWarning;
