//! When project docs are read again, and what stands meanwhile.

use std::sync::Arc;

use pretty_assertions::{assert_eq, assert_ne};
use recto_core::agents_md::{
    AgentsMdError, AgentsMdManager, AgentsMdRequest, CandidateOutcome, Freshness, LoadedAgentsMd,
};
use recto_core::config::AgentsMdConfig;
use recto_core::environment::{
    EnvironmentId, FileSystem, FileSystemError, LocalFileSystem, TurnEnvironmentSelection,
    TurnEnvironmentSnapshot,
};
use recto_core::testing::{ControlledFileSystem, FixtureDirectory};
use recto_protocol::TrustLevel;
use tokio::task::JoinHandle;

use super::support::{Faulty, environment, files, manager, outcomes, ready, text_of, tree};

type Loaded = Result<Arc<LoadedAgentsMd>, AgentsMdError>;

/// A request that can be made again and again, and from another task.
#[derive(Clone)]
pub(super) struct Asker {
    pub(super) manager: Arc<AgentsMdManager>,
    pub(super) environments: TurnEnvironmentSnapshot,
    pub(super) config: AgentsMdConfig,
    pub(super) trust: Option<TrustLevel>,
}

impl Asker {
    /// Asks for one environment in a directory of the fixture.
    pub(super) async fn new(
        tree: &FixtureDirectory,
        cwd: &str,
        file_system: Arc<dyn FileSystem>,
        freshness: Freshness,
    ) -> Self {
        let manager = manager(tree, Arc::new(LocalFileSystem), freshness).await;
        Self {
            manager: Arc::new(manager),
            environments: ready(vec![environment("local", tree.path(cwd), file_system)]),
            config: AgentsMdConfig::default(),
            trust: None,
        }
    }

    /// The same in another directory.
    pub(super) fn at(&self, tree: &FixtureDirectory, cwd: &str) -> Self {
        let mut other = self.clone();
        other.environments.ready[0].selection.cwd = tree.path(cwd);
        other
    }

    pub(super) async fn refresh(&self) -> Loaded {
        let request = AgentsMdRequest {
            environments: &self.environments,
            config: &self.config,
            trust: self.trust,
        };
        self.manager.refresh(request).await
    }

    pub(super) fn spawn(&self) -> JoinHandle<Loaded> {
        let asker = self.clone();
        tokio::spawn(async move { asker.refresh().await })
    }

    /// The text that stands now.
    pub(super) fn standing(&self, tree: &FixtureDirectory) -> Option<String> {
        self.manager.get_loaded().map(|it| text_of(tree, &it))
    }
}

const TWO: &str = r#"home/AGENTS.md = "G"; one/.git/; one/AGENTS.md = "ONE"; two/.git/; two/AGENTS.md = "TWO"; cwd: one"#;

fn text(word: &str, directory: &str) -> String {
    format!("[{directory}] G\n\n--- project-doc ---\n\n{word}")
}

#[tokio::test]
async fn a_hit_reads_nothing_and_gives_the_same_documents() {
    let tree = tree(TWO);
    let file_system = files(&tree);
    let asker = Asker::new(&tree, "one", file_system.clone(), Freshness::Selection).await;
    let first = asker.refresh().await.unwrap();
    file_system.reset();
    std::fs::remove_file(tree.path("one/AGENTS.md")).unwrap();
    let second = asker.refresh().await.unwrap();
    assert!(Arc::ptr_eq(&first, &second));
    assert!(Arc::ptr_eq(&first, &asker.manager.get_loaded().unwrap()));
    assert_eq!(file_system.calls(), []);
}

#[tokio::test]
async fn whatever_is_part_of_the_question_makes_a_miss() {
    let tree = tree(TWO);
    let file_system = files(&tree);
    let asker = Asker::new(&tree, "one", file_system.clone(), Freshness::Selection).await;
    let mut trusted = asker.clone();
    trusted.trust = Some(TrustLevel::Trusted);
    let mut smaller = asker.clone();
    smaller.config.project_doc_max_bytes = 1;
    let mut more_names = asker.clone();
    more_names.config.project_doc_fallback_filenames.push("F.md".to_owned());
    let mut renamed = asker.clone();
    renamed.environments.ready[0].selection.environment_id = EnvironmentId::new("x");
    let mut several = asker.clone();
    several.environments.ready.push(environment("b", tree.path("one"), file_system.clone()));
    let mut reversed = several.clone();
    reversed.environments.ready.reverse();
    let elsewhere = asker.at(&tree, "two");

    let all = [asker, trusted, smaller, more_names, renamed, several, reversed, elsewhere];
    for (at, asker) in all.iter().enumerate() {
        file_system.reset();
        asker.refresh().await.unwrap();
        assert_ne!(file_system.calls(), [], "request {at}");
    }
}

