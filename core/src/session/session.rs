//! A session: its settings, its state, and those who serve it.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use async_trait::async_trait;

use recto_protocol::{BaseInstructions, Item, Prompt, TurnId};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use super::clock::IdSource;
use super::event::SessionEvent;
use super::inputs::SessionHandle;
use super::settings::{SessionSettings, SettingsOverrides};
use super::state::SessionState;
use super::step::{StepContext, Surroundings};
use crate::agents_md::AgentsMdError;
use crate::context::{ContextFragment, RenderedFragment};
use crate::environment::EnvironmentFailure;
use crate::history::{Audience, RollbackError, merge_contextual_fragments};
use crate::hooks::{HookRunner, SessionStartSource};
use crate::model::{Sampler, base_instructions};
use crate::rollout::{RolloutEntry, SessionRecorder};
use crate::tools::ToolHandler;

/// Who serves a session.
#[derive(Debug, Clone)]
pub struct SessionServices {
    /// Answers prompts.
    pub sampler: Arc<dyn Sampler>,
    /// Runs the model's calls.
    pub tools: Arc<dyn ToolHandler>,
    /// Runs the person's hooks.
    pub hooks: Arc<dyn HookRunner>,
    /// Takes what is recorded.
    pub recorder: Arc<dyn SessionRecorder>,
    /// Makes names.
    pub ids: Arc<dyn IdSource>,
}

/// Knows the names that people gave their conversations.
#[async_trait]
pub trait ThreadNames: fmt::Debug + Send + Sync {
    /// The name of the conversation with this key.
    async fn thread_name(&self, cache_key: &str) -> Option<String>;
}

/// What a session is built from.
#[derive(Debug)]
pub struct SessionParts {
    /// What it captures from.
    pub surroundings: Surroundings,
    /// Who serves it.
    pub services: SessionServices,
    /// What the conversation has come to; none for a new one.
    pub state: Option<SessionState>,
    /// Under which key the provider caches the prefix: the thread's id.
    pub cache_key: String,
    /// The file that records the session, for hooks; none where there is no file.
    pub transcript_path: Option<PathBuf>,
    /// Who knows the conversation's name; none where nobody names conversations.
    pub thread_names: Option<Arc<dyn ThreadNames>>,
}

/// One conversation.
///
/// It is driven by one task; everybody else speaks to it through its [`SessionHandle`].
#[derive(Debug)]
pub struct Session {
    pub(super) surroundings: Surroundings,
    pub(super) services: SessionServices,
    pub(super) state: SessionState,
    pub(super) handle: SessionHandle,
    pub(super) cache_key: String,
    pub(super) transcript_path: Option<PathBuf>,
    thread_name: Option<String>,
    /// The turn that runs.
    pub(super) turn_id: Option<TurnId>,
    /// Whether the record does not say yet that a program took the session up.
    pub(super) is_unmarked: bool,
    /// In what way the session starts; none once its hooks were told.
    pub(super) start: Option<SessionStartSource>,
    /// Environments that the person knows are not there.
    pub(super) told_failures: Vec<EnvironmentFailure>,
    events: UnboundedSender<SessionEvent>,
}

impl Session {
    /// Builds a session: instructions and skills are read while its name is looked up. What happens in it comes out of
    /// the receiver.
    ///
    /// A read that a sandbox policy forbids is an error that names the file, and there is no session.
    pub async fn new(
        parts: SessionParts,
    ) -> Result<(Self, UnboundedReceiver<SessionEvent>), AgentsMdError> {
        let (events, receiver) = unbounded_channel();
        let audience = audience(&parts.surroundings.settings);
        let start = match parts.state {
            Some(_) => SessionStartSource::Resume,
            None => SessionStartSource::Startup,
        };
        let mut state = parts.state.unwrap_or_else(|| SessionState::new(audience.clone()));
        state.history.set_audience(&audience);
        let mut session = Self {
            surroundings: parts.surroundings,
            services: parts.services,
            state,
            handle: SessionHandle::new(),
            cache_key: parts.cache_key,
            transcript_path: parts.transcript_path,
            thread_name: None,
            turn_id: None,
            is_unmarked: true,
            start: Some(start),
            told_failures: Vec::new(),
            events,
        };
        let thread_name = async {
            match &parts.thread_names {
                Some(names) => names.thread_name(&session.cache_key).await,
                None => None,
            }
        };
        let (captured, thread_name) =
            tokio::join!(session.surroundings.capture_step_context(), thread_name);
        captured?;
        session.thread_name = thread_name;
        session.tell_hidden_tools();
        Ok((session, receiver))
    }

