//! File systems that answer wrongly or in any order, and environments that share a name.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use async_trait::async_trait;
use pretty_assertions::assert_eq;
use recto_core::agents_md::{
    AgentsMdRequest, CandidateOutcome, Freshness, LoadedAgentsMd, near_misses,
};
use recto_core::config::{self, AgentsMdConfig, ConfigSources};
use recto_core::environment::{
    FileContents, FileRead, FileSystem, FileSystemResult, Metadata, git_root,
};
use recto_core::testing::{ControlledFileSystem, FixtureDirectory};
use tokio::task::JoinHandle;

use super::manager::Asker;
use super::support::{block_on, config, environment, files, load, manager, ready, text_of, tree};

/// How a file system lies.
#[derive(Debug, Clone, Copy)]
enum Lie {
    /// Batches get no answer at all.
    Nothing,
    /// Batches get one answer less than they have questions.
    OneLess,
    /// Batches get one answer more.
    OneMore,
    /// Every file is said to be empty.
    Empty,
    /// Every file is said to be as long as numbers go.
    Endless,
    /// Reads do not stop at their limit.
    NoLimit,
}

#[derive(Debug)]
struct Lying {
    inner: Arc<dyn FileSystem>,
    lie: Lie,
}

impl Lying {
    fn len(&self, len: u64) -> u64 {
        match self.lie {
            Lie::Empty => 0,
            Lie::Endless => u64::MAX,
            _ => len,
        }
    }

    fn batch<T: Clone>(&self, mut answers: Vec<T>) -> Vec<T> {
        match self.lie {
            Lie::Nothing => answers.clear(),
            Lie::OneLess => drop(answers.pop()),
            Lie::OneMore => answers.extend(answers.last().cloned()),
            _ => {}
        }
        answers
    }
}

#[async_trait]
impl FileSystem for Lying {
    async fn get_metadata(&self, path: &Path) -> FileSystemResult<Metadata> {
        let found = self.inner.get_metadata(path).await?;
        Ok(Metadata { len: self.len(found.len), ..found })
    }

    async fn read_file(&self, path: &Path, limit: u64) -> FileSystemResult<FileContents> {
        let limit = if matches!(self.lie, Lie::NoLimit) { u64::MAX } else { limit };
        let contents = self.inner.read_file(path, limit).await?;
        Ok(FileContents { len: self.len(contents.len), ..contents })
    }

    async fn read_directory(&self, path: &Path) -> FileSystemResult<Vec<OsString>> {
        self.inner.read_directory(path).await
    }

    async fn canonicalize(&self, path: &Path) -> FileSystemResult<PathBuf> {
        self.inner.canonicalize(path).await
    }

    async fn get_metadata_all(&self, paths: &[PathBuf]) -> Vec<FileSystemResult<Metadata>> {
        let mut answers = Vec::new();
        for path in paths {
            answers.push(self.get_metadata(path).await);
        }
        self.batch(answers)
    }

    async fn read_files(&self, reads: &[FileRead]) -> Vec<FileSystemResult<FileContents>> {
        let mut answers = Vec::new();
        for read in reads {
            answers.push(self.read_file(&read.path, read.limit).await);
        }
        self.batch(answers)
    }
}

const LIES: [Lie; 6] =
    [Lie::Nothing, Lie::OneLess, Lie::OneMore, Lie::Empty, Lie::Endless, Lie::NoLimit];

const NESTED: &str = r#"home/AGENTS.md = "G"; home/config.toml = ""; r/.git/HEAD = "x"; r/AGENTS.md = "ROOT `a/b.md`"; r/agents.md = "x"; r/s/AGENTS.md = "SUB"; cwd: r/s"#;

fn lying(tree: &FixtureDirectory, lie: Lie) -> Arc<dyn FileSystem> {
    Arc::new(Lying { inner: files(tree), lie })
}

#[test]
fn a_file_system_that_lies_costs_its_files_and_nothing_else() {
    for lie in LIES {
        let tree = tree(NESTED);
        let file_system = lying(&tree, lie);
        let (config, _) = config(&tree);
        block_on(async {
            let loaded = load(&tree, Arc::clone(&file_system)).await.expect("nothing is denied");
            let environments = [environment("local", tree.cwd(), Arc::clone(&file_system))];
            near_misses(&loaded, &environments, &config, &*file_system).await;
            git_root(&*file_system, &tree.cwd()).await;
            let sources = ConfigSources {
                file_system: &*file_system,
                codex_home: &tree.codex_home(),
                system_config: None,
                home: None,
                cwd: &tree.cwd(),
                overrides: &[],
                assumed_trust: None,
            };
            // Whether it can be used depends on the lie; it ends either way.
            let _ = config::load(&sources).await;
        });
    }
}

