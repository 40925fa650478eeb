//! From what a session records to the lines that hold it.
//!
//! The reference takes a line that it cannot decode for no line and gives its ordinal out again, so every line here
//! has the members that it asks for.

use recto_protocol::rollout::{Compacted, EventMsg, LineStamp, TokenUsageRecord, TurnError};
use recto_protocol::{ThreadId, TokenUsage, TurnId};
use serde_json::{Value, json};

use super::entry::{RolloutEntry, ThreadSettings, TurnContextItem};

/// The modes of working together that the reference reads.
const MODES: [&str; 2] = ["default", "plan"];

/// The reasons for cutting a turn short that the reference reads.
const REASONS: [&str; 4] = ["interrupted", "replaced", "review_ended", "budget_limited"];

/// Makes the lines of one session; it follows its turns and adds up what they cost.
#[derive(Debug, Clone)]
pub struct EntryEncoder {
    thread_id: ThreadId,
    turn_id: Option<TurnId>,
    turn_usage: TokenUsage,
    thread_usage: TokenUsage,
    /// Whether the conversation was found too long in this turn.
    is_full: bool,
}

impl EntryEncoder {
    /// For a session that cost so much before.
    pub fn new(thread_id: ThreadId, thread_usage: TokenUsage) -> Self {
        Self {
            thread_id,
            turn_id: None,
            turn_usage: TokenUsage::default(),
            thread_usage,
            is_full: false,
        }
    }

    /// The line that holds an entry, without the newline.
    pub fn line(&mut self, entry: &RolloutEntry, stamp: LineStamp<'_>) -> String {
        match entry {
            RolloutEntry::Item(item) => {
                stamp.response_item(item, self.turn_id.map(|id| id.to_string()).as_deref())
            }
            RolloutEntry::WorldState { full, state } => stamp.world_state(*full, state),
            RolloutEntry::SettingsApplied(settings) => {
                stamp.event_value(&settings_applied(self.thread_id, settings))
            }
            RolloutEntry::TurnContext(context) => stamp.turn_context_value(&turn_context(context)),
            RolloutEntry::Compacted { summary, replacement_history } => {
                stamp.compacted(&Compacted {
                    message: summary.clone(),
                    replacement_history: Some(replacement_history.clone()),
                    ..Compacted::default()
                })
            }
            RolloutEntry::Usage(usage) => stamp.token_usage_record(&self.usage(*usage)),
            RolloutEntry::RolledBack { turns } => {
                event(stamp, &EventMsg::ThreadRolledBack { num_turns: u64::from(*turns) })
            }
            RolloutEntry::ContextFull { window } => {
                self.is_full = true;
                stamp.context_full(*window)
            }
            RolloutEntry::TurnStarted(turn_id) => {
                self.turn_id = Some(*turn_id);
                self.turn_usage = TokenUsage::default();
                event(stamp, &EventMsg::TaskStarted { turn_id: Some(turn_id.to_string()) })
            }
            RolloutEntry::TurnEnded { turn_id, reason } => {
                self.turn_id = None;
                let is_full = std::mem::take(&mut self.is_full);
                event(stamp, &end_of_turn(*turn_id, reason.clone(), is_full))
            }
        }
    }

    fn usage(&mut self, usage: TokenUsage) -> TokenUsageRecord {
        add(&mut self.turn_usage, usage);
        add(&mut self.thread_usage, usage);
        let thread_id = self.thread_id.to_string();
        let turn_id = self.turn_id.map_or_else(|| thread_id.clone(), |id| id.to_string());
        TokenUsageRecord {
            thread_id: Some(thread_id.clone()),
            turn_id: Some(turn_id.clone()),
            session_id: Some(thread_id),
            root_turn_id: Some(turn_id),
            response_id: Some(String::new()),
            usage,
            turn_token_usage: Some(self.turn_usage),
            thread_token_usage: Some(self.thread_usage),
        }
    }
}

fn add(sum: &mut TokenUsage, usage: TokenUsage) {
    for (sum, tokens) in [
        (&mut sum.input_tokens, usage.input_tokens),
        (&mut sum.cached_input_tokens, usage.cached_input_tokens),
        (&mut sum.output_tokens, usage.output_tokens),
        (&mut sum.reasoning_output_tokens, usage.reasoning_output_tokens),
        (&mut sum.total_tokens, usage.total_tokens),
    ] {
        *sum = sum.saturating_add(tokens);
    }
}

/// A turn that was cut short for a reason that the reference has no word for ended with an error.
fn end_of_turn(turn_id: TurnId, reason: Option<String>, is_full: bool) -> EventMsg {
    let turn_id = Some(turn_id.to_string());
    match reason {
        Some(reason) if REASONS.contains(&reason.as_str()) => {
            EventMsg::TurnAborted { turn_id, reason: Some(reason) }
        }
        reason => {
            let code = is_full.then(|| TurnError::CONTEXT_WINDOW_EXCEEDED.to_owned());
            let error = reason.map(|message| TurnError { message, code });
            EventMsg::TaskComplete { turn_id, error }
        }
    }
}

fn event(stamp: LineStamp<'_>, event: &EventMsg) -> String {
    stamp.event_msg(event).unwrap_or_else(|| unreachable!("only events that are written come here"))
}

/// The settings with every member that the reference asks for; a mode that it does not know is its usual one there.
fn settings_applied(thread_id: ThreadId, settings: &ThreadSettings) -> Value {
    let mode = known_mode(settings.collaboration_mode.as_deref()).unwrap_or(MODES[0]);
    json!({
        "type": "thread_settings_applied",
        "thread_id": thread_id.to_string(),
        "thread_settings": {
            "model": settings.model,
            "model_provider_id": settings.model_provider,
            "approval_policy": settings.approval_policy,
            "approvals_reviewer": "user",
            "permission_profile": settings.permission_profile,
            "cwd": settings.cwd,
            "runtime_workspace_roots": settings.workspace_roots,
            "collaboration_mode": mode_object(mode, &settings.model),
        },
    })
}

fn known_mode(mode: Option<&str>) -> Option<&str> {
    mode.filter(|mode| MODES.contains(mode))
}

fn mode_object(mode: &str, model: &str) -> Value {
    json!({"mode": mode, "settings": {"model": model}})
}

/// The settings in the reference's form: a mode is an object, and one that it does not know is left out.
fn turn_context(context: &TurnContextItem) -> Value {
    let mut value =
        serde_json::to_value(context).unwrap_or_else(|_| unreachable!("settings are plain data"));
    let mode = known_mode(context.collaboration_mode.as_deref());
    value["collaboration_mode"] =
        mode.map_or(Value::Null, |mode| mode_object(mode, &context.model));
    if let Value::Object(members) = &mut value {
        members.retain(|_, member| !member.is_null());
    }
    value
}
