//! Keeps loaded instructions for as long as the selection they belong to stands.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use futures_util::future::try_join_all;
use recto_protocol::TrustLevel;

use super::discovery::{Probe, look};
use super::document::{HostInstructions, LoadedAgentsMd};
use super::load::load_project_docs;
use crate::config::AgentsMdConfig;
use crate::environment::{
    FileSystemError, TurnEnvironment, TurnEnvironmentSelection, TurnEnvironmentSnapshot,
};

/// When loaded instructions are looked at again.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Freshness {
    /// When the selection, its configuration or the trust in it changes; as the reference does.
    #[default]
    Selection,
    /// Also when a candidate of the chain looks otherwise than when it was read: one look a step.
    Stat,
}

/// A read that a sandbox policy forbids; the step that asked for it stops.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("project instructions could not be read: {0}")]
pub struct AgentsMdError(#[from] pub FileSystemError);

/// What instructions are wanted for.
#[derive(Debug, Clone, Copy)]
pub struct AgentsMdRequest<'a> {
    /// The environments; those that still start are no part of the question.
    pub environments: &'a TurnEnvironmentSnapshot,
    /// How to look.
    pub config: &'a AgentsMdConfig,
    /// The trust in the project.
    pub trust: Option<TrustLevel>,
}

/// Holds the host's instructions and the project docs of the selection that stands.
///
/// Invariants: selection, trust and documents are replaced together; no lock is held while something is read; an
/// error leaves nothing behind.
#[derive(Debug)]
pub struct AgentsMdManager {
    host: HostInstructions,
    freshness: Freshness,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// Counts the requests; only the newest may clear or fill the cache.
    newest: u64,
    cached: Option<Cached>,
}

#[derive(Debug, Clone)]
struct Cached {
    key: Key,
    loaded: Arc<LoadedAgentsMd>,
    /// What was seen of each environment's candidates.
    probes: Arc<[Vec<Probe>]>,
}

/// Equal keys mean that the same files would be read.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Key {
    selections: Vec<TurnEnvironmentSelection>,
    config: AgentsMdConfig,
    trust: Option<TrustLevel>,
}

impl AgentsMdManager {
    /// Takes the host's instructions for the life of a session; a blank text counts as none.
    pub fn new(mut host: HostInstructions, freshness: Freshness) -> Self {
        host.entry = host.entry.filter(|entry| !entry.text.trim().is_empty());
        Self { host, freshness, state: Mutex::default() }
    }

    /// The instructions for a selection; read only where those at hand do not serve.
    ///
    /// Of two calls at once the later one decides what [`get_loaded`](Self::get_loaded) gives, whichever ends last.
    pub async fn refresh(
        &self,
        request: AgentsMdRequest<'_>,
    ) -> Result<Arc<LoadedAgentsMd>, AgentsMdError> {
        let key = Key {
            selections: request.environments.to_selections(),
            config: request.config.clone(),
            trust: request.trust,
        };
        let (ticket, cached) = self.begin_request();
        if let Some(cached) = cached.filter(|cached| cached.key == key)
            && self.is_fresh(&cached, &request.environments.ready).await
        {
            return Ok(cached.loaded);
        }
        self.update_cache(ticket, None);
        let projects = try_join_all(
            request
                .environments
                .ready
                .iter()
                .map(|it| load_project_docs(it, request.config, request.trust)),
        )
        .await?;
        let (projects, probes): (Vec<_>, Vec<_>) =
            projects.into_iter().map(|it| (it.docs, it.probes)).unzip();
        let loaded = Arc::new(LoadedAgentsMd { host: self.host.clone(), projects });
        let cached = Cached { key, loaded: Arc::clone(&loaded), probes: probes.into() };
        self.update_cache(ticket, Some(cached));
        Ok(loaded)
    }

    /// What stands now; none before the first load, while one runs, and after an error.
    pub fn get_loaded(&self) -> Option<Arc<LoadedAgentsMd>> {
        self.state().cached.as_ref().map(|cached| Arc::clone(&cached.loaded))
    }

    /// Forgets what stands, and what is being read; the next refresh reads.
    pub fn invalidate(&self) {
        let (ticket, _) = self.begin_request();
        self.update_cache(ticket, None);
    }

    /// Makes every request before this one an old one; gives what stands.
    fn begin_request(&self) -> (u64, Option<Cached>) {
        let mut state = self.state();
        state.newest += 1;
        (state.newest, state.cached.clone())
    }

    /// Changes what stands, unless a newer request has its say.
    fn update_cache(&self, ticket: u64, cached: Option<Cached>) {
        let mut state = self.state();
        if state.newest == ticket {
            state.cached = cached;
        }
    }

    async fn is_fresh(&self, cached: &Cached, environments: &[TurnEnvironment]) -> bool {
        if self.freshness == Freshness::Selection {
            return true;
        }
        let looks =
            environments.iter().zip(cached.probes.iter()).map(|(environment, seen)| async move {
                let paths = seen.iter().map(|probe| probe.path.clone()).collect();
                let now = look(&*environment.environment.file_system, paths).await?;
                Ok::<bool, FileSystemError>(now == *seen)
            });
        try_join_all(looks).await.is_ok_and(|same| same.into_iter().all(|it| it))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
