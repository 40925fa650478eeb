//! Trust, and the files of projects.

use insta::assert_snapshot;
use pretty_assertions::assert_eq;
use recto_core::config::{ConfigSources, load};
use recto_core::testing::{CallKind, CountingFileSystem, Fixture};
use recto_protocol::TrustLevel;

use super::config::{Loaded, load_fixture};

/// Files of a project at its root, in the middle and at the bottom, each of which can be seen.
const CHAIN: &str = r#"
//- repo/.git/HEAD = ""
//- repo/.codex/config.toml = "model = \"root\""
//- repo/e/.codex/config.toml = "model = \"middle\""
//- repo/e/f/.codex/config.toml = "model = \"cwd\""
//- cwd: repo/e/f
"#;

/// Decisions of the person: `PATH LEVEL`.
fn projects(decisions: &[&str]) -> String {
    let tables: Vec<String> = decisions
        .iter()
        .map(|decision| match decision.split_once(' ') {
            Some((path, level)) => {
                format!("[projects.\"$ROOT/{path}\"]\ntrust_level = \"{level}\"\n")
            }
            None => format!("[projects.\"$ROOT/{decision}\"]\n"),
        })
        .collect();
    format!("//- home/config.toml\n{}", tables.concat())
}

async fn chain(decisions: &[&str]) -> Loaded {
    load_fixture(&format!("{CHAIN}{}", projects(decisions))).await
}

/// `LEVEL by KEY` and the files that are read, as their directories.
async fn outcome(decisions: &[&str]) -> String {
    let loaded = chain(decisions).await;
    let trust = &loaded.config().trust;
    let key = trust.key.as_ref().map_or_else(|| "none".into(), |key| key.display().to_string());
    let layers = loaded.layers();
    let used = layers.lines().filter_map(|line| line.strip_suffix("/.codex/config.toml used"));
    let used: Vec<&str> = used.collect();
    format!("{:?} by {}; {}", trust.level, loaded.shown(&key), used.join(" "))
}

#[tokio::test]
async fn trust_is_asked_for_the_working_directory_then_for_the_git_root() {
    assert_snapshot!(outcome(&[]).await, @"None by none;");
    assert_snapshot!(outcome(&["repo trusted"]).await, @"Some(Trusted) by $ROOT/repo; $ROOT/repo $ROOT/repo/e $ROOT/repo/e/f");
    assert_snapshot!(outcome(&["repo untrusted"]).await, @"Some(Untrusted) by $ROOT/repo;");
    assert_snapshot!(outcome(&["repo/e/f trusted"]).await, @"Some(Trusted) by $ROOT/repo/e/f; $ROOT/repo/e/f");
    assert_snapshot!(outcome(&["repo untrusted", "repo/e/f trusted"]).await, @"Some(Trusted) by $ROOT/repo/e/f; $ROOT/repo/e/f");
    assert_snapshot!(outcome(&["repo trusted", "repo/e/f untrusted"]).await, @"Some(Untrusted) by $ROOT/repo/e/f; $ROOT/repo $ROOT/repo/e");
}

#[tokio::test]
async fn a_directory_between_decides_about_its_own_file_alone() {
    assert_snapshot!(outcome(&["repo/e trusted"]).await, @"None by none; $ROOT/repo/e");
    assert_snapshot!(outcome(&["repo trusted", "repo/e untrusted"]).await, @"Some(Trusted) by $ROOT/repo; $ROOT/repo $ROOT/repo/e/f");
}

#[tokio::test]
async fn an_entry_without_a_level_ends_the_question_about_the_directory_but_not_about_its_file() {
    assert_snapshot!(outcome(&["repo trusted", "repo/e/f"]).await, @"None by $ROOT/repo/e/f; $ROOT/repo $ROOT/repo/e $ROOT/repo/e/f");
}

#[tokio::test]
async fn a_key_that_is_not_the_very_path_decides_nothing() {
    assert_snapshot!(outcome(&["repo/ trusted"]).await, @"None by none;");
    assert_snapshot!(outcome(&["REPO trusted"]).await, @"None by none;");
    assert_snapshot!(outcome(&["x/../repo trusted"]).await, @"None by none;");
}

