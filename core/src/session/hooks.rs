//! The person's hooks at the points of a turn.

use std::collections::HashSet;

use recto_protocol::{Item, ResponseItem};

use super::event::SessionEvent;
use super::inputs::Interrupts;
use super::session::Session;
use super::stop::Stop;
use crate::context::{ContextFragment, HookAdditionalContext, HookPrompt, RenderedFragment};
use crate::history::merge_contextual_fragments;
use crate::hooks::{
    HookCall, HookContext, HookOutcome, HookVerdict, SessionStartSource, run_hooks,
};

/// How often stop hooks may send a model on in one turn.
const MAX_CONTINUATIONS: usize = 10;

impl Session {
    /// Runs the hooks on the start of a session; each one's context is a message of its own.
    pub(super) async fn run_start_hooks(
        &mut self,
        source: SessionStartSource,
        interrupts: &mut Interrupts,
    ) -> Result<(), Stop> {
        let outcomes = self.run_hooks(HookCall::SessionStart { source }, interrupts).await?;
        let mut contexts = context_items(&outcomes);
        if source == SessionStartSource::Resume {
            // A session that goes on, or a fork, has in its past what its hooks said at the start.
            let past: HashSet<String> =
                self.state.history.items().filter_map(hook_context).collect();
            contexts.retain(|item| hook_context(item).is_none_or(|text| !past.contains(&text)));
        }
        self.record_items(contexts).await;
        match stop_wish(&outcomes) {
            Some(reason) => Err(Stop::Hook { reason }),
            None => Ok(()),
        }
    }

    /// Asks the hooks about a prompt; gives what they add, and the reason where one keeps it from the model.
    pub(super) async fn ask_submit_hooks(
        &mut self,
        prompt: &str,
        interrupts: &mut Interrupts,
    ) -> Result<(Vec<HookOutcome>, Option<String>), Stop> {
        let call = HookCall::UserPromptSubmit { prompt: prompt.to_owned() };
        let outcomes = self.run_hooks(call, interrupts).await?;
        let blocked = outcomes.iter().find_map(|outcome| match &outcome.verdict {
            HookVerdict::Block { reason } => Some(reason.clone()),
            _ => None,
        });
        let blocked = blocked.or_else(|| stop_wish(&outcomes));
        Ok((outcomes, blocked))
    }

    /// Whether a hook sends the model on although it is done; then the reason is in the conversation.
    pub(super) async fn stop_hooks_go_on(
        &mut self,
        continuations: &mut usize,
        interrupts: &mut Interrupts,
    ) -> Result<bool, Stop> {
        let call = HookCall::Stop {
            stop_hook_active: *continuations > 0,
            last_assistant_message: self.last_message(),
        };
        let outcomes = self.run_hooks(call, interrupts).await?;
        self.record_contexts(&outcomes).await;
        if stop_wish(&outcomes).is_some() {
            return Ok(false);
        }
        let prompts: Vec<RenderedFragment> = outcomes
            .iter()
            .filter_map(|outcome| match &outcome.verdict {
                HookVerdict::Block { reason } => Some(RenderedFragment::of(&HookPrompt {
                    hook_run_id: outcome.run_id.clone(),
                    text: reason.clone(),
                })),
                _ => None,
            })
            .collect();
        if prompts.is_empty() {
            return Ok(false);
        }
        if *continuations == MAX_CONTINUATIONS {
            self.tell(SessionEvent::Notice(format!(
                "stop hooks sent the model on {MAX_CONTINUATIONS} times; the turn ends here"
            )));
            return Ok(false);
        }
        *continuations += 1;
        for prompt in prompts {
            self.record_items(merge_contextual_fragments([prompt])).await;
        }
        Ok(true)
    }

    /// Adds what hooks want the model to know, each a message of its own.
    pub(super) async fn record_contexts(&mut self, outcomes: &[HookOutcome]) {
        self.record_items(context_items(outcomes)).await;
    }

    async fn run_hooks(
        &self,
        call: HookCall,
        interrupts: &mut Interrupts,
    ) -> Result<Vec<HookOutcome>, Stop> {
        let settings = &self.surroundings.settings;
        if settings.hooks.is_empty() {
            return Ok(Vec::new());
        }
        let context = HookContext {
            session_id: self.cache_key.clone(),
            turn_id: self.turn_id.map(|it| it.to_string()),
            transcript_path: self.transcript_path.clone(),
            cwd: self.surroundings.primary_cwd(),
            model: settings.model.slug.clone(),
            approval_policy: settings.approval_policy,
        };
        let outcomes = tokio::select! {
            biased;
            () = interrupts.next() => return Err(Stop::Interrupted),
            outcomes = run_hooks(&*self.services.hooks, &settings.hooks, &context, &call) => outcomes,
        };
        for outcome in &outcomes {
            if let HookVerdict::Failed(failure) = &outcome.verdict {
                self.tell(SessionEvent::Notice(format!("{}: {failure}", outcome.run_id)));
            }
            for message in &outcome.messages {
                self.tell(SessionEvent::Notice(format!("{}: {message}", outcome.run_id)));
            }
        }
        Ok(outcomes)
    }
}

/// What hooks want the model to know, each a message of its own.
pub(super) fn context_items(outcomes: &[HookOutcome]) -> Vec<Item> {
    let fragments = outcomes
        .iter()
        .filter_map(|it| it.additional_context.clone())
        .map(|text| RenderedFragment::of(&HookAdditionalContext { text }));
    fragments.flat_map(|it| merge_contextual_fragments([it])).collect()
}

/// What a hook added, where an item is that.
fn hook_context(item: &Item) -> Option<String> {
    if *item.kinds() != [HookAdditionalContext::KIND] {
        return None;
    }
    match &*item.decoded() {
        ResponseItem::Message(message) => message.content.first()?.text().map(str::to_owned),
        _ => None,
    }
}

/// The reason of the first hook that wants the turn to end.
fn stop_wish(outcomes: &[HookOutcome]) -> Option<String> {
    outcomes.iter().find_map(|outcome| match &outcome.verdict {
        HookVerdict::StopTurn { reason } => {
            Some(reason.clone().unwrap_or_else(|| "a hook ended the turn".to_owned()))
        }
        _ => None,
    })
}
