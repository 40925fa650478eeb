//! What one step captured: plain data, read by every section and by nobody changed.

use recto_protocol::{ApprovalPolicy, PermissionProfile};

use crate::agents_md::SourceSpan;
use crate::context::available_plugins::PluginEntry;
use crate::context::collaboration_mode::CollaborationMode;
use crate::context::environment_context::{EnvironmentPlace, FileSystemContext, NetworkContext};
use crate::context::personality_spec::Personality;
use crate::skills::SkillListing;

/// Everything that a model is told about its surroundings, as it was at one moment.
///
/// What is none is not told.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Facts {
    /// Whether the session watches over another one; its developer instructions then stand apart.
    pub is_guardian: bool,
    /// The text of `developer_instructions`.
    pub developer_instructions: Option<String>,
    /// AGENTS.md.
    pub agents_md: AgentsMdFacts,
    /// What may be done, where the model is to be told in words.
    pub permissions: Option<PermissionFacts>,
    /// Where the agent works, where the model is to be told.
    pub environment: Option<EnvironmentFacts>,
    /// The model that is asked.
    pub model: Option<ModelFacts>,
    /// The skills of the host.
    pub host_skills: Option<SkillFacts>,
    /// The plugins of the host that have something to give.
    pub plugins: Vec<PluginEntry>,
    /// How the work is shared.
    pub collaboration_mode: Option<CollaborationModeFacts>,
    /// How the person wants to be talked to.
    pub personality: PersonalityFacts,
}

/// The model that is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelFacts {
    /// Its name on the wire.
    pub slug: String,
    /// The base instructions that a conversation with it would start with, a configured text before its own.
    pub base_instructions: String,
}

/// The skills of the host.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SkillFacts {
    /// The catalogue within its budget.
    pub listing: SkillListing,
    /// Whether the model is told of it.
    pub include_instructions: bool,
    /// Whether the model is told how skills are used.
    pub with_usage: bool,
}

/// How the work is shared.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CollaborationModeFacts {
    /// The mode.
    pub mode: CollaborationMode,
    /// The model's name on the wire.
    pub model: String,
    /// The host's own words for the mode.
    pub instructions: Option<String>,
    /// Whether the model is told even of the default mode from the start.
    pub announces_default: bool,
}

/// How the person wants to be talked to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PersonalityFacts {
    /// Whether the feature is on.
    pub is_enabled: bool,
    /// The choice.
    pub chosen: Option<Personality>,
    /// Whether the base instructions of the request carry a personality already.
    pub is_in_base_instructions: bool,
}

/// The instructions that stand; without text where there are none.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AgentsMdFacts {
    /// The directory in the heading.
    pub directory: Option<String>,
    /// The text.
    pub text: Option<String>,
    /// Which bytes of the text came from which file; not told to the model.
    pub spans: Vec<SourceSpan>,
}

/// What may be done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PermissionFacts {
    /// What commands may reach.
    pub profile: PermissionProfile,
    /// When the person is asked.
    pub approval_policy: ApprovalPolicy,
}

/// Where the agent works.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EnvironmentFacts {
    /// The environments that are ready, the primary one first: name, directory, shell.
    pub environments: Vec<(String, EnvironmentPlace)>,
    /// `2026-11-30`, in the person's time zone.
    pub current_date: Option<String>,
    /// The IANA name.
    pub timezone: Option<String>,
    /// Hosts that a managed network lets through or not.
    pub network: Option<NetworkContext>,
    /// Files that may be reached.
    pub filesystem: Option<FileSystemContext>,
}
