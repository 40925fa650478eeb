//! From what was captured to the plain data that sections read.

use recto_protocol::WireKind;

use super::clock::LocalTime;
use super::plugins::plugin_entries;
use super::settings::{EnvironmentDetail, PersonalitySetting, SessionSettings, SessionSource};
use crate::agents_md::LoadedAgentsMd;
use crate::context::environment_context::{EnvironmentPlace, FileSystemContext};
use crate::environment::{TurnEnvironment, TurnEnvironmentSnapshot};
use crate::model::base_instructions;
use crate::skills::{SkillBudget, SkillCatalog};
use crate::world_state::{
    AgentsMdFacts, CollaborationModeFacts, EnvironmentFacts, Facts, ModelFacts, PermissionFacts,
    PersonalityFacts, SkillFacts,
};

/// What one step captured.
pub(super) struct Captured<'a> {
    pub(super) settings: &'a SessionSettings,
    pub(super) environments: &'a TurnEnvironmentSnapshot,
    pub(super) agents_md: &'a LoadedAgentsMd,
    /// None for a host that keeps no skills.
    pub(super) skills: Option<&'a SkillCatalog>,
    /// None where the model is not to be told.
    pub(super) now: Option<LocalTime>,
}

/// A pure function: nothing is read here.
pub(super) fn facts(captured: Captured<'_>) -> Facts {
    let settings = captured.settings;
    let model = &settings.model;
    let developer_instructions =
        settings.developer_instructions.clone().filter(|it| !it.is_empty());
    Facts {
        is_guardian: settings.source == SessionSource::Guardian,
        developer_instructions,
        agents_md: agents_md(captured.agents_md),
        permissions: settings.include_permissions_instructions.then(|| PermissionFacts {
            profile: settings.permission_profile.clone(),
            approval_policy: settings.approval_policy,
        }),
        model: Some(ModelFacts {
            slug: model.slug.clone(),
            base_instructions: base_instructions(settings.base_instructions.as_deref(), None).text,
        }),
        host_skills: captured.skills.map(|skills| SkillFacts {
            listing: skills.listing(SkillBudget::for_context_window(model.context_window)),
            include_instructions: settings.include_skill_instructions,
            with_usage: model.wire == WireKind::Responses,
        }),
        plugins: plugin_entries(
            &settings.plugins,
            captured.skills.unwrap_or(&SkillCatalog::default()),
        ),
        collaboration_mode: Some(CollaborationModeFacts {
            mode: settings.collaboration_mode,
            model: model.slug.clone(),
            instructions: None,
            announces_default: model.wire == WireKind::ResponsesLite,
        }),
        personality: personality(settings),
        environment: (settings.environment_detail != EnvironmentDetail::Nothing)
            .then(|| environment(captured)),
    }
}

fn agents_md(loaded: &LoadedAgentsMd) -> AgentsMdFacts {
    let text = loaded.to_text().unwrap_or_default();
    AgentsMdFacts {
        directory: text.directory.map(|it| it.to_string_lossy().into_owned()),
        text: (!text.spans.is_empty()).then_some(text.text),
        spans: text.spans,
    }
}

fn personality(settings: &SessionSettings) -> PersonalityFacts {
    let (is_enabled, chosen) = match settings.personality {
        PersonalitySetting::Off => (false, None),
        PersonalitySetting::On(chosen) => (true, chosen),
    };
    let is_in_base_instructions =
        settings.base_instructions.is_none() && settings.model.base_instructions_carry_personality;
    PersonalityFacts { is_enabled, chosen, is_in_base_instructions }
}

fn environment(captured: Captured<'_>) -> EnvironmentFacts {
    let place = |environment: &TurnEnvironment| EnvironmentPlace {
        cwd: environment.selection.cwd.to_string_lossy().into_owned(),
        shell: environment.environment.shell.clone(),
    };
    let named = |it: &TurnEnvironment| (it.selection.environment_id.to_string(), place(it));
    let (current_date, timezone) = captured.now.map(|now| (now.date, now.timezone)).unzip();
    EnvironmentFacts {
        environments: captured.environments.ready.iter().map(named).collect(),
        current_date,
        timezone,
        network: None,
        filesystem: Some(FileSystemContext {
            workspace_roots: captured.settings.workspace_roots.clone(),
            profile: captured.settings.permission_profile.clone(),
        }),
    }
}
