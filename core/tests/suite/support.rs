//! What the tests of discovery and of the first prompt share.

use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use pretty_assertions::assert_eq;
use recto_core::agents_md::{
    AgentsMdError, AgentsMdManager, AgentsMdRequest, CandidateOutcome, CodexHomeInstructions,
    Freshness, LoadedAgentsMd, UserInstructionsProvider,
};
use recto_core::config::AgentsMdConfig;
use recto_core::environment::{
    Environment, EnvironmentId, FileContents, FileSystem, FileSystemError, FileSystemResult,
    Metadata, TurnEnvironment, TurnEnvironmentSelection, TurnEnvironmentSnapshot,
};
use recto_core::testing::{CountingFileSystem, Fixture, FixtureDirectory, file_system_under_test};
use recto_protocol::TrustLevel;

/// Makes the tree of a fixture that stands in one line: its directives, with `; ` between them.
///
/// `args:` takes `max=BYTES`, `fallback=NAME,NAME`, `markers=NAME,NAME` and `untrusted`.
pub(super) fn tree(line: &str) -> FixtureDirectory {
    let directives: Vec<String> = line.split("; ").map(|it| format!("//- {it}\n")).collect();
    Fixture::parse(&directives.concat()).lay_out()
}

/// How the fixture wants AGENTS.md to be looked for.
pub(super) fn config(tree: &FixtureDirectory) -> (AgentsMdConfig, Option<TrustLevel>) {
    let mut config = AgentsMdConfig::default();
    let mut trust = None;
    let list = |names: &str| -> Vec<String> {
        names.split(',').filter(|it| !it.is_empty()).map(str::to_owned).collect()
    };
    for word in tree.args() {
        match word.split_once('=') {
            Some(("max", bytes)) => {
                config.project_doc_max_bytes = bytes.parse().expect("max is a number of bytes");
            }
            Some(("fallback", names)) => config.project_doc_fallback_filenames = list(names),
            Some(("markers", names)) => config.project_root_markers = list(names),
            None if word == "untrusted" => trust = Some(TrustLevel::Untrusted),
            _ => panic!("{word} is no setting of a test"),
        }
    }
    (config, trust)
}

/// An environment that is ready in a directory.
pub(super) fn environment(
    id: &str,
    cwd: impl Into<PathBuf>,
    file_system: Arc<dyn FileSystem>,
) -> TurnEnvironment {
    TurnEnvironment {
        selection: TurnEnvironmentSelection {
            environment_id: EnvironmentId::new(id),
            cwd: cwd.into(),
        },
        environment: Arc::new(Environment { file_system, shell: "bash".to_owned() }),
    }
}

/// These environments, all of them ready.
pub(super) fn ready(environments: Vec<TurnEnvironment>) -> TurnEnvironmentSnapshot {
    TurnEnvironmentSnapshot { ready: environments, ..TurnEnvironmentSnapshot::default() }
}

/// A manager that read the host's instructions.
pub(super) async fn manager(
    tree: &FixtureDirectory,
    file_system: Arc<dyn FileSystem>,
    freshness: Freshness,
) -> AgentsMdManager {
    let host = CodexHomeInstructions { file_system, codex_home: tree.codex_home() };
    AgentsMdManager::new(host.user_instructions().await, freshness)
}

/// Loads what counts in the fixture's cwd, host included.
pub(super) async fn load(
    tree: &FixtureDirectory,
    file_system: Arc<dyn FileSystem>,
) -> Result<Arc<LoadedAgentsMd>, AgentsMdError> {
    let manager = manager(tree, Arc::clone(&file_system), Freshness::Selection).await;
    let environments = ready(vec![environment("local", tree.cwd(), file_system)]);
    let (config, trust) = config(tree);
    manager.refresh(AgentsMdRequest { environments: &environments, config: &config, trust }).await
}

/// Runs to the end what would be awaited.
pub(super) fn block_on<T>(work: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.expect("a runtime needs nothing special").block_on(work)
}

/// Loads from the file system under test, where no policy stands in the way.
pub(super) fn loaded(tree: &FixtureDirectory) -> Arc<LoadedAgentsMd> {
    block_on(load(tree, files(tree))).expect("no policy forbids a read")
}

/// The text that the model reads, after `[DIRECTORY] ` where the heading names one; empty where there is none.
pub(super) fn text_of(tree: &FixtureDirectory, loaded: &LoadedAgentsMd) -> String {
    let Some(told) = loaded.to_text() else { return String::new() };
    match told.directory {
        Some(directory) => format!("[{}] {}", relative(tree, &directory), told.text),
        None => told.text,
    }
}

/// A path below the fixture's root.
pub(super) fn relative(tree: &FixtureDirectory, path: &Path) -> String {
    path.strip_prefix(tree.root()).unwrap_or(path).to_string_lossy().into_owned()
}

/// What became of every candidate that is there, by its path below the fixture's root.
pub(super) fn outcomes(
    tree: &FixtureDirectory,
    loaded: &LoadedAgentsMd,
) -> Vec<(String, CandidateOutcome)> {
    loaded
        .candidates()
        .filter(|it| it.outcome != CandidateOutcome::Absent)
        .map(|it| (relative(tree, &it.path), it.outcome.clone()))
        .collect()
}

/// Lays out a tree and compares the text that the model reads in its cwd.
#[track_caller]
pub(super) fn check(line: &str, expected: &str) {
    let tree = tree(line);
    assert_eq!(text_of(&tree, &loaded(&tree)), expected, "{line}");
}

