//! A step of a turn: what is captured, told and persisted.

use recto_protocol::TurnId;
use serde::Serialize;

use super::session::Session;
use super::settings::PersonalitySetting;
use super::step::StepContext;
use super::stop::Stop;
use super::turn_state::Turn;
use crate::rollout::{RolloutEntry, TurnContextItem};

impl Session {
    /// Captures a step and tells the model what changed.
    pub(super) async fn step(&mut self, turn: &Turn) -> Result<StepContext, Stop> {
        let step = self.surroundings.capture_step_context().await.map_err(Stop::AgentsMd)?;
        self.record_step_world_state_if_changed(&step).await;
        let item = self.turn_context_item(turn.id, &step);
        if self.state.is_other_turn_context(&item) {
            self.record_entries(vec![RolloutEntry::TurnContext(item)]).await;
        }
        Ok(step)
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