#[tokio::test]
async fn starting_environments_are_no_part_of_the_question() {
    let tree = tree(TWO);
    let file_system = files(&tree);
    let mut asker = Asker::new(&tree, "one", file_system.clone(), Freshness::Selection).await;
    asker.refresh().await.unwrap();
    file_system.reset();
    asker.environments.starting.push(TurnEnvironmentSelection {
        environment_id: EnvironmentId::new("box"),
        cwd: "/srv".into(),
    });
    asker.refresh().await.unwrap();
    assert_eq!(file_system.calls(), []);
}

#[tokio::test]
async fn a_miss_clears_first_and_reads_outside_the_lock() {
    let tree = tree(TWO);
    let files = Arc::new(ControlledFileSystem::new(Arc::new(LocalFileSystem)));
    let asker = Asker::new(&tree, "one", files.clone(), Freshness::Selection).await;
    assert_eq!(asker.standing(&tree), None);
    files.release_during(asker.refresh()).await.unwrap();
    assert_eq!(asker.standing(&tree), Some(text("ONE", "one")));

    let load = asker.at(&tree, "two").spawn();
    let held = files.next_call(tree.path("two/.git")).await;
    assert_eq!(asker.standing(&tree), None);
    held.release();
    files.next_call(tree.path("two/AGENTS.md")).await.release();
    let held = files.next_call(tree.path("two/AGENTS.md")).await;
    assert_eq!(asker.standing(&tree), None);
    held.release();
    load.await.unwrap().unwrap();
    assert_eq!(asker.standing(&tree), Some(text("TWO", "two")));
}

#[tokio::test]
async fn a_read_that_a_policy_forbids_is_an_error_and_the_next_call_tries_again() {
    let tree = tree(TWO);
    let files = Arc::new(ControlledFileSystem::new(Arc::new(LocalFileSystem)));
    let asker = Asker::new(&tree, "one", files.clone(), Freshness::Selection).await;
    files.release_during(asker.refresh()).await.unwrap();

    let other = asker.at(&tree, "two");
    let file = tree.path("two/AGENTS.md");
    let denied =
        FileSystemError::Denied { path: file.clone(), policy: "outside the sandbox".to_owned() };
    let steps: [&[&str]; 3] = [&[], &["two/.git"], &["two/.git", "two/AGENTS.md"]];
    for before in steps {
        let load = other.spawn();
        for path in before {
            files.next_call(tree.path(path)).await.release();
        }
        let place = if before.is_empty() { tree.path("two/.git") } else { file.clone() };
        files.next_call(&place).await.fail(place, denied.clone());
        assert_eq!(load.await.unwrap(), Err(AgentsMdError(denied.clone())));
        assert_eq!(other.standing(&tree), None);
    }
    let message = AgentsMdError(denied).to_string().replace(&*tree.root().to_string_lossy(), "");
    insta::assert_snapshot!(message, @"project instructions could not be read: /two/AGENTS.md may not be read: outside the sandbox");

    files.release_during(other.refresh()).await.unwrap();
    assert_eq!(other.standing(&tree), Some(text("TWO", "two")));
}