#[test]
fn a_read_without_an_answer_is_told_of_its_file() {
    let tree = tree(r#"r/.git/; r/AGENTS.md = "ROOT"; cwd: r"#);
    let loaded = block_on(load(&tree, lying(&tree, Lie::Nothing))).expect("nothing is denied");
    let unanswered = loaded
        .candidates()
        .filter(|it| matches!(&it.outcome, CandidateOutcome::Unreadable(error) if error.to_string().contains("no answer")));
    assert_eq!(unanswered.count(), loaded.candidates().count());
}

#[test]
fn a_wrong_length_changes_no_text_and_no_budget() {
    for lie in [Lie::Empty, Lie::OneMore, Lie::NoLimit] {
        let tree = tree(
            r#"r/.git/; r/AGENTS.md = "abcdef"; r/s/AGENTS.md = "SUB"; cwd: r/s; args: max=8"#,
        );
        let loaded = block_on(load(&tree, lying(&tree, lie))).expect("nothing is denied");
        assert_eq!(text_of(&tree, &loaded), "[r/s] abcdef\n\nSU", "{lie:?}");
        assert_eq!(loaded.projects[0].spent(), 8, "{lie:?}");
    }
}

#[test]
fn environments_that_share_a_name_keep_their_own_docs() {
    let tree =
        tree(r#"one/.git/; one/AGENTS.md = "ONE"; two/.git/; two/AGENTS.md = "TWO"; cwd: one"#);
    let loaded = block_on(async {
        let file_system = files(&tree);
        let manager = manager(&tree, file_system.clone(), Freshness::Selection).await;
        let environments = ready(vec![
            environment("same", tree.path("one"), file_system.clone()),
            environment("same", tree.path("two"), file_system.clone()),
            environment("same", tree.path("two"), file_system),
        ]);
        let config = AgentsMdConfig::default();
        let request = AgentsMdRequest { environments: &environments, config: &config, trust: None };
        manager.refresh(request).await.expect("nothing is denied")
    });
    let entries: Vec<&str> =
        loaded.projects.iter().flat_map(|it| &it.entries).map(|it| it.text.as_str()).collect();
    assert_eq!(entries, ["ONE", "TWO", "TWO"]);
}

#[test]
fn a_repeated_fallback_name_is_looked_for_once() {
    let tree = tree("r/.git/; cwd: r; args: fallback=A,B,A,AGENTS.md,B");
    let loaded = block_on(load(&tree, files(&tree))).expect("nothing is denied");
    assert_eq!(loaded.projects[0].candidates.len(), 4);
}

/// Numbers that look random and are the same each time.
struct Seeded(u64);

impl Seeded {
    fn below(&mut self, bound: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap_or(0) % bound
    }
}

/// What somebody asks of the manager, last first.
enum Newest {
    Invalidated,
    Asked(&'static str),
}

type Request = (&'static str, JoinHandle<Option<Arc<LoadedAgentsMd>>>);

fn spawn(asker: Asker) -> JoinHandle<Option<Arc<LoadedAgentsMd>>> {
    tokio::spawn(async move { asker.refresh().await.ok() })
}

/// Lets everybody run until all wait for the file system.
async fn settle() {
    for _ in 0..50 {
        tokio::task::yield_now().await;
    }
}

async fn one_interleaving(seed: u64) {
    let tree = tree(
        r#"a/.git/; a/AGENTS.md = "A"; b/.git/; b/AGENTS.md = "B"; c/.git/; c/AGENTS.md = "C"; cwd: a"#,
    );
    let file_system = Arc::new(ControlledFileSystem::new(files(&tree)));
    let freshness = if seed.is_multiple_of(2) { Freshness::Selection } else { Freshness::Stat };
    let asker = Asker::new(&tree, "a", file_system.clone(), freshness).await;
    let mut random = Seeded(seed);
    let mut newest = Newest::Invalidated;
    let mut requests: Vec<Request> = Vec::new();
    for _ in 0..12 {
        match random.below(6) {
            0 => {
                asker.manager.invalidate();
                newest = Newest::Invalidated;
            }
            1 | 2 => {
                let cwd = ["a", "b", "c"][random.below(3)];
                requests.push((cwd, spawn(asker.at(&tree, cwd))));
                newest = Newest::Asked(cwd);
            }
            _ => {
                let waiting = file_system.waiting();
                if !waiting.is_empty() {
                    let path = &waiting[random.below(waiting.len())];
                    file_system.next_call(path).await.release();
                }
            }
        }
        settle().await;
        let standing = asker.standing(&tree);
        let allowed = match newest {
            Newest::Invalidated => None,
            Newest::Asked(cwd) => Some(format!("[{cwd}] {}", cwd.to_uppercase())),
        };
        assert!(standing.is_none() || standing == allowed, "seed {seed}: {standing:?}");
    }
    for (cwd, request) in requests {
        let loaded = file_system.release_during(request).await.expect("no panic");
        let text = loaded.map(|it| text_of(&tree, &it));
        assert_eq!(text, Some(format!("[{cwd}] {}", cwd.to_uppercase())), "seed {seed}");
    }
    let expected = match newest {
        Newest::Invalidated => None,
        Newest::Asked(cwd) => Some(format!("[{cwd}] {}", cwd.to_uppercase())),
    };
    assert_eq!(asker.standing(&tree), expected, "seed {seed}");
}

#[tokio::test]
async fn in_every_order_of_answers_the_newest_request_decides_what_stands() {
    for seed in 0..150 {
        one_interleaving(seed).await;
    }
}

#[test]
fn trust_follows_links_on_the_way_to_a_directory() {
    for (cwd, is_trusted) in [
        ("real/r/s", true),
        ("link/r/s", true),
        ("link2/s", true),
        ("real/out/s", true),
        ("link/out", true),
        ("other/r", false),
    ] {
        let tree = tree(&format!(
            "real/r/.git/HEAD = \"x\"; real/r/s/; link -> real; link2 -> link/r; real/out -> ../real/r; other/r/; cwd: {cwd}"
        ));
        let real = tree.root().join("real/r");
        let trust = format!("projects={{{real:?}={{trust_level=\"trusted\"}}}}");
        let loaded = block_on(config::load(&ConfigSources {
            file_system: &*files(&tree),
            codex_home: &tree.codex_home(),
            system_config: None,
            home: None,
            cwd: &tree.path(cwd),
            overrides: &[trust],
            assumed_trust: None,
        }))
        .expect("it can be used");
        assert_eq!(loaded.trust.level.is_some(), is_trusted, "{cwd}");
    }
}
