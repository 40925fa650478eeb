//! Our side of a sequence: the engine in this process, built anew for every turn as a resume does it.

use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use async_trait::async_trait;
use libtest_mimic::Failed;
use recto_core::agents_md::{
    AgentsMdManager, CodexHomeInstructions, Freshness, UserInstructionsProvider,
};
use recto_core::config::{self, ConfigSources};
use recto_core::environment::{
    Environment, EnvironmentId, FileSystem, LocalFileSystem, ThreadEnvironments, TurnEnvironment,
    TurnEnvironmentSelection,
};
use recto_core::model::find_model;
use recto_core::rollout::RolloutEntry;
use recto_core::session::{
    LocalTime, Session, SessionParts, SessionServices, SessionSettings, SessionState, SkillHome,
    Surroundings, TurnInput, UserInput,
};
use recto_core::testing::{
    CountedIds, FixtureDirectory, MemoryRecorder, Reply, ScriptedHookRunner, ScriptedSampler,
};
use recto_core::tools::{NoTools, ToolCall, ToolDefinition, ToolHandler};
use recto_protocol::{ApprovalPolicy, OutputPayload};
use serde_json::{Value, json};

use super::outputs::Outputs;
use super::steps::{Calls, Place, Turn};
use super::view::Told;

pub(super) struct Ours {
    state: Option<SessionState>,
}

impl Ours {
    pub(super) fn new(_tree: &FixtureDirectory) -> Self {
        Self { state: None }
    }

    /// Runs a turn and gives what the model was told in it.
    pub(super) async fn turn(
        &mut self,
        place: &Place,
        turn: &Turn,
        outputs: Outputs,
        tree: &FixtureDirectory,
    ) -> Result<Told, Failed> {
        let script = turn.replies.iter().map(|reply| {
            let items = reply.items.iter().cloned().map(Reply::Item);
            items.chain([Reply::Usage(reply.tokens)]).collect()
        });
        let model = Arc::new(ScriptedSampler::new(script));
        let recorder = Arc::new(MemoryRecorder::default());
        let calls = Arc::new(CallsThatNeverEnd::default());
        let tools: Arc<dyn ToolHandler> = match turn.calls {
            Calls::Refused => Arc::new(NoTools),
            Calls::Run => Arc::new(outputs),
            Calls::Killed => calls.clone(),
        };
        let services = SessionServices {
            sampler: model.clone(),
            tools,
            hooks: Arc::new(ScriptedHookRunner::default()),
            recorder: recorder.clone(),
            ids: Arc::new(CountedIds::default()),
        };
        let surroundings = surroundings(place, tree).await?;
        let parts = SessionParts {
            surroundings,
            services,
            state: self.state.take(),
            cache_key: "thread".to_owned(),
            transcript_path: None,
            thread_names: None,
        };
        let (mut session, _events) = Session::new(parts).await?;
        let input = TurnInput { input: UserInput::text(&turn.text), ..TurnInput::default() };
        if turn.calls == Calls::Killed {
            tokio::select! {
                _ = session.run(input) => return Err("the call ended".into()),
                () = calls.0.notified() => {}
            }
        } else {
            session.run(input).await;
        }
        self.state = Some(session.state().clone());
        let requests: Vec<Vec<Value>> = model
            .requests()
            .iter()
            .map(|request| serde_json::from_str(&request.input).unwrap_or_default())
            .collect();
        let states: Vec<Value> = recorder
            .entries()
            .into_iter()
            .filter_map(|entry| match entry {
                RolloutEntry::WorldState { full, state } => {
                    Some(json!({"full": full, "state": state}))
                }
                _ => None,
            })
            .collect();
        Ok(Told::new(&requests, &states))
    }
}

/// What the command line would capture from, with the settings of this turn.
async fn surroundings(place: &Place, tree: &FixtureDirectory) -> Result<Surroundings, Failed> {
    let file_system: Arc<dyn FileSystem> = Arc::new(LocalFileSystem);
    let overrides: Vec<String> = place.settings.iter().map(|it| (*it).to_owned()).collect();
    let codex_home = tree.codex_home();
    let user_home = tree.path("user");
    let config = config::load(&ConfigSources {
        file_system: &*file_system,
        codex_home: &codex_home,
        system_config: None,
        home: Some(&user_home),
        cwd: &place.cwd,
        overrides: &overrides,
        assumed_trust: None,
    })
    .await?;
    let host = CodexHomeInstructions {
        file_system: Arc::clone(&file_system),
        codex_home: codex_home.clone(),
    };
    let (now, shell) = here_and_now(place, tree)?;
    let mut environments = ThreadEnvironments::default();
    environments.push_ready(TurnEnvironment {
        selection: TurnEnvironmentSelection {
            environment_id: EnvironmentId::local(),
            cwd: place.cwd.clone(),
        },
        environment: Arc::new(Environment { file_system: Arc::clone(&file_system), shell }),
    });
    let roots = config.permissions.workspace_roots.iter();
    let settings = SessionSettings {
        auto_compact_token_limit: config.model.auto_compact_token_limit,
        agents_md: config.agents_md.clone(),
        trust: config.trust.level,
        developer_instructions: config.instructions.developer_instructions.clone(),
        workspace_roots: roots.map(|it| it.to_string_lossy().into_owned()).collect(),
        permission_profile: config.permissions.profile.clone(),
        // `codex exec` asks nobody, whatever is configured.
        approval_policy: ApprovalPolicy::Never,
        ..SessionSettings::undecided(find_model("gpt-5.5").info, "local")
    };
    let manager = AgentsMdManager::new(host.user_instructions().await, Freshness::Selection);
    let skill_home = SkillHome { file_system, codex_home, user_home: Some(user_home) };
    Ok(Surroundings::new(settings, environments, manager, Some(skill_home), Arc::new(now)))
}

/// Day, time zone and shell, as the command line finds them.
fn here_and_now(place: &Place, tree: &FixtureDirectory) -> Result<(LocalTime, String), Failed> {
    let output = Command::new(env!("CARGO_BIN_EXE_recto"))
        .args(["prompt", "--format", "input"])
        .current_dir(Path::new("/"))
        .env_clear()
        .env("TZ", place.time_zone)
        .env("CODEX_HOME", tree.codex_home())
        .output()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let element = |name: &str| {
        let (_, rest) = text.split_once(&format!("<{name}>"))?;
        rest.split_once(&format!("</{name}>")).map(|(value, _)| value.to_owned())
    };
    let date = element("current_date").ok_or("no date")?;
    let timezone = element("timezone").ok_or("no time zone")?;
    let shell = element("shell").ok_or("no shell")?;
    Ok((LocalTime { date, timezone }, shell))
}

/// Tools whose calls never end.
#[derive(Debug, Default)]
struct CallsThatNeverEnd(tokio::sync::Notify);

#[async_trait]
impl ToolHandler for CallsThatNeverEnd {
    fn definitions(&self) -> Vec<ToolDefinition> {
        Vec::new()
    }

    async fn call(&self, _call: &ToolCall) -> OutputPayload {
        self.0.notify_one();
        std::future::pending().await
    }
}
