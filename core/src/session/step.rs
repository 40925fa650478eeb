//! One step: everything that a model is told is captured here, once, and never read again.

use std::sync::Arc;

use super::clock::Clock;
use super::settings::{EnvironmentDetail, SessionSettings, SessionSource, SettingsOverrides};
use crate::agents_md::{AgentsMdError, AgentsMdManager, AgentsMdRequest, LoadedAgentsMd};
use crate::context::environment_context::{EnvironmentPlace, FileSystemContext};
use crate::environment::{ThreadEnvironments, TurnEnvironmentSnapshot};
use crate::world_state::{AgentsMdFacts, EnvironmentFacts, Facts, PermissionFacts};

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

/// Everything that a step captures from: settings, environments, instructions and the clock.
#[derive(Debug)]
pub struct Surroundings {
    /// What the person decided.
    pub settings: SessionSettings,
    environments: ThreadEnvironments,
    agents_md: AgentsMdManager,
    clock: Arc<dyn Clock>,
}

impl Surroundings {
    /// Brings them together; the host's instructions are read already.
    pub fn new(
        settings: SessionSettings,
        environments: ThreadEnvironments,
        agents_md: AgentsMdManager,
        clock: Arc<dyn Clock>,
    ) -> Self {
        Self { settings, environments, agents_md, clock }
    }

    /// Changes settings, and the directory of the primary environment, from the next step on.
    pub fn apply(&mut self, overrides: &SettingsOverrides) {
        overrides.apply_to(&mut self.settings);
        if let Some(cwd) = &overrides.cwd {
            self.environments.set_primary_cwd(cwd.clone());
        }
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
            is_guardian: settings.source == SessionSource::Guardian,
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
            environment: (settings.environment_detail != EnvironmentDetail::Nothing)
                .then(|| self.environment_facts(environments)),
            ..Facts::default()
        }
    }

    fn environment_facts(&self, environments: &TurnEnvironmentSnapshot) -> EnvironmentFacts {
        let is_timed = self.settings.environment_detail == EnvironmentDetail::All;
        let now = is_timed.then(|| self.clock.local_time());
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
            current_date: now.as_ref().map(|it| it.date.clone()),
            timezone: now.map(|it| it.timezone),
            network: None,
            filesystem: Some(FileSystemContext {
                workspace_roots: self.settings.workspace_roots.clone(),
                profile: self.settings.permission_profile.clone(),
            }),
        }
    }
}
