//! When a change takes effect: the rows that need a file system which forbids or fails.
//!
//! An edited file, another directory and another trust are in `session.rs`.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use pretty_assertions::assert_eq;
use recto_core::agents_md::{AgentsMdManager, Freshness, HostInstructions};
use recto_core::environment::{
    Environment, EnvironmentId, FileContents, FileSystem, FileSystemError, FileSystemResult,
    LocalEnvironment, Metadata, StartingEnvironment, ThreadEnvironments, TurnEnvironment,
    TurnEnvironmentSelection,
};
use recto_core::session::{SettingsOverrides, Surroundings, TurnEnd};
use recto_core::testing::{Fixture, MemoryFileSystem, file_system_under_test};
use recto_protocol::{
    FileSystemAccess, FileSystemEntry, FileSystemPath, FileSystemPermissions, NetworkPermissions,
    PermissionProfile,
};

use super::scene::{Scene, Setting, clock, settings};

const REPO: &str = "
    //- repo/.git/
    //- repo/AGENTS.md = \"ROOT\\n\"
    //- repo/sub/AGENTS.md = \"SUB\\n\"
    //- cwd: repo/sub
";

/// Answers reads of one file name with an error, for as long as a test says.
#[derive(Debug)]
struct Refusing {
    inner: Arc<dyn FileSystem>,
    refusal: Mutex<Option<(PathBuf, FileSystemError)>>,
}

impl Refusing {
    fn new() -> Arc<Self> {
        Arc::new(Self { inner: file_system_under_test(), refusal: Mutex::default() })
    }

    fn refuse(&self, refusal: Option<(PathBuf, FileSystemError)>) {
        *self.refusal.lock().expect("no test panics here") = refusal;
    }
}

#[async_trait]
impl FileSystem for Refusing {
    async fn get_metadata(&self, path: &Path) -> FileSystemResult<Metadata> {
        self.inner.get_metadata(path).await
    }

    async fn read_file(&self, path: &Path, limit: u64) -> FileSystemResult<FileContents> {
        let refusal = self.refusal.lock().expect("no test panics here").clone();
        match refusal {
            Some((refused, error)) if refused == path => Err(error),
            _ => self.inner.read_file(path, limit).await,
        }
    }

    async fn read_directory(&self, path: &Path) -> FileSystemResult<Vec<OsString>> {
        self.inner.read_directory(path).await
    }

    async fn canonicalize(&self, path: &Path) -> FileSystemResult<PathBuf> {
        self.inner.canonicalize(path).await
    }
}

#[tokio::test]
async fn a_file_that_goes_while_the_selection_stands_is_still_told() {
    let mut scene = Setting::of(REPO).begin().await;
    scene.say("one").await;
    scene.remove("repo/sub/AGENTS.md");
    scene.say("two").await;
    assert_eq!(scene.last_request().matches("AGENTS.md instructions").count(), 1);
}

#[tokio::test]
async fn what_a_policy_forbids_ends_the_step_names_the_file_and_is_tried_again() {
    let files = Refusing::new();
    let mut scene = Scene::begin(Setting::of(REPO), files.clone()).await;
    scene.say("one").await;
    let path = scene.files.path("repo/AGENTS.md");
    let policy = "only /w may be read".to_owned();
    let denied = FileSystemError::Denied { path: path.clone(), policy };
    files.refuse(Some((path.clone(), denied)));
    let there = scene.to("repo");
    let TurnEnd::Failed { message, rejected, .. } = scene.give("two", there).await else {
        panic!("a turn that may not read its instructions fails");
    };
    assert_eq!(
        message,
        format!(
            "project instructions could not be read: {} may not be read: only /w may be read",
            path.display()
        )
    );
    assert_eq!(rejected.len(), 1);
    files.refuse(None);
    assert_eq!(
        scene.say("three").await,
        TurnEnd::Completed { last_message: Some("ok".to_owned()) }
    );
    assert!(scene.last_request().contains("replace all previously"), "{}", scene.last_request());
}

