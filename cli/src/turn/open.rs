//! Brings a session together: a new one, or a recorded one that goes on.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use recto_core::environment::{FileKind, FileSystem, FileSystemError, LocalFileSystem};
use recto_core::history::Audience;
use recto_core::hooks::LocalHookRunner;
use recto_core::rollout::{
    Mended, NewRollout, RecorderSettings, ReplayedSession, RolloutChain, RolloutRecorder,
    continues_in_place,
};
use recto_core::session::{
    Session, SessionEvent, SessionParts, SessionServices, SessionSettings, SessionState,
};
use recto_core::tools::mcp::{McpEvent, McpTools};
use recto_protocol::{ApprovalPolicy, DynamicTools, ThreadId, TokenUsage};
use tokio::sync::mpsc::UnboundedReceiver;

use super::ids::{TimedIds, thread_id};
use super::servants::Servants;
use super::view::Head;
use crate::engine::{self, Prepared};
use crate::env::{HostFacts, SystemClock};
use crate::error::CliError;
use crate::place::Place;
use crate::turn_error::TurnError;
use crate::view::diagnostics;

/// The program's use, as records say it.
const SOURCE: &str = "exec";

/// Which session runs.
#[derive(Debug)]
pub(crate) enum Start {
    /// A new one.
    New,
    /// A recorded one.
    Recorded {
        /// Its files.
        chain: RolloutChain,
        /// The last of them.
        path: PathBuf,
        /// Whether it goes on in its own file wherever that lies.
        in_place: bool,
    },
}

/// A session that is ready for its turn.
#[derive(Debug)]
pub(super) struct Opened {
    pub(super) session: Session,
    pub(super) events: UnboundedReceiver<SessionEvent>,
    pub(super) recorder: Arc<RolloutRecorder>,
    pub(super) tools: Arc<McpTools>,
    pub(super) tool_events: UnboundedReceiver<McpEvent>,
    pub(super) head: Head,
    /// What the person should know.
    pub(super) warnings: Vec<String>,
    /// What the session has cost before.
    pub(super) spent: TokenUsage,
}

/// Brings a session together; what can go wrong goes wrong before anything is recorded.
pub(super) async fn open(
    start: Start,
    place: &Place,
    host: HostFacts,
    allow_tools: &[String],
) -> Result<Opened, CliError> {
    check_directory(place, matches!(start, Start::Recorded { .. })).await?;
    let homes = Homes { codex: host.codex_home.clone(), own: host.recto_home.clone() };
    let mut prepared: Prepared = engine::prepare(place, host, Arc::new(SystemClock)).await?;
    let servants = Servants::start(&prepared.config, &place.cwd, allow_tools)?;
    let Servants { sampler, tools, events: mut tool_events } = servants;
    // Nobody is there to be asked, whatever is configured.
    prepared.surroundings.settings.approval_policy = ApprovalPolicy::Never;
    let (captured, surroundings) = prepared.capture().await?;
    let mut warnings: Vec<String> =
        diagnostics::collect(&captured, place).await.iter().map(ToString::to_string).collect();
    let settings = surroundings.settings.clone();
    tools.ready().await.map_err(TurnError::from)?;
    while let Ok(event) = tool_events.try_recv() {
        warnings.push(event.to_string());
    }
    let begun = begin(start, place, &homes, &settings).await?;
    warnings.extend(begun.warning);
    let recorder = Arc::new(begun.recorder);
    let audience = Audience::new(&settings.model, settings.provider.as_str());
    let parts = SessionParts {
        surroundings,
        services: SessionServices {
            sampler,
            tools: tools.clone(),
            hooks: Arc::new(LocalHookRunner),
            recorder: recorder.clone(),
            ids: Arc::new(TimedIds),
        },
        state: begun.past.as_ref().map(|past| SessionState::resumed(past, &audience)),
        cache_key: begun.thread_id.to_string(),
        transcript_path: Some(recorder.path().to_owned()),
        thread_names: None,
    };
    let (session, events) = Session::new(parts).await?;
    let head = Head {
        thread_id: begun.thread_id.to_string(),
        cwd: place.cwd.display().to_string(),
        model: settings.model.slug,
        provider: settings.provider,
        forked_from: begun.forked_from,
    };
    let spent = begun.past.map(|past| past.thread_usage).unwrap_or_default();
    Ok(Opened { session, events, recorder, tools, tool_events, head, warnings, spent })
}