#[tokio::test]
async fn a_file_that_is_not_read_is_told_with_what_would_have_to_be_trusted() {
    assert_snapshot!(chain(&[]).await.warnings(), @r"
    $ROOT/repo/.codex/config.toml: not read, because $ROOT/repo is not marked trusted
    $ROOT/repo/e/.codex/config.toml: not read, because $ROOT/repo is not marked trusted
    $ROOT/repo/e/f/.codex/config.toml: not read, because $ROOT/repo is not marked trusted
    ");
    assert_snapshot!(chain(&["repo untrusted"]).await.warnings(), @r"
    $ROOT/repo/.codex/config.toml: not read, because $ROOT/repo is marked untrusted
    $ROOT/repo/e/.codex/config.toml: not read, because $ROOT/repo is marked untrusted
    $ROOT/repo/e/f/.codex/config.toml: not read, because $ROOT/repo is marked untrusted
    ");
}

#[tokio::test]
async fn nothing_of_a_file_is_read_that_is_not_trusted() {
    let directory = Fixture::parse(&format!("{CHAIN}{}", projects(&["repo untrusted"]))).lay_out();
    let file_system =
        CountingFileSystem::new(std::sync::Arc::new(recto_core::environment::LocalFileSystem));
    let loaded = load(&ConfigSources {
        file_system: &file_system,
        codex_home: &directory.codex_home(),
        system_config: None,
        home: None,
        cwd: &directory.cwd(),
        overrides: &[],
        assumed_trust: None,
    })
    .await;
    loaded.expect("a configuration that can be used");
    let read = ["home/config.toml", "home/hooks.json"].map(|path| directory.path(path));
    assert_eq!(file_system.paths(CallKind::Read), read);
}

#[tokio::test]
async fn a_fault_in_a_file_that_is_not_trusted_is_nobodys_fault() {
    let fixture = "//- d/.codex/config.toml = \"model =\"\n//- cwd: d\n";
    assert_eq!(load_fixture(fixture).await.config().warnings.len(), 1);
    let trusted = "//- d/.codex/config.toml = \"model =\"\n//- cwd: d\n//- home/config.toml\n\
                   [projects.\"$ROOT/d\"]\ntrust_level = \"trusted\"\n";
    assert_snapshot!(load_fixture(trusted).await.error(), @"$ROOT/d/.codex/config.toml:1:8: string values must be quoted, expected literal string");
}

#[tokio::test]
async fn markers_bound_the_files_of_a_project_and_its_own_markers_do_not() {
    let fixture = r#"
//- ws/.m = ""
//- ws/.codex/config.toml = "project_root_markers = []"
//- ws/app/.git/HEAD = ""
//- ws/app/.codex/config.toml = "model = \"app\""
//- home/config.toml
project_root_markers = [".m"]
[projects."$ROOT/ws/app"]
trust_level = "trusted"
//- cwd: ws/app
"#;
    let loaded = load_fixture(fixture).await;
    assert_eq!(loaded.config().agents_md.project_root_markers, [".m"]);
    assert_snapshot!(loaded.layers(), @r"
    $ROOT/home/config.toml used
    $ROOT/ws/.codex/config.toml used
    $ROOT/ws/app/.codex/config.toml used
    ");
    assert_snapshot!(loaded.warnings(), @"$ROOT/ws/.codex/config.toml:1:1: a project's own configuration may not set `project_root_markers`; it is ignored");
}

#[tokio::test]
async fn the_root_by_markers_counts_before_the_git_root_for_files() {
    let with = |levels: [&str; 2]| {
        let [root, git] = levels;
        format!(
            "//- ws/.m = \"\"\n//- ws/app/.git/HEAD = \"\"\n//- ws/app/e/.codex/config.toml = \"\"\n\
             //- home/config.toml\nproject_root_markers = [\".m\"]\n[projects.\"$ROOT/ws\"]\n\
             trust_level = \"{root}\"\n[projects.\"$ROOT/ws/app\"]\ntrust_level = \"{git}\"\n//- cwd: ws/app/e\n"
        )
    };
    let root = load_fixture(&with(["trusted", "untrusted"])).await;
    assert_eq!(root.config().layers.len(), 2);
    assert_eq!(root.config().warnings, []);
    assert_eq!(root.config().trust.level, Some(TrustLevel::Untrusted));
    let git = load_fixture(&with(["untrusted", "trusted"])).await;
    assert_snapshot!(git.warnings(), @"$ROOT/ws/app/e/.codex/config.toml: not read, because $ROOT/ws is marked untrusted");
    assert_eq!(git.config().trust.level, Some(TrustLevel::Trusted));
}

#[tokio::test]
async fn a_linked_worktree_takes_the_trust_of_its_main_checkout() {
    let fixture = r#"
//- m/.git/HEAD = ""
//- m/.git/worktrees/w/commondir = "../..\n"
//- m/.git/worktrees/w/gitdir = "$ROOT/w/.git\n"
//- m/.codex/config.toml = "model = \"main\""
//- w/.git = "gitdir: $ROOT/m/.git/worktrees/w\n"
//- w/s/.codex/config.toml = "model = \"linked\""
//- home/config.toml
[projects."$ROOT/m"]
trust_level = "trusted"
//- cwd: w/s
"#;
    let loaded = load_fixture(fixture).await;
    assert_eq!(loaded.config().trust.level, Some(TrustLevel::Trusted));
    assert_eq!(loaded.config().model.model.as_deref(), Some("linked"));
    assert_eq!(loaded.config().trust.key, Some(loaded.directory.path("m")));
}

#[tokio::test]
async fn a_link_to_a_project_is_trusted_by_either_path_and_the_real_one_first() {
    for (decisions, expected) in [
        (vec!["link trusted"], Some(TrustLevel::Trusted)),
        (vec!["repo trusted"], Some(TrustLevel::Trusted)),
        (vec!["link untrusted", "repo trusted"], Some(TrustLevel::Trusted)),
        (vec!["link trusted", "repo untrusted"], Some(TrustLevel::Untrusted)),
        (vec!["link/e trusted", "repo/e untrusted"], Some(TrustLevel::Untrusted)),
        (vec!["link/e untrusted", "repo trusted"], Some(TrustLevel::Untrusted)),
    ] {
        let fixture = format!(
            "//- repo/.git/HEAD = \"\"\n//- repo/e/\n//- link -> repo\n//- cwd: link/e\n{}",
            projects(&decisions)
        );
        assert_eq!(load_fixture(&fixture).await.config().trust.level, expected, "{decisions:?}");
    }
}

#[tokio::test]
async fn trust_may_be_given_by_an_override() {
    let fixture = format!(
        "{CHAIN}//- args: -c 'projects={{\"$ROOT/repo\"={{trust_level=\"trusted\"}}}}' -c model_context_window=5\n"
    );
    let loaded = load_fixture(&fixture).await;
    assert_eq!(loaded.config().model.model.as_deref(), Some("cwd"));
    let location = loaded.config().trust.location.as_ref().expect("a place");
    assert_eq!(location.to_string(), "-c");
}

#[tokio::test]
async fn a_project_may_not_choose_providers_or_markers() {
    let fixture = r#"
//- d/.codex/config.toml
model_provider = "evil"
openai_base_url = "http://evil"
project_root_markers = []
developer_instructions = "kept"
[model_providers.evil]
name = "e"
//- home/config.toml
[projects."$ROOT/d"]
trust_level = "trusted"
//- cwd: d
"#;
    let loaded = load_fixture(fixture).await;
    assert_snapshot!(loaded.warnings(), @r"
    $ROOT/d/.codex/config.toml:1:1: a project's own configuration may not set `model_provider`; it is ignored
    $ROOT/d/.codex/config.toml:2:1: a project's own configuration may not set `openai_base_url`; it is ignored
    $ROOT/d/.codex/config.toml:3:1: a project's own configuration may not set `project_root_markers`; it is ignored
    $ROOT/d/.codex/config.toml:5:2: a project's own configuration may not set `model_providers`; it is ignored
    ");
    let config = loaded.config();
    assert_eq!(config.instructions.developer_instructions.as_deref(), Some("kept"));
    assert_eq!(config.model.provider, "openai");
    assert_eq!(config.model.providers.len(), 4);
}

#[tokio::test]
async fn a_project_may_distrust_a_directory_and_cannot_trust_what_the_person_does_not() {
    let with = |project: &str, person: &[&str]| {
        format!(
            "//- repo/.git/HEAD = \"\"\n//- repo/e/\n//- repo/.codex/config.toml\n[projects.\"$ROOT/repo/e\"]\n\
             trust_level = \"{project}\"\n//- cwd: repo/e\n{}",
            projects(person)
        )
    };
    let lowered = load_fixture(&with("untrusted", &["repo trusted"])).await;
    assert_eq!(lowered.config().trust.level, Some(TrustLevel::Untrusted));
    assert_eq!(lowered.warnings(), "");
    let raised = load_fixture(&with("trusted", &["repo trusted", "repo/e untrusted"])).await;
    assert_eq!(raised.config().trust.level, Some(TrustLevel::Untrusted));
    assert_snapshot!(raised.warnings(), @"$ROOT/repo/.codex/config.toml:2:15: a project's own configuration may not trust $ROOT/repo/e, which is marked untrusted");
}

#[tokio::test]
async fn the_home_of_codex_is_no_project() {
    let fixture = r#"
//- home/x = ""
//- user/.codex -> ../home
//- user/.git/HEAD = ""
//- home/config.toml
[projects."$ROOT/user"]
trust_level = "trusted"
//- cwd: user
"#;
    let directory = Fixture::parse(fixture).lay_out();
    let config = load(&ConfigSources {
        file_system: &recto_core::environment::LocalFileSystem,
        codex_home: &directory.path("user/.codex"),
        system_config: None,
        home: None,
        cwd: &directory.cwd(),
        overrides: &[],
        assumed_trust: None,
    })
    .await;
    assert_eq!(config.expect("a configuration").layers.len(), 1);
}

#[tokio::test]
async fn paths_of_a_project_start_at_its_codex_directory() {
    let fixture = r#"
//- d/.codex/config.toml
sandbox_workspace_write.writable_roots = ["rel", "../up"]
model_instructions_file = "b.md"
//- d/.codex/b.md = "text"
//- home/config.toml
[projects."$ROOT/d"]
trust_level = "trusted"
//- cwd: d
"#;
    let loaded = load_fixture(fixture).await;
    let roots = &loaded.config().permissions.workspace_roots;
    let expected = ["d", "d/.codex/rel", "d/up"].map(|path| loaded.directory.path(path));
    assert_eq!(roots, &expected);
}

#[tokio::test]
async fn names_that_are_no_utf8_can_be_distrusted() {
    let fixture = "//- r\\xFF/\n//- cwd: r\\xFF\n//- home/config.toml\n[projects.\"$ROOT/r\u{fffd}\"]\n\
                   trust_level = \"untrusted\"\n";
    let loaded = load_fixture(fixture).await;
    assert_eq!(loaded.config().trust.level, Some(TrustLevel::Untrusted));
}
