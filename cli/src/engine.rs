//! From a directory and its configuration to one captured step: the same engine that runs turns.

use std::path::PathBuf;
use std::sync::Arc;

use recto_core::agents_md::{
    AgentsMdManager, CodexHomeInstructions, Freshness, UserInstructionsProvider,
};
use recto_core::config::AgentsMdConfig;
use recto_core::environment::{
    Environment, EnvironmentId, FileSystem, LocalFileSystem, ThreadEnvironments, TurnEnvironment,
    TurnEnvironmentSelection,
};
use recto_core::model::{DEFAULT_MODEL, KnownModel, base_instructions, find_model};
use recto_core::session::{Session, SessionSettings, StepContext};
use recto_protocol::{ApprovalPolicy, BaseInstructions, PermissionProfile, TrustLevel};

use crate::env::Surroundings;
use crate::error::CliError;
use crate::place::Place;

/// One captured step and what it stands on.
#[derive(Debug)]
pub(crate) struct Captured {
    pub(crate) step: StepContext,
    pub(crate) agents_md: AgentsMdConfig,
    pub(crate) config: ConfigReport,
    pub(crate) model: KnownModel,
    pub(crate) base_instructions: BaseInstructions,
    pub(crate) file_system: Arc<dyn FileSystem>,
    pub(crate) codex_home: PathBuf,
    pub(crate) home: Option<PathBuf>,
}

/// What the configuration is to those who look at it.
#[derive(Debug)]
pub(crate) struct ConfigReport {
    pub(crate) files: Vec<ConfigFile>,
    pub(crate) warnings: Vec<String>,
    pub(crate) trust: Trust,
    /// The file that the base instructions were read from.
    pub(crate) instructions_file: Option<PathBuf>,
}

/// A configuration file that is there.
#[derive(Debug)]
pub(crate) struct ConfigFile {
    pub(crate) path: PathBuf,
    /// Why its settings do not count; none where they do.
    pub(crate) ignored: Option<String>,
}

/// Whether the project is trusted, and who says so.
#[derive(Debug)]
pub(crate) struct Trust {
    pub(crate) level: Option<TrustLevel>,
    /// The key of `projects` that decided.
    pub(crate) key: Option<PathBuf>,
    /// The file or option that the key stands in.
    pub(crate) source: Option<String>,
}

/// Runs a command's async part on this thread; nothing of it needs timers or sockets.
pub(crate) fn block_on<T>(work: impl Future<Output = Result<T, CliError>>) -> Result<T, CliError> {
    let runtime =
        tokio::runtime::Builder::new_current_thread().build().map_err(CliError::Runtime)?;
    runtime.block_on(work)
}

/// Reads the configuration and captures what the model would be told now.
pub(crate) async fn capture(
    place: &Place,
    surroundings: Surroundings,
) -> Result<Captured, CliError> {
    let file_system: Arc<dyn FileSystem> = Arc::new(LocalFileSystem);
    let Surroundings { codex_home, home, shell, now } = surroundings;
    let settings = SessionSettings {
        agents_md: AgentsMdConfig::default(),
        trust: None,
        developer_instructions: None,
        workspace_roots: vec![place.cwd.to_string_lossy().into_owned()],
        permission_profile: PermissionProfile::Disabled,
        approval_policy: ApprovalPolicy::OnRequest,
        include_permissions_instructions: true,
        include_environment_context: true,
    };
    let agents_md = settings.agents_md.clone();
    let host = CodexHomeInstructions {
        file_system: Arc::clone(&file_system),
        codex_home: codex_home.clone(),
    };
    let manager = AgentsMdManager::new(host.user_instructions().await, Freshness::Selection);
    let environments = local_environment(place, Arc::clone(&file_system), shell);
    let mut session = Session::new(settings, environments, manager, Arc::new(now));
    Ok(Captured {
        step: session.capture_step_context().await?,
        agents_md,
        config: ConfigReport {
            files: Vec::new(),
            warnings: Vec::new(),
            instructions_file: None,
            trust: Trust { level: None, key: None, source: None },
        },
        model: find_model(DEFAULT_MODEL),
        base_instructions: base_instructions(None, None),
        file_system,
        codex_home,
        home,
    })
}

fn local_environment(
    place: &Place,
    file_system: Arc<dyn FileSystem>,
    shell: String,
) -> ThreadEnvironments {
    let mut environments = ThreadEnvironments::default();
    environments.push_ready(TurnEnvironment {
        selection: TurnEnvironmentSelection {
            environment_id: EnvironmentId::local(),
            cwd: place.cwd.clone(),
        },
        environment: Arc::new(Environment { file_system, shell }),
    });
    environments
}
