//! What the person decided about a session, and how a turn changes it.

use std::path::PathBuf;

use recto_protocol::rollout::RecordedInstructions;
use recto_protocol::{
    ApprovalPolicy, DynamicTools, ModelInfo, NetworkPermissions, PermissionProfile, TrustLevel,
};
use serde_json::json;

use crate::config::AgentsMdConfig;
use crate::context::CompatibilityWarning;
use crate::context::collaboration_mode::CollaborationMode;
use crate::context::personality_spec::Personality;
use crate::hooks::HookSpec;
use crate::model::base_instructions;
use crate::plugins::Plugin;

/// What the person decided about a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionSettings {
    /// The model and what is known about it.
    pub model: ModelInfo,
    /// The provider that serves it; it alone can read the thoughts that it sealed.
    pub provider: String,
    /// Tokens from which on the conversation is cut down before the model is asked again; none is never.
    pub auto_compact_token_limit: Option<u64>,
    /// Who it works for.
    pub source: SessionSource,
    /// A text for base instructions that goes before the model's own.
    pub base_instructions: Option<String>,
    /// How AGENTS.md files are looked for.
    pub agents_md: AgentsMdConfig,
    /// The trust in the project.
    pub trust: Option<TrustLevel>,
    /// What the model is told as the developer; empty is none.
    pub developer_instructions: Option<String>,
    /// Settings that are out of date, as the model is told of them beside the developer's words.
    pub outdated_settings: Vec<CompatibilityWarning>,
    /// Directories that belong to the work, the working directory first.
    pub workspace_roots: Vec<String>,
    /// What commands may reach.
    pub permission_profile: PermissionProfile,
    /// When the person is asked.
    pub approval_policy: ApprovalPolicy,
    /// Whether the model is told the permissions in words.
    pub include_permissions_instructions: bool,
    /// How much the model is told of where it works.
    pub environment_detail: EnvironmentDetail,
    /// Whether the model is told which skills there are.
    pub include_skill_instructions: bool,
    /// How the work is shared.
    pub collaboration_mode: CollaborationMode,
    /// How the person wants to be talked to.
    pub personality: PersonalitySetting,
    /// The plugins that the host has switched on.
    pub plugins: Vec<Plugin>,
    /// The tools that the host gives the thread; a resumed session without any has those of its record.
    pub dynamic_tools: DynamicTools,
    /// The person's hooks.
    pub hooks: Vec<HookSpec>,
}

impl SessionSettings {
    /// Settings of which nobody decided anything but who answers: all is told, nobody is asked, and what confines
    /// commands is not ours.
    pub fn undecided(model: ModelInfo, provider: &str) -> Self {
        Self {
            model,
            provider: provider.to_owned(),
            auto_compact_token_limit: None,
            source: SessionSource::Person,
            base_instructions: None,
            agents_md: AgentsMdConfig::default(),
            trust: None,
            developer_instructions: None,
            outdated_settings: Vec::new(),
            workspace_roots: Vec::new(),
            permission_profile: PermissionProfile::External {
                network: NetworkPermissions::Restricted,
            },
            approval_policy: ApprovalPolicy::Never,
            include_permissions_instructions: true,
            environment_detail: EnvironmentDetail::All,
            include_skill_instructions: true,
            collaboration_mode: CollaborationMode::Default,
            personality: PersonalitySetting::Off,
            plugins: Vec::new(),
            dynamic_tools: DynamicTools::default(),
            hooks: Vec::new(),
        }
    }

    /// The base instructions that a new session goes by and records.
    pub fn recorded_instructions(&self) -> RecordedInstructions {
        let provenance = match self.base_instructions {
            Some(_) => json!({"type": "custom"}),
            None => json!({"type": "model", "model": self.model.slug}),
        };
        let text = base_instructions(self.base_instructions.as_deref(), None).text;
        RecordedInstructions { text, provenance: Some(provenance) }
    }
}

/// Who a session works for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum SessionSource {
    /// A person.
    #[default]
    Person,
    /// Another session, which it watches over; its developer instructions then stand apart.
    Guardian,
}

/// How the person wants to be talked to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum PersonalitySetting {
    /// The feature is off; nothing is said about it.
    #[default]
    Off,
    /// The feature is on; this was chosen.
    On(Option<Personality>),
}

/// How much a model is told of where it works.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum EnvironmentDetail {
    /// Nothing.
    Nothing,
    /// All but the day and the time zone.
    WithoutTime,
    /// All.
    #[default]
    All,
}

/// Settings that change before a turn; what is none stays.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SettingsOverrides {
    /// Another working directory in the primary environment.
    pub cwd: Option<PathBuf>,
    /// Other directories that belong to the work.
    pub workspace_roots: Option<Vec<String>>,
    /// Another model.
    pub model: Option<ModelInfo>,
    /// Another provider.
    pub provider: Option<String>,
    /// Other permissions.
    pub permission_profile: Option<PermissionProfile>,
    /// Another approval policy.
    pub approval_policy: Option<ApprovalPolicy>,
    /// Another way to share the work.
    pub collaboration_mode: Option<CollaborationMode>,
    /// Other plugins.
    pub plugins: Option<Vec<Plugin>>,
    /// Another trust; the inner none takes the decision back.
    pub trust: Option<Option<TrustLevel>>,
}

impl SettingsOverrides {
    /// Changes the settings; the directory is the environments' to change.
    pub(super) fn apply_to(&self, settings: &mut SessionSettings) {
        fn replace<T: Clone>(target: &mut T, change: Option<&T>) {
            if let Some(value) = change {
                target.clone_from(value);
            }
        }

        replace(&mut settings.workspace_roots, self.workspace_roots.as_ref());
        replace(&mut settings.model, self.model.as_ref());
        replace(&mut settings.provider, self.provider.as_ref());
        replace(&mut settings.permission_profile, self.permission_profile.as_ref());
        replace(&mut settings.approval_policy, self.approval_policy.as_ref());
        replace(&mut settings.collaboration_mode, self.collaboration_mode.as_ref());
        replace(&mut settings.plugins, self.plugins.as_ref());
        replace(&mut settings.trust, self.trust.as_ref());
    }
}