/// Where sessions are recorded.
struct Homes {
    codex: PathBuf,
    own: PathBuf,
}

impl Homes {
    /// The home that a file lies in.
    fn of(&self, file: &Path) -> Option<&Path> {
        [&self.own, &self.codex]
            .into_iter()
            .map(PathBuf::as_path)
            .find(|home| file.starts_with(home))
    }
}

/// A recorder, and what was recorded before.
struct Begun {
    recorder: RolloutRecorder,
    thread_id: ThreadId,
    past: Option<ReplayedSession>,
    forked_from: Option<String>,
    warning: Option<String>,
}

async fn begin(
    start: Start,
    place: &Place,
    homes: &Homes,
    settings: &SessionSettings,
) -> Result<Begun, CliError> {
    let (clock, how) = (Arc::new(SystemClock), RecorderSettings::default());
    let new = |base_instructions| NewRollout {
        thread_id: thread_id(),
        start: SystemClock::session_start(),
        cwd: place.cwd.to_string_lossy().into_owned(),
        cli_version: env!("CARGO_PKG_VERSION").to_owned(),
        source: SOURCE.to_owned(),
        model_provider: settings.provider.clone(),
        base_instructions,
        dynamic_tools: DynamicTools::default(),
    };
    match start {
        Start::New => {
            let new = new(Some(settings.recorded_instructions()));
            let recorder = RolloutRecorder::create(&homes.own, &new, how, clock);
            Ok(Begun {
                recorder,
                thread_id: new.thread_id,
                past: None,
                forked_from: None,
                warning: None,
            })
        }
        Start::Recorded { chain, path, in_place }
            if continues_in_place(&path, &homes.own, in_place) =>
        {
            let resumed = RolloutRecorder::resume(&chain, homes.of(&path), how, clock);
            let resumed = resumed.await.map_err(TurnError::from)?;
            Ok(Begun {
                recorder: resumed.recorder,
                thread_id: resumed.thread_id,
                past: Some(resumed.session),
                forked_from: None,
                warning: resumed.mended.map(|mended| told(&mended, &path)),
            })
        }
        Start::Recorded { chain, .. } => {
            let is_configured = settings.base_instructions.is_some();
            let new = new(is_configured.then(|| settings.recorded_instructions()));
            let forked = RolloutRecorder::fork(&chain, &homes.own, &new, how, clock);
            let (past, recorder) = forked.await.map_err(TurnError::from)?;
            Ok(Begun {
                recorder,
                thread_id: new.thread_id,
                forked_from: past.meta.forked_from_id.clone(),
                past: Some(past),
                warning: None,
            })
        }
    }
}

/// What had to be changed at the end of a file before it could go on.
fn told(mended: &Mended, file: &Path) -> String {
    let name = file.display();
    match &mended.kept_in {
        Some(kept) => format!(
            "{name} ended in the middle of a record; its {} torn bytes are in {}",
            mended.torn.len(),
            kept.display()
        ),
        None => format!("{name} did not end with a line end; it does now"),
    }
}

/// A turn needs a directory to work in.
async fn check_directory(place: &Place, is_recorded: bool) -> Result<(), TurnError> {
    let problem = match LocalFileSystem.get_metadata(&place.cwd).await {
        Ok(metadata) if metadata.kind == FileKind::Directory => return Ok(()),
        Ok(metadata) => format!("is {}", metadata.kind),
        Err(FileSystemError::NotFound) => "does not exist".to_owned(),
        Err(error) => format!("cannot be looked at: {error}"),
    };
    Err(TurnError::Directory { path: place.cwd.clone(), problem, is_recorded })
}