/// Lays out a tree and compares what became of every candidate that is there.
#[track_caller]
pub(super) fn check_outcomes(line: &str, expected: &[(&str, CandidateOutcome)]) {
    let tree = tree(line);
    let expected: Vec<(String, CandidateOutcome)> =
        expected.iter().map(|(path, outcome)| ((*path).to_owned(), outcome.clone())).collect();
    assert_eq!(outcomes(&tree, &loaded(&tree)), expected, "{line}");
}

/// The whole file is read.
pub(super) const LOADED: CandidateOutcome = CandidateOutcome::Loaded { lossy: false };

/// The file system under test with its calls counted, and nothing in the directories above the fixture.
///
/// Whoever runs the tests may have a `.git` in their temporary directory: Codex's sandbox leaves one there.
pub(super) fn files(tree: &FixtureDirectory) -> Arc<CountingFileSystem> {
    let root = tree.root().to_owned();
    let nothing_above = Faulty {
        inner: file_system_under_test(),
        looks: Box::new(move |path| {
            let is_above = path.parent().is_some_and(|it| it != root && root.starts_with(it));
            is_above.then_some(FileSystemError::NotFound)
        }),
        reads: Box::new(|_| None),
    };
    Arc::new(CountingFileSystem::new(Arc::new(nothing_above)))
}

/// Why a path fails, if it does.
type Faults = Box<dyn Fn(&Path) -> Option<FileSystemError> + Send + Sync>;

/// A file system some of whose paths cannot be looked at or read.
pub(super) struct Faulty {
    inner: Arc<dyn FileSystem>,
    /// Fail when they are looked at and when they are read.
    looks: Faults,
    /// Fail when they are read.
    reads: Faults,
}

impl Faulty {
    /// The fixture's files, but one of them cannot be read.
    pub(super) fn read(tree: &FixtureDirectory, path: &str, error: FileSystemError) -> Arc<Self> {
        let reads = Self::fault_at(tree.path(path), error);
        Arc::new(Self { inner: files(tree), looks: Box::new(|_| None), reads })
    }

    /// The fixture's files, but one of them cannot even be looked at.
    pub(super) fn look(tree: &FixtureDirectory, path: &str, error: FileSystemError) -> Arc<Self> {
        let looks = Self::fault_at(tree.path(path), error);
        Arc::new(Self { inner: files(tree), looks, reads: Box::new(|_| None) })
    }

    /// Some files, but one of them cannot be read.
    pub(super) fn over(inner: Arc<dyn FileSystem>, path: PathBuf, error: FileSystemError) -> Self {
        Self { inner, looks: Box::new(|_| None), reads: Self::fault_at(path, error) }
    }

    fn fault_at(faulty: PathBuf, error: FileSystemError) -> Faults {
        Box::new(move |path| (path == faulty).then(|| error.clone()))
    }
}

impl fmt::Debug for Faulty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Faulty").field(&self.inner).finish()
    }
}

fn fault(faults: &Faults, path: &Path) -> FileSystemResult<()> {
    faults(path).map_or(Ok(()), Err)
}

#[async_trait]
impl FileSystem for Faulty {
    async fn get_metadata(&self, path: &Path) -> FileSystemResult<Metadata> {
        fault(&self.looks, path)?;
        self.inner.get_metadata(path).await
    }

    async fn read_file(&self, path: &Path, limit: u64) -> FileSystemResult<FileContents> {
        fault(&self.looks, path)?;
        fault(&self.reads, path)?;
        self.inner.read_file(path, limit).await
    }

    async fn read_directory(&self, path: &Path) -> FileSystemResult<Vec<OsString>> {
        fault(&self.looks, path)?;
        self.inner.read_directory(path).await
    }

    async fn canonicalize(&self, path: &Path) -> FileSystemResult<PathBuf> {
        fault(&self.looks, path)?;
        self.inner.canonicalize(path).await
    }
}

/// Remembers how much of each file was asked for, and how much came.
#[derive(Debug)]
pub(super) struct Measured {
    inner: Arc<dyn FileSystem>,
    reads: Mutex<Vec<(PathBuf, u64, usize)>>,
}

impl Measured {
    /// Measures the reads of the fixture's files.
    pub(super) fn new(tree: &FixtureDirectory) -> Arc<Self> {
        Arc::new(Self { inner: files(tree), reads: Mutex::default() })
    }

    /// Path, limit and bytes that came, of every read so far.
    pub(super) fn reads(&self) -> Vec<(PathBuf, u64, usize)> {
        self.reads.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

#[async_trait]
impl FileSystem for Measured {
    async fn get_metadata(&self, path: &Path) -> FileSystemResult<Metadata> {
        self.inner.get_metadata(path).await
    }

    async fn read_file(&self, path: &Path, limit: u64) -> FileSystemResult<FileContents> {
        let contents = self.inner.read_file(path, limit).await?;
        let read = (path.to_owned(), limit, contents.bytes.len());
        self.reads.lock().unwrap_or_else(PoisonError::into_inner).push(read);
        Ok(contents)
    }

    async fn read_directory(&self, path: &Path) -> FileSystemResult<Vec<OsString>> {
        self.inner.read_directory(path).await
    }

    async fn canonicalize(&self, path: &Path) -> FileSystemResult<PathBuf> {
        self.inner.canonicalize(path).await
    }
}
