//! A step of a turn: what is captured, told and persisted.

use std::path::Path;

use recto_protocol::TurnId;
use serde::Serialize;

use super::session::Session;
use super::settings::PersonalitySetting;
use super::step::StepContext;
use super::stop::Stop;
use super::turn_state::Turn;
use crate::rollout::{RolloutEntry, ThreadSettings, TurnContextItem};

impl Session {
    /// Captures a step and tells the model what changed.
    pub(super) async fn step(&mut self, turn: &Turn) -> Result<StepContext, Stop> {
        let step = self.surroundings.capture_step_context().await.map_err(Stop::AgentsMd)?;
        self.tell_lost_environments(&step);
        self.record_step_world_state_if_changed(&step).await;
        let item = self.turn_context_item(turn.id, &step);
        if self.state.is_other_turn_context(&item) {
            self.record_entries(vec![RolloutEntry::TurnContext(item)]).await;
        }
        Ok(step)
    }

    /// What the record says where a turn begins; before the first one, that a program took the session up.
    ///
    /// Without that nobody could tell from the record which turns had to load files anew.
    pub(super) fn start_of_turn(&mut self, turn_id: TurnId) -> Vec<RolloutEntry> {
        let is_first = std::mem::take(&mut self.is_unmarked);
        let settings = is_first.then(|| self.thread_settings()).flatten();
        let settings = settings.map(RolloutEntry::SettingsApplied);
        settings.into_iter().chain([RolloutEntry::TurnStarted(turn_id)]).collect()
    }

    /// None where the session works in no directory: the reference reads absolute paths only.
    fn thread_settings(&self) -> Option<ThreadSettings> {
        let settings = &self.surroundings.settings;
        let cwd = self.surroundings.primary_cwd();
        let roots = settings.workspace_roots.iter().filter(|root| Path::new(root).is_absolute());
        cwd.is_absolute().then(|| ThreadSettings {
            cwd: cwd.to_string_lossy().into_owned(),
            workspace_roots: roots.cloned().collect(),
            approval_policy: settings.approval_policy,
            permission_profile: settings.permission_profile.clone(),
            model: settings.model.slug.clone(),
            model_provider: settings.provider.clone(),
            collaboration_mode: word(settings.collaboration_mode),
        })
    }

    /// What is recorded of the settings that a step runs under; never part of the conversation.
    pub(super) fn turn_context_item(&self, turn_id: TurnId, step: &StepContext) -> TurnContextItem {
        let environment = step.facts.environment.as_ref();
        let cwd =
            step.environments.primary().map(|it| it.selection.cwd.to_string_lossy().into_owned());
        TurnContextItem {
            turn_id,
            cwd: cwd.unwrap_or_default(),
            current_date: environment.and_then(|it| it.current_date.clone()),
            timezone: environment.and_then(|it| it.timezone.clone()),
            approval_policy: self.surroundings.settings.approval_policy,
            permission_profile: self.surroundings.settings.permission_profile.clone(),
            model: self.surroundings.settings.model.slug.clone(),
            model_provider: Some(self.surroundings.settings.provider.clone()),
            personality: match self.surroundings.settings.personality {
                PersonalitySetting::On(Some(personality)) => word(personality),
                PersonalitySetting::On(None) | PersonalitySetting::Off => None,
            },
            collaboration_mode: word(self.surroundings.settings.collaboration_mode),
        }
    }
}

/// The word that stands for a choice in records.
fn word(choice: impl Serialize) -> Option<String> {
    serde_json::to_value(choice).ok()?.as_str().map(str::to_owned)
}
