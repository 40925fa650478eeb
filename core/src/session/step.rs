//! One step: everything that a model is told is captured here, once, and never read again.

use std::sync::Arc;

use recto_protocol::{ApprovalPolicy, PermissionProfile, TrustLevel};

use super::clock::Clock;
use crate::agents_md::{AgentsMdError, AgentsMdManager, AgentsMdRequest, LoadedAgentsMd};
use crate::config::AgentsMdConfig;
use crate::context::environment_context::{EnvironmentPlace, FileSystemContext};
use crate::environment::{ThreadEnvironments, TurnEnvironmentSnapshot};
use crate::world_state::{AgentsMdFacts, EnvironmentFacts, Facts, PermissionFacts};

/// What the person decided about a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionSettings {
    /// How AGENTS.md files are looked for.
    pub agents_md: AgentsMdConfig,
    /// The trust in the project.
    pub trust: Option<TrustLevel>,
    /// What the model is told as the developer; empty is none.
    pub developer_instructions: Option<String>,
    /// Directories that belong to the work, the working directory first.
    pub workspace_roots: Vec<String>,
    /// What commands may reach.
    pub permission_profile: PermissionProfile,
    /// When the person is asked.
    pub approval_policy: ApprovalPolicy,
    /// Whether the model is told the permissions in words.
    pub include_permissions_instructions: bool,
    /// Whether the model is told where it works.
    pub include_environment_context: bool,
}

/// A conversation's surroundings.
#[derive(Debug)]
pub struct Session {
    settings: SessionSettings,
    environments: ThreadEnvironments,
    agents_md: AgentsMdManager,
    clock: Arc<dyn Clock>,
}

/// What one step captured; it never changes.
#[derive(Debug, Clone)]
pub struct StepContext {
    /// The environments.
    pub environments: TurnEnvironmentSnapshot,
    /// The instructions with the outcome of every candidate.
    pub agents_md: Arc<LoadedAgentsMd>,
    /// All of it as plain data.
    pub facts: Facts,
}

impl Session {
    /// Brings together what a session stands on.
    pub fn new(
        settings: SessionSettings,
        environments: ThreadEnvironments,
        agents_md: AgentsMdManager,
        clock: Arc<dyn Clock>,
    ) -> Self {
        Self { settings, environments, agents_md, clock }
    }

    /// Captures a step: environments that finished starting, instructions, date and settings.
    ///
    /// Only a read that a sandbox policy forbids is an error; the next call tries again.
    pub async fn capture_step_context(&mut self) -> Result<StepContext, AgentsMdError> {
        self.environments.refresh_readiness();
        let environments = self.environments.snapshot();
        let request = AgentsMdRequest {
            environments: &environments,
            config: &self.settings.agents_md,
            trust: self.settings.trust,
        };
        let agents_md = self.agents_md.refresh(request).await?;
        let facts = self.facts(&environments, &agents_md);
        Ok(StepContext { environments, agents_md, facts })
    }

    fn facts(&self, environments: &TurnEnvironmentSnapshot, agents_md: &LoadedAgentsMd) -> Facts {
        let settings = &self.settings;
        let text = agents_md.to_text().unwrap_or_default();
        Facts {
            developer_instructions: settings
                .developer_instructions
                .clone()
                .filter(|it| !it.is_empty()),
            agents_md: AgentsMdFacts {
                directory: text.directory.map(|it| it.to_string_lossy().into_owned()),
                text: (!text.spans.is_empty()).then_some(text.text),
                spans: text.spans,
            },
            permissions: settings.include_permissions_instructions.then(|| PermissionFacts {
                profile: settings.permission_profile.clone(),
                approval_policy: settings.approval_policy,
            }),
            environment: settings
                .include_environment_context
                .then(|| self.environment_facts(environments)),
        }
    }

    fn environment_facts(&self, environments: &TurnEnvironmentSnapshot) -> EnvironmentFacts {
        let now = self.clock.local_time();
        let place = |environment: &crate::environment::TurnEnvironment| EnvironmentPlace {
            cwd: environment.selection.cwd.to_string_lossy().into_owned(),
            shell: environment.environment.shell.clone(),
        };
        EnvironmentFacts {
            environments: environments
                .ready
                .iter()
                .map(|it| (it.selection.environment_id.to_string(), place(it)))
                .collect(),
            current_date: now.date,
            timezone: now.timezone,
            network: None,
            filesystem: Some(FileSystemContext {
                workspace_roots: self.settings.workspace_roots.clone(),
                profile: self.settings.permission_profile.clone(),
            }),
        }
    }
}
