//! What the person configured: one small struct per concern, read from layers of TOML.

mod agents_md;
mod api_key;
mod approval;
mod check;
#[expect(clippy::module_inception, reason = "`Config` is what the module is about")]
mod config;
mod environments;
mod error;
mod features;
mod fields;
mod hook_matcher;
mod hook_reader;
mod hooks;
mod hooks_file;
mod instructions;
mod json;
mod key;
mod key_list;
mod keys;
mod layers;
mod load;
mod location;
mod mcp;
mod mismatch;
mod model;
mod model_catalog;
mod names;
mod override_key;
mod paths;
mod permission_entries;
mod permission_profile;
mod permissions;
mod places;
mod project;
mod read;
mod resolve;
mod skills;
mod trust;
mod unknown;
mod value;
mod warning;
mod words;

pub use agents_md::AgentsMdConfig;
pub use api_key::ApiKey;
pub use config::{Config, LayerReport, LayerStanding};
pub use environments::EnvironmentConfig;
pub use error::{
    CatalogProblem, ConfigError, InstructionsProblem, ModelCatalogError, OverrideProblem,
    ValueError,
};
pub use hook_matcher::{HookMatcher, MatcherError};
pub use hook_reader::HookConfig;
pub use instructions::{ConfiguredInstructions, InstructionsConfig, Personality};
pub use key::{KnownKey, OtherKey, OtherShape, ProjectRule, ValueKind};
pub use key_list::{KNOWN_KEYS, OTHER_KEYS};
pub use load::{ConfigSources, load};
pub use location::{LayerSource, Location};
pub use mcp::{McpApproval, McpServerConfig, McpTransport};
pub use model::{ModelConfig, ModelProvider};
pub use model_catalog::CatalogModel;
pub use permissions::PermissionsConfig;
pub use skills::SkillsConfig;
pub use trust::TrustDecision;
pub use warning::ConfigWarning;