    /// The way to give the session input, from anywhere.
    pub fn handle(&self) -> SessionHandle {
        self.handle.clone()
    }

    /// The name that somebody gave the conversation.
    pub fn thread_name(&self) -> Option<&str> {
        self.thread_name.as_deref()
    }

    /// What the conversation has come to.
    pub fn state(&self) -> &SessionState {
        &self.state
    }

    /// The base instructions that requests carry.
    pub fn base_instructions(&self) -> BaseInstructions {
        let recorded = self.state.base_instructions.as_deref();
        base_instructions(self.surroundings.settings.base_instructions.as_deref(), recorded)
    }

    /// Captures what a step would capture now, without telling it.
    pub async fn capture(&mut self) -> Result<StepContext, AgentsMdError> {
        self.surroundings.capture_step_context().await
    }

    /// What the next request would say.
    pub fn prompt(&self) -> Prompt {
        let history = &self.state.history;
        history.for_prompt(self.base_instructions(), self.tool_definitions(), history.audience())
    }

    /// Adds a fragment to the conversation between two turns, without asking the model; for what the person did beside
    /// it. It counts to the turn before.
    pub async fn add_fragment(&mut self, fragment: &impl ContextFragment) {
        let items = merge_contextual_fragments([RenderedFragment::of(fragment)]);
        self.record_items(items).await;
    }

    /// Takes the last turns back: the conversation and what the model was told stand as before them.
    pub async fn roll_back(&mut self, turns: usize) -> Result<(), RollbackError> {
        self.state.roll_back(turns)?;
        let turns = u32::try_from(turns).unwrap_or(u32::MAX);
        self.record_entries(vec![RolloutEntry::RolledBack { turns }]).await;
        Ok(())
    }

    /// Who reads the next request.
    pub(super) fn audience(&self) -> Audience {
        audience(&self.surroundings.settings)
    }

    /// Changes settings before a turn's context is built.
    pub(super) fn apply(&mut self, overrides: &SettingsOverrides) {
        self.surroundings.apply(overrides);
        let audience = self.audience();
        self.state.history.set_audience(&audience);
    }

    /// Adds items to the conversation and records them.
    pub(super) async fn record_items(&mut self, items: Vec<Item>) {
        let entries = self.add_items(items);
        self.record_entries(entries).await;
    }

    /// Adds items to the conversation; gives what is to be recorded of them.
    pub(super) fn add_items(&mut self, items: Vec<Item>) -> Vec<RolloutEntry> {
        self.state.history.record(items.iter().cloned());
        for item in &items {
            self.tell(SessionEvent::ItemRecorded(item.clone()));
        }
        items.into_iter().map(RolloutEntry::Item).collect()
    }

    /// Records entries; what fails is told, kept by the recorder and written again with the next ones.
    pub(super) async fn record_entries(&self, entries: Vec<RolloutEntry>) {
        if entries.is_empty() {
            return;
        }
        if let Err(error) = self.services.recorder.record(entries).await {
            self.tell(SessionEvent::NotRecorded(error));
        }
    }

    /// Tells the program that runs the session; whether it listens is its own affair.
    pub(super) fn tell(&self, event: SessionEvent) {
        let _ = self.events.send(event);
    }
}

fn audience(settings: &SessionSettings) -> Audience {
    Audience::new(&settings.model, settings.provider.as_str())
}