#[tokio::test]
async fn a_read_that_fails_costs_its_file_and_the_turn_goes_on() {
    let files = Refusing::new();
    let mut scene = Scene::begin(Setting::of(REPO), files.clone()).await;
    let failed = FileSystemError::Io {
        kind: io::ErrorKind::Other,
        message: "input/output error".to_owned(),
    };
    files.refuse(Some((scene.files.path("repo/AGENTS.md"), failed)));
    scene.say("one").await;
    for (text, cwd) in [("two", "repo"), ("three", "repo/sub")] {
        let there = scene.to(cwd);
        scene.give(text, there).await;
    }
    let request = scene.last_request();
    let last = request.lines().rev().find(|line| line.contains("AGENTS.md")).unwrap_or_default();
    assert!(last.contains("SUB") && !last.contains("ROOT⏎"), "{last}");
}

#[tokio::test]
async fn an_environment_that_comes_up_is_a_new_selection_at_the_next_step() {
    let files = Arc::new(MemoryFileSystem::default());
    files.write("/a/AGENTS.md", "A");
    files.write("/b/AGENTS.md", "B");
    let environment =
        || Arc::new(Environment { file_system: files.clone(), shell: "sh".to_owned() });
    let selection = |id: &str, cwd: &str| TurnEnvironmentSelection {
        environment_id: EnvironmentId::new(id),
        cwd: cwd.into(),
    };
    let mut environments = ThreadEnvironments::default();
    environments.push_ready(TurnEnvironment {
        selection: selection("local", "/a"),
        environment: environment(),
    });
    let (up, started) = tokio::sync::oneshot::channel();
    environments.push_starting(StartingEnvironment { selection: selection("box", "/b"), started });
    let manager = AgentsMdManager::new(HostInstructions::default(), Freshness::default());
    let mut surroundings =
        Surroundings::new(settings(), environments, manager, None, Arc::new(clock()));
    let before = surroundings.capture_step_context().await.unwrap();
    assert_eq!(before.facts.agents_md.text.as_deref(), Some("A"));
    up.send(Ok(environment())).unwrap();
    let after = surroundings.capture_step_context().await.unwrap();
    assert_eq!(
        after.facts.agents_md.text.as_deref(),
        Some("for `local` with root /a\n\nA\n\nfor `box` with root /b\n\nB")
    );
    assert_eq!(after.facts.agents_md.directory, None);
    assert_eq!(before.facts.agents_md.text.as_deref(), Some("A"), "a step never changes");
}

#[tokio::test]
async fn another_permission_profile_reads_this_machine_anew() {
    let tree = Fixture::parse("//- w/.git/\n//- w/AGENTS.md = \"W\"\n//- cwd: w\n").lay_out();
    let free = settings().permission_profile;
    let denied = FileSystemEntry {
        path: FileSystemPath::Path { path: tree.path("w/AGENTS.md") },
        access: FileSystemAccess::Deny,
    };
    let read = FileSystemEntry {
        path: FileSystemPath::Path { path: tree.root().to_owned() },
        access: FileSystemAccess::Read,
    };
    let strict = PermissionProfile::Managed {
        file_system: FileSystemPermissions::Restricted {
            entries: vec![read, denied],
            glob_scan_max_depth: None,
        },
        network: NetworkPermissions::Restricted,
    };
    let local = LocalEnvironment {
        selection: TurnEnvironmentSelection {
            environment_id: EnvironmentId::local(),
            cwd: tree.cwd(),
        },
        shell: "sh".to_owned(),
        tmpdir: None,
    };
    let mut environments = ThreadEnvironments::default();
    environments.push_local(local, &free);
    let manager = AgentsMdManager::new(HostInstructions::default(), Freshness::default());
    let mut surroundings =
        Surroundings::new(settings(), environments, manager, None, Arc::new(clock()));
    let under = |profile: &PermissionProfile| SettingsOverrides {
        permission_profile: Some(profile.clone()),
        ..SettingsOverrides::default()
    };
    assert!(surroundings.capture_step_context().await.is_ok());
    surroundings.apply(&under(&strict));
    let error = surroundings.capture_step_context().await.expect_err("the doc is denied");
    assert!(error.to_string().contains("the permission profile denies"), "{error}");
    surroundings.apply(&under(&free));
    let step = surroundings.capture_step_context().await.expect("nothing is denied any more");
    assert_eq!(step.facts.agents_md.text.as_deref(), Some("W"));
}
