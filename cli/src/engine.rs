//! From a directory and its configuration to one captured step: the same engine that runs turns.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use recto_core::agents_md::{
    AgentsMdManager, CodexHomeInstructions, Freshness, UserInstructionsProvider,
};
use recto_core::config::{self, Config, ConfigSources};
use recto_core::context::collaboration_mode::CollaborationMode;
use recto_core::context::personality_spec::Personality;
use recto_core::environment::{
    EnvironmentId, FileSystem, LocalEnvironment, LocalFileSystem, ThreadEnvironments,
    TurnEnvironmentSelection,
};
use recto_core::hooks::HookSpec;
use recto_core::model::{KnownModel, base_instructions, configured_model};
use recto_core::session::{
    Clock, EnvironmentDetail, PersonalitySetting, SessionSettings, SessionSource, SkillHome,
    StepContext, Surroundings,
};
use recto_protocol::{BaseInstructions, DynamicTools, ModelInfo, TrustLevel};
use tokio::time::timeout;

use crate::env::HostFacts;
use crate::environments::{LONGEST_WAIT, start};
use crate::error::CliError;
use crate::place::Place;

/// The machine's configuration, as Codex reads it.
const SYSTEM_CONFIG: &str = "/etc/codex/config.toml";

/// One captured step and what it stands on.
#[derive(Debug)]
pub(crate) struct Captured {
    pub(crate) step: StepContext,
    pub(crate) config: Config,
    pub(crate) model: KnownModel,
    pub(crate) base_instructions: BaseInstructions,
    pub(crate) file_system: Arc<dyn FileSystem>,
    pub(crate) codex_home: PathBuf,
    pub(crate) home: Option<PathBuf>,
}

impl Captured {
    /// The file that the base instructions were read from, if they were.
    pub(crate) fn instructions_file(&self) -> Option<&Path> {
        self.config.instructions.base_instructions.as_ref()?.file.as_deref()
    }
}

/// Runs a command's async part on this thread.
///
/// One more thread does the reads; a local disk answers no faster to many.
pub(crate) fn block_on<T>(work: impl Future<Output = Result<T, CliError>>) -> Result<T, CliError> {
    // The runtime panics where no thread can be started for the reads; whether one can is known only by trying.
    let thread = std::thread::Builder::new().spawn(|| ()).map_err(CliError::Runtime)?;
    // It has nothing to do and nothing to give.
    drop(thread.join());
    let runtime = tokio::runtime::Builder::new_current_thread()
        .max_blocking_threads(1)
        .enable_all()
        .build()
        .map_err(CliError::Runtime)?;
    runtime.block_on(work)
}

/// Reads the configuration and captures what the model would be told now.
pub(crate) async fn capture(place: &Place, host_facts: HostFacts) -> Result<Captured, CliError> {
    capture_assuming(None, place, host_facts).await
}

/// Captures what the model would be told if the person had decided so about the project.
pub(crate) async fn capture_assuming(
    trust: Option<TrustLevel>,
    place: &Place,
    host_facts: HostFacts,
) -> Result<Captured, CliError> {
    let clock = Arc::new(host_facts.now.clone());
    Ok(prepare_assuming(trust, place, host_facts, clock).await?.capture().await?.0)
}

/// Everything that a step is captured from.
#[derive(Debug)]
pub(crate) struct Prepared {
    pub(crate) surroundings: Surroundings,
    pub(crate) config: Config,
    model: KnownModel,
    file_system: Arc<dyn FileSystem>,
    codex_home: PathBuf,
    home: Option<PathBuf>,
}

impl Prepared {
    /// Captures a step; the surroundings are given back for the steps that follow.
    pub(crate) async fn capture(self) -> Result<(Captured, Surroundings), CliError> {
        let Self { mut surroundings, config, model, file_system, codex_home, home } = self;
        let step = surroundings.capture_step_context().await?;
        let base_instructions =
            base_instructions(surroundings.settings.base_instructions.as_deref(), None);
        let captured =
            Captured { step, config, model, base_instructions, file_system, codex_home, home };
        Ok((captured, surroundings))
    }
}