#[tokio::test]
async fn an_error_of_the_file_system_is_a_diagnostic_and_the_rest_is_kept() {
    let tree = tree(r#"r/.git/; r/AGENTS.md = "R"; r/s/AGENTS.md = "S"; cwd: r/s"#);
    let error = FileSystemError::Io {
        kind: std::io::ErrorKind::Other,
        message: "input/output error".to_owned(),
    };
    let files = Faulty::read(&tree, "r/AGENTS.md", error.clone());
    let asker = Asker::new(&tree, "r/s", files, Freshness::Selection).await;
    let loaded = asker.refresh().await.unwrap();
    assert_eq!(
        outcomes(&tree, &loaded)[0],
        ("r/AGENTS.md".to_owned(), CandidateOutcome::Unreadable(error))
    );
    assert_eq!(asker.standing(&tree), Some("[r/s] S".to_owned()));
}

/// Two refreshes at once: whatever ends last, the one that was asked for last stands.
#[tokio::test]
async fn the_newest_request_wins_in_both_orders_of_finishing() {
    let tree = tree(TWO);
    for old_ends_first in [true, false] {
        let files = Arc::new(ControlledFileSystem::new(Arc::new(LocalFileSystem)));
        let old = Asker::new(&tree, "one", files.clone(), Freshness::Selection).await;
        let new = old.at(&tree, "two");
        let old_load = old.spawn();
        let old_held = files.next_call(tree.path("one/.git")).await;
        let new_load = new.spawn();
        let new_held = files.next_call(tree.path("two/.git")).await;

        let order = [(old_held, old_load, "ONE", "one"), (new_held, new_load, "TWO", "two")];
        let order: Vec<_> =
            if old_ends_first { order.into() } else { order.into_iter().rev().collect() };
        for (held, load, word, directory) in order {
            held.release();
            let loaded = files.release_during(load).await.unwrap().unwrap();
            assert_eq!(text_of(&tree, &loaded), text(word, directory));
        }
        assert_eq!(old.standing(&tree), Some(text("TWO", "two")), "{old_ends_first}");
    }
}

#[tokio::test]
async fn an_error_of_the_newest_request_lets_no_older_one_stand() {
    let tree = tree(TWO);
    let files = Arc::new(ControlledFileSystem::new(Arc::new(LocalFileSystem)));
    let old = Asker::new(&tree, "one", files.clone(), Freshness::Selection).await;
    let old_load = old.spawn();
    let old_held = files.next_call(tree.path("one/.git")).await;
    let new_load = old.at(&tree, "two").spawn();
    let place = tree.path("two/.git");
    let denied = FileSystemError::Denied { path: place.clone(), policy: "no".to_owned() };
    files.next_call(&place).await.fail(place, denied);
    new_load.await.unwrap().unwrap_err();
    old_held.release();
    files.release_during(old_load).await.unwrap().unwrap();
    assert_eq!(old.standing(&tree), None);
}

#[tokio::test]
async fn what_was_being_read_when_all_was_forgotten_does_not_stand() {
    let tree = tree(TWO);
    let files = Arc::new(ControlledFileSystem::new(Arc::new(LocalFileSystem)));
    let asker = Asker::new(&tree, "one", files.clone(), Freshness::Selection).await;
    let load = asker.spawn();
    let held = files.next_call(tree.path("one/.git")).await;
    asker.manager.invalidate();
    held.release();
    let loaded = files.release_during(load).await.unwrap().unwrap();
    assert_eq!(text_of(&tree, &loaded), text("ONE", "one"));
    assert_eq!(asker.standing(&tree), None);
}

#[tokio::test]
async fn a_load_that_nobody_waits_for_any_more_leaves_nothing_behind() {
    let tree = tree(TWO);
    let files = Arc::new(ControlledFileSystem::new(Arc::new(LocalFileSystem)));
    let asker = Asker::new(&tree, "one", files.clone(), Freshness::Selection).await;
    let load = asker.spawn();
    let _held = files.next_call(tree.path("one/.git")).await;
    load.abort();
    assert!(load.await.unwrap_err().is_cancelled());
    assert_eq!(asker.standing(&tree), None);
    files.release_during(asker.refresh()).await.unwrap();
    assert_eq!(asker.standing(&tree), Some(text("ONE", "one")));
}

#[tokio::test]
async fn b30_the_hosts_text_is_fixed_and_project_docs_follow_the_selection() {
    let tree = tree(TWO);
    let one = Asker::new(&tree, "one", files(&tree), Freshness::Selection).await;
    std::fs::remove_file(tree.path("home/AGENTS.md")).unwrap();
    let two = one.at(&tree, "two");
    for (asker, word, directory) in
        [(&two, "TWO", "two"), (&one, "ONE", "one"), (&two, "TWO", "two")]
    {
        let loaded = asker.refresh().await.unwrap();
        assert_eq!(text_of(&tree, &loaded), text(word, directory));
    }
}

#[tokio::test]
async fn a_blank_host_text_counts_as_none() {
    use recto_core::agents_md::{HostInstructions, InstructionEntry};

    let entry = InstructionEntry { path: "/h/AGENTS.md".into(), text: " \n".to_owned() };
    let host = HostInstructions { entry: Some(entry), candidates: Vec::new() };
    let manager = AgentsMdManager::new(host, Freshness::Selection);
    let environments = TurnEnvironmentSnapshot::default();
    let config = AgentsMdConfig::default();
    let request = AgentsMdRequest { environments: &environments, config: &config, trust: None };
    let loaded = manager.refresh(request).await.unwrap();
    assert_eq!(*loaded, LoadedAgentsMd::default());
    assert_eq!(loaded.to_text(), None);
}
