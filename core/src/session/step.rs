//! One step: everything that a model is told is captured here, once, and never read again.

use std::path::PathBuf;
use std::sync::Arc;

use super::clock::Clock;
use super::facts::{Captured, facts};
use super::settings::{EnvironmentDetail, SessionSettings, SettingsOverrides};
use crate::agents_md::{AgentsMdError, AgentsMdManager, AgentsMdRequest, LoadedAgentsMd};
use crate::environment::{FileSystem, ThreadEnvironments, TurnEnvironmentSnapshot};
use crate::plugins::Plugin;
use crate::skills::{PluginSkills, SkillCatalog, SkillSources, discover_skills};
use crate::world_state::Facts;

/// What one step captured; it never changes.
#[derive(Debug, Clone)]
pub struct StepContext {
    /// The environments.
    pub environments: TurnEnvironmentSnapshot,
    /// The instructions with the outcome of every candidate.
    pub agents_md: Arc<LoadedAgentsMd>,
    /// The skills there are.
    pub skills: Arc<SkillCatalog>,
    /// All of it as plain data.
    pub facts: Facts,
}

/// Where the skills of a host are kept.
#[derive(Debug, Clone)]
pub struct SkillHome {
    /// The host's files.
    pub file_system: Arc<dyn FileSystem>,
    /// `$CODEX_HOME`.
    pub codex_home: PathBuf,
    /// The person's home directory.
    pub user_home: Option<PathBuf>,
}

/// Everything that a step captures from: settings, environments, instructions, skills and the clock.
#[derive(Debug)]
pub struct Surroundings {
    /// What the person decided.
    pub settings: SessionSettings,
    environments: ThreadEnvironments,
    agents_md: AgentsMdManager,
    skill_home: Option<SkillHome>,
    clock: Arc<dyn Clock>,
    /// The skills that the turn found; every turn looks once.
    skills: Option<Arc<SkillCatalog>>,
}

impl Surroundings {
    /// Brings them together; the host's instructions are read already.
    ///
    /// Without a home for skills there are none.
    pub fn new(
        settings: SessionSettings,
        environments: ThreadEnvironments,
        agents_md: AgentsMdManager,
        skill_home: Option<SkillHome>,
        clock: Arc<dyn Clock>,
    ) -> Self {
        Self { settings, environments, agents_md, skill_home, clock, skills: None }
    }

    /// Changes settings, and the directory of the primary environment, from the next step on.
    ///
    /// Another permission profile confines the reads of this machine otherwise, so instructions are read again.
    pub fn apply(&mut self, overrides: &SettingsOverrides) {
        let profile = self.settings.permission_profile.clone();
        overrides.apply_to(&mut self.settings);
        if profile != self.settings.permission_profile {
            self.environments.confine(&self.settings.permission_profile);
            self.agents_md.invalidate();
        }
        if let Some(cwd) = &overrides.cwd {
            self.environments.set_primary_cwd(cwd.clone());
        }
    }

    /// Where the primary environment works; empty where there is none.
    pub(super) fn primary_cwd(&self) -> PathBuf {
        let snapshot = self.environments.snapshot();
        snapshot.primary().map(|it| it.selection.cwd.clone()).unwrap_or_default()
    }

    /// The files that skills are read from.
    pub(super) fn skill_files(&self) -> Option<Arc<dyn FileSystem>> {
        self.skill_home.as_ref().map(|home| Arc::clone(&home.file_system))
    }

    /// The skills that the turn found.
    pub(super) fn known_skills(&self) -> Arc<SkillCatalog> {
        self.skills.clone().unwrap_or_default()
    }

    /// Looks for skills again with the next step.
    pub(super) fn begin_turn(&mut self) {
        self.skills = None;
    }

    /// Captures a step: environments that finished starting, instructions, skills, date and settings.
    ///
    /// An environment that goes away while it is read contributes nothing. Only a read that a sandbox policy forbids
    /// is an error; the next call tries again.
    pub async fn capture_step_context(&mut self) -> Result<StepContext, AgentsMdError> {
        let (environments, agents_md, skills) = loop {
            self.environments.refresh_readiness();
            let environments = self.environments.snapshot();
            let request = AgentsMdRequest {
                environments: &environments,
                config: &self.settings.agents_md,
                trust: self.settings.trust,
            };
            let (agents_md, skills) =
                tokio::join!(self.agents_md.refresh(request), self.find_skills(&environments));
            // Each round has fewer environments.
            if !self.environments.has_lost_any() {
                break (environments, agents_md?, skills);
            }
        };
        self.skills = Some(Arc::clone(&skills));
        let is_timed = self.settings.environment_detail == EnvironmentDetail::All;
        let captured = Captured {
            settings: &self.settings,
            environments: &environments,
            agents_md: &agents_md,
            skills: self.skill_home.as_ref().map(|_| &*skills),
            now: is_timed.then(|| self.clock.local_time()),
        };
        let facts = facts(captured);
        Ok(StepContext { environments, agents_md, skills, facts })
    }

    /// The skills that the turn found already, or those that are there now.
    async fn find_skills(&self, environments: &TurnEnvironmentSnapshot) -> Arc<SkillCatalog> {
        if let Some(skills) = &self.skills {
            return Arc::clone(skills);
        }
        let (Some(home), Some(primary)) = (&self.skill_home, environments.primary()) else {
            return Arc::default();
        };
        let plugin_skills = |plugin: &Plugin| {
            let path = plugin.skills.clone()?;
            Some(PluginSkills { plugin: plugin.name.clone(), path })
        };
        let plugins: Vec<PluginSkills> =
            self.settings.plugins.iter().filter_map(plugin_skills).collect();
        let sources = SkillSources {
            codex_home: &home.codex_home,
            user_home: home.user_home.as_deref(),
            cwd: &primary.selection.cwd,
            project_root_markers: &self.settings.agents_md.project_root_markers,
            trust: self.settings.trust,
            plugins: &plugins,
        };
        Arc::new(discover_skills(&*home.file_system, sources).await)
    }
}