/// Reads the configuration and brings together what steps are captured from.
pub(crate) async fn prepare(
    place: &Place,
    host_facts: HostFacts,
    clock: Arc<dyn Clock>,
) -> Result<Prepared, CliError> {
    prepare_assuming(None, place, host_facts, clock).await
}

async fn prepare_assuming(
    trust: Option<TrustLevel>,
    place: &Place,
    host_facts: HostFacts,
    clock: Arc<dyn Clock>,
) -> Result<Prepared, CliError> {
    let file_system: Arc<dyn FileSystem> = Arc::new(LocalFileSystem);
    let HostFacts { codex_home, home, tmpdir, shell, .. } = host_facts;
    let config = config::load(&ConfigSources {
        file_system: &*file_system,
        codex_home: &codex_home,
        system_config: Some(Path::new(SYSTEM_CONFIG)),
        home: home.as_deref(),
        cwd: &place.cwd,
        overrides: &place.overrides,
        assumed_trust: trust,
    })
    .await?;
    let host = CodexHomeInstructions {
        file_system: Arc::clone(&file_system),
        codex_home: codex_home.clone(),
    };
    let manager = AgentsMdManager::new(host.user_instructions().await, Freshness::Selection);
    let mut environments = ThreadEnvironments::default();
    let selection =
        TurnEnvironmentSelection { environment_id: EnvironmentId::local(), cwd: place.cwd.clone() };
    environments
        .push_local(LocalEnvironment { selection, shell, tmpdir }, &config.permissions.profile);
    for environment in &config.environments {
        environments.push_starting(start(environment));
    }
    // Those that are not there by then are told as starting.
    let _ = timeout(LONGEST_WAIT, environments.settle()).await;
    let model = configured_model(None, &config.model);
    let settings = settings(&config, &model.info);
    let skill_home = SkillHome {
        file_system: Arc::clone(&file_system),
        codex_home: codex_home.clone(),
        user_home: home.clone(),
    };
    let surroundings = Surroundings::new(settings, environments, manager, Some(skill_home), clock);
    Ok(Prepared { surroundings, config, model, file_system, codex_home, home })
}

fn settings(config: &Config, model: &ModelInfo) -> SessionSettings {
    let Config { agents_md, instructions, permissions, skills, trust, .. } = config;
    let roots = permissions.workspace_roots.iter();
    SessionSettings {
        model: model.clone(),
        provider: config.model.provider.clone(),
        auto_compact_token_limit: config.model.auto_compact_token_limit,
        source: SessionSource::Person,
        base_instructions: instructions.base_instructions.as_ref().map(|it| it.text.clone()),
        agents_md: agents_md.clone(),
        trust: trust.level,
        developer_instructions: instructions.developer_instructions.clone(),
        workspace_roots: roots.map(|it| it.to_string_lossy().into_owned()).collect(),
        permission_profile: permissions.profile.clone(),
        approval_policy: permissions.approval_policy,
        include_permissions_instructions: instructions.include_permissions_instructions,
        environment_detail: match (
            instructions.include_environment_context,
            instructions.include_environment_context_time,
        ) {
            (false, _) => EnvironmentDetail::Nothing,
            (true, false) => EnvironmentDetail::WithoutTime,
            (true, true) => EnvironmentDetail::All,
        },
        include_skill_instructions: skills.include_instructions,
        collaboration_mode: CollaborationMode::Default,
        personality: personality(config),
        outdated_settings: Vec::new(),
        plugins: Vec::new(),
        dynamic_tools: DynamicTools::default(),
        hooks: config.hooks.iter().filter_map(HookSpec::configured).collect(),
    }
}

/// The tone that was chosen, where the feature is on.
fn personality(config: &Config) -> PersonalitySetting {
    if config.features.get("personality") != Some(&true) {
        return PersonalitySetting::Off;
    }
    PersonalitySetting::On(match config.instructions.personality {
        Some(config::Personality::Friendly) => Some(Personality::Friendly),
        Some(config::Personality::Pragmatic) => Some(Personality::Pragmatic),
        Some(config::Personality::None) | None => None,
    })
}
