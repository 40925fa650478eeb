//! How a session comes to be: what is read meanwhile, and what keeps it from being.

use std::ffi::OsString;
use std::path::Path;
use std::sync::Arc;

use async_trait::async_trait;
use pretty_assertions::assert_eq;
use recto_core::agents_md::{AgentsMdManager, Freshness, HostInstructions};
use recto_core::environment::{
    Environment, EnvironmentId, FileContents, FileSystem, FileSystemError, FileSystemResult,
    Metadata, StartingEnvironment, ThreadEnvironments, TurnEnvironmentSelection,
};
use recto_core::session::{
    Session, SessionParts, SessionServices, SkillHome, Surroundings, ThreadNames,
};
use recto_core::testing::{
    CountedIds, MemoryFileSystem, MemoryRecorder, ScriptedHookRunner, ScriptedSampler,
    ScriptedTools,
};
use tokio::sync::Barrier;

use super::scene::{Place, clock, settings};
use super::support::Faulty;

fn parts(surroundings: Surroundings, thread_names: Option<Arc<dyn ThreadNames>>) -> SessionParts {
    SessionParts {
        surroundings,
        services: SessionServices {
            sampler: Arc::new(ScriptedSampler::default()),
            tools: Arc::new(ScriptedTools::default()),
            hooks: Arc::new(ScriptedHookRunner::default()),
            recorder: Arc::new(MemoryRecorder::default()),
            ids: Arc::new(CountedIds::default()),
        },
        state: None,
        cache_key: "thread".to_owned(),
        transcript_path: None,
        thread_names,
    }
}

fn place(file_system: Arc<dyn FileSystem>) -> Place {
    Place { file_system, codex_home: "/home/.codex".into(), cwd: "/w".into() }
}

/// Where instructions, skills and the name of the thread are asked for; nobody goes on before all three came.
#[derive(Debug)]
struct Meeting {
    files: MemoryFileSystem,
    all: Barrier,
}

#[async_trait]
impl FileSystem for Meeting {
    async fn get_metadata(&self, path: &Path) -> FileSystemResult<Metadata> {
        self.files.get_metadata(path).await
    }

    async fn read_file(&self, path: &Path, limit: u64) -> FileSystemResult<FileContents> {
        if path == Path::new("/w/AGENTS.md") {
            self.all.wait().await;
        }
        self.files.read_file(path, limit).await
    }

    async fn read_directory(&self, path: &Path) -> FileSystemResult<Vec<OsString>> {
        if path == Path::new("/home/.codex/skills") {
            self.all.wait().await;
        }
        self.files.read_directory(path).await
    }

    async fn canonicalize(&self, path: &Path) -> FileSystemResult<std::path::PathBuf> {
        self.files.canonicalize(path).await
    }
}

#[async_trait]
impl ThreadNames for Meeting {
    async fn thread_name(&self, cache_key: &str) -> Option<String> {
        self.all.wait().await;
        Some(format!("the name of {cache_key}"))
    }
}

#[tokio::test]
async fn instructions_skills_and_the_name_are_looked_up_side_by_side() {
    let files = MemoryFileSystem::default();
    files.write("/w/AGENTS.md", "TEXT");
    files.write("/home/.codex/skills/greet/SKILL.md", "---\nname: greet\ndescription: d\n---\n");
    let meeting = Arc::new(Meeting { files, all: Barrier::new(3) });
    let surroundings = place(meeting.clone())
        .surroundings(settings(), Freshness::Selection, Arc::new(clock()))
        .await;
    let (mut session, _events) = Session::new(parts(surroundings, Some(meeting))).await.unwrap();
    assert_eq!(session.thread_name(), Some("the name of thread"));
    // What was read is there: who asked again would wait for ever.
    let step = session.capture().await.unwrap();
    assert_eq!(step.facts.agents_md.text.as_deref(), Some("TEXT"));
    assert_eq!(step.skills.skills.len(), 1);
}

#[tokio::test]
async fn a_read_that_a_policy_forbids_leaves_no_session_and_names_the_file() {
    let files = MemoryFileSystem::default();
    files.write("/w/AGENTS.md", "TEXT");
    let denied = FileSystemError::Denied {
        path: "/w/AGENTS.md".into(),
        policy: "only /t may be read".to_owned(),
    };
    let files = Faulty::over(Arc::new(files), "/w/AGENTS.md".into(), denied);
    let surroundings = place(Arc::new(files))
        .surroundings(settings(), Freshness::Selection, Arc::new(clock()))
        .await;
    let error = Session::new(parts(surroundings, None)).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "project instructions could not be read: /w/AGENTS.md may not be read: only /t may be read"
    );
}

#[tokio::test]
async fn an_environment_that_came_up_meanwhile_is_there_from_the_start() {
    let files = Arc::new(MemoryFileSystem::default());
    files.write("/b/AGENTS.md", "B");
    let mut environments = ThreadEnvironments::default();
    let (up, started) = tokio::sync::oneshot::channel();
    let selection =
        TurnEnvironmentSelection { environment_id: EnvironmentId::new("box"), cwd: "/b".into() };
    environments.push_starting(StartingEnvironment { selection, started });
    let environment = Environment { file_system: files.clone(), shell: "sh".to_owned() };
    up.send(Ok(Arc::new(environment))).expect("somebody waits for it");
    let manager = AgentsMdManager::new(HostInstructions::default(), Freshness::default());
    let home = SkillHome { file_system: files, codex_home: "/home/.codex".into(), user_home: None };
    let surroundings =
        Surroundings::new(settings(), environments, manager, Some(home), Arc::new(clock()));
    let (mut session, _events) = Session::new(parts(surroundings, None)).await.unwrap();
    assert_eq!(session.thread_name(), None);
    let step = session.capture().await.unwrap();
    assert_eq!(step.environments.ready.len(), 1);
    assert_eq!(step.facts.agents_md.text.as_deref(), Some("B"));
}
