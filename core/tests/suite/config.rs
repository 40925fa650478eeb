//! Values, layers and `-c`: what a configuration says in the end.

use std::sync::Arc;
use std::time::Duration;

use pretty_assertions::assert_eq;
use recto_core::config::{
    ApiKey, Config, ConfigError, ConfigSources, LayerStanding, ModelProvider, Personality,
    SkillsConfig, load,
};
use recto_core::environment::LocalFileSystem;
use recto_core::testing::{
    DistantFileSystem, Fixture, FixtureDirectory, LATENCY, file_system_under_test,
};
use tokio::time::Instant;

/// A configuration, and the tree that it was read from.
pub(super) struct Loaded {
    pub(super) directory: FixtureDirectory,
    pub(super) result: Result<Config, ConfigError>,
}

impl Loaded {
    /// A text with `$ROOT` in place of the tree's path.
    pub(super) fn shown(&self, text: &impl ToString) -> String {
        text.to_string().replace(&*self.directory.root().to_string_lossy(), "$ROOT")
    }

    pub(super) fn config(&self) -> &Config {
        self.result.as_ref().expect("a configuration that can be used")
    }

    /// The error, then its hint.
    pub(super) fn error(&self) -> String {
        let error = self.result.as_ref().expect_err("a configuration that cannot be used");
        let hint = error.hint().map(|hint| format!("\nhint: {hint}")).unwrap_or_default();
        self.shown(&format!("{error}{hint}"))
    }

    /// The warnings, one a line.
    pub(super) fn warnings(&self) -> String {
        let lines: Vec<String> = self.config().warnings.iter().map(ToString::to_string).collect();
        self.shown(&lines.join("\n"))
    }

    /// Where the layers come from, the lowest first, and whether they count.
    pub(super) fn layers(&self) -> String {
        let lines: Vec<String> = self
            .config()
            .layers
            .iter()
            .map(|layer| match layer.standing {
                LayerStanding::Used => format!("{} used", layer.source),
                LayerStanding::Ignored(trust) => format!("{} ignored {trust:?}", layer.source),
            })
            .collect();
        self.shown(&lines.join("\n"))
    }
}

/// Lays a fixture out and loads the configuration that its program would have.
pub(super) async fn load_fixture(fixture: &str) -> Loaded {
    let directory = Fixture::parse(fixture).lay_out();
    let overrides: Vec<String> = directory.args().into_iter().filter(|it| it != "-c").collect();
    let file_system = file_system_under_test();
    let result = load(&ConfigSources {
        file_system: &*file_system,
        codex_home: &directory.codex_home(),
        system_config: Some(&directory.path("etc/config.toml")),
        home: Some(&directory.path("user")),
        cwd: &directory.cwd(),
        overrides: &overrides,
        assumed_trust: None,
    })
    .await;
    Loaded { directory, result }
}

/// Loads what stands in the person's own file, in an empty directory.
pub(super) async fn load_text(text: &str) -> Loaded {
    load_fixture(&format!("//- d/\n//- home/config.toml\n{text}\n//- cwd: d\n")).await
}

/// Loads with one `-c` and nothing else.
async fn load_override(argument: &str) -> Loaded {
    let directory = Fixture::parse("//- d/\n//- home/config.toml = \"\"\n//- cwd: d\n").lay_out();
    let file_system = file_system_under_test();
    let result = load(&ConfigSources {
        file_system: &*file_system,
        codex_home: &directory.codex_home(),
        system_config: None,
        home: None,
        cwd: &directory.cwd(),
        overrides: &[argument.to_owned()],
        assumed_trust: None,
    })
    .await;
    Loaded { directory, result }
}

#[tokio::test]
async fn without_any_file_everything_has_its_default() {
    let loaded = load_text("").await;
    let config = loaded.config();
    assert_eq!(config.agents_md.project_doc_max_bytes, 32_768);
    assert_eq!(config.agents_md.project_root_markers, [".git"]);
    assert_eq!(config.model.provider, "openai");
    assert_eq!(config.model.model, None);
    assert_eq!(config.instructions.base_instructions, None);
    assert!(config.instructions.include_environment_context);
    assert_eq!(config.trust.level, None);
    assert_eq!(loaded.warnings(), "");
}

#[tokio::test]
async fn every_key_of_agents_md_model_and_instructions_is_read() {
    let loaded = load_text(
        r#"
project_doc_max_bytes = 10
project_doc_fallback_filenames = [" A.md ", "", "B.md"]
project_root_markers = ["", ".hg"]
model = "m"
model_provider = "p"
model_context_window = 0x10
model_auto_compact_token_limit = 1_000
developer_instructions = " be brief "
personality = "friendly"
include_permissions_instructions = false
include_environment_context = false
include_environment_context_time = false
skills.include_instructions = false
instructions = " base "
[model_providers.p]
name = "P"
base_url = "http://p"
env_key = "KEY"
env_key_instructions = "ask P"
experimental_bearer_token = "sk-hidden"
env_http_headers = { "X-B" = "B" }
http_headers = { "X-A" = "1" }
query_params = { v = "2" }
wire_api = "responses"
request_max_retries = 1
stream_max_retries = 2
stream_idle_timeout_ms = 3000
[features]
goals = false
multi_agent_v2 = { enabled = true, other = 1 }
"#,
    )
    .await;
    let config = loaded.config();
    assert_eq!(config.agents_md.project_doc_max_bytes, 10);
    assert_eq!(config.agents_md.project_doc_fallback_filenames, ["A.md", "B.md"]);
    assert_eq!(config.agents_md.project_root_markers, ["", ".hg"]);
    assert_eq!(config.model.model.as_deref(), Some("m"));
    assert_eq!(config.model.context_window, Some(16));
    assert_eq!(config.model.auto_compact_token_limit, Some(1000));
    assert_eq!(
        config.model.providers[&config.model.provider],
        ModelProvider {
            name: "P".into(),
            base_url: Some("http://p".into()),
            env_key: Some("KEY".into()),
            env_key_instructions: Some("ask P".into()),
            bearer_token: ApiKey::new("sk-hidden"),
            env_http_headers: [("X-B".into(), "B".into())].into(),
            http_headers: [("X-A".into(), "1".into())].into(),
            query_params: [("v".into(), "2".into())].into(),
            request_max_retries: Some(1),
            stream_max_retries: Some(2),
            stream_idle_timeout: Some(Duration::from_secs(3)),
        }
    );
    assert!(!format!("{config:?}").contains("sk-hidden"), "a key is never shown");
    let instructions = &config.instructions;
    assert_eq!(instructions.developer_instructions.as_deref(), Some(" be brief "));
    assert_eq!(instructions.personality, Some(Personality::Friendly));
    assert_eq!(
        (
            instructions.include_permissions_instructions,
            instructions.include_environment_context,
            instructions.include_environment_context_time,
        ),
        (false, false, false)
    );
    assert_eq!(config.skills, SkillsConfig { include_instructions: false });
    let base = instructions.base_instructions.as_ref().expect("base instructions");
    assert_eq!((base.text.as_str(), base.file.as_deref()), (" base ", None));
    assert_eq!(config.features, [("goals".into(), false), ("multi_agent_v2".into(), true)].into());
    assert_eq!(loaded.warnings(), "");
}

#[tokio::test]
async fn a_built_in_provider_is_there_without_being_configured() {
    let loaded = load_text("model_provider = \"ollama\"").await;
    let model = &loaded.config().model;
    let url = model.providers[&model.provider].base_url.as_deref();
    assert_eq!(url, Some("http://localhost:11434/v1"));
    let loaded = load_text("openai_base_url = \"http://o\"").await;
    let url = loaded.config().model.providers["openai"].base_url.as_deref();
    assert_eq!(url, Some("http://o"));
}

#[tokio::test]
async fn empty_developer_instructions_are_none_and_blank_ones_are_kept() {
    for (written, expected) in [("\"\"", None), ("\" \"", Some(" "))] {
        let loaded = load_text(&format!("developer_instructions = {written}")).await;
        assert_eq!(loaded.config().instructions.developer_instructions.as_deref(), expected);
    }
}

#[tokio::test]
async fn base_instructions_from_a_file_are_trimmed_and_win_over_the_key() {
    let loaded = load_fixture(
        r#"
        //- home/config.toml
        instructions = "key"
        model_instructions_file = "sub/../b.md"
        //- home/b.md = " \n BASE \n\n"
        //- cwd: home
        "#,
    )
    .await;
    let base = loaded.config().instructions.base_instructions.as_ref().expect("base instructions");
    assert_eq!(base.text, "BASE");
    assert_eq!(base.file, Some(loaded.directory.path("home/b.md")));
    assert_eq!(loaded.shown(&base.location), "$ROOT/home/config.toml:2:27");
}

#[tokio::test]
async fn a_relative_path_starts_where_it_is_written() {
    for (args, expected) in [
        ("", "home/b.md"),
        ("//- args: -c model_instructions_file=b.md", "d/b.md"),
        ("//- args: -c model_instructions_file=~/b.md", "user/b.md"),
        ("//- args: -c model_instructions_file=$ROOT/b.md", "b.md"),
    ] {
        let loaded = load_fixture(&format!(
            "//- home/config.toml\nmodel_instructions_file = \"b.md\"\n//- home/b.md = \"x\"\n//- d/b.md = \"x\"\n\
             //- user/b.md = \"x\"\n//- b.md = \"x\"\n//- cwd: d\n{args}\n"
        ))
        .await;
        let base = loaded.config().instructions.base_instructions.as_ref();
        let file = base.and_then(|it| it.file.clone());
        assert_eq!(file, Some(loaded.directory.path(expected)), "{args}");
    }
}

#[tokio::test]
async fn layers_are_laid_over_each_other_table_by_table() {
    let loaded = load_fixture(
        r#"
        //- etc/config.toml
        model = "system"
        developer_instructions = "system"
        project_doc_max_bytes = 1
        //- home/config.toml
        model = "user"
        project_doc_fallback_filenames = ["A"]
        sandbox_mode = "workspace-write"
        [sandbox_workspace_write]
        exclude_slash_tmp = true
        [projects."$ROOT/repo"]
        trust_level = "trusted"
        //- repo/.git/HEAD = ""
        //- repo/.codex/config.toml
        model = "project"
        project_doc_fallback_filenames = ["B"]
        [sandbox_workspace_write]
        network_access = true
        //- repo/sub/.codex/config.toml
        personality = "pragmatic"
        model = "sub"
        //- cwd: repo/sub
        //- args: -c project_doc_max_bytes=7 -c project_doc_max_bytes=8
        "#,
    )
    .await;
    insta::assert_snapshot!(loaded.layers(), @r"
    $ROOT/etc/config.toml used
    $ROOT/home/config.toml used
    $ROOT/repo/.codex/config.toml used
    $ROOT/repo/sub/.codex/config.toml used
    -c used
    -c used
    ");
    let config = loaded.config();
    assert_eq!(config.model.model.as_deref(), Some("sub"));
    assert_eq!(config.instructions.developer_instructions.as_deref(), Some("system"));
    assert_eq!(config.instructions.personality, Some(Personality::Pragmatic));
    assert_eq!(config.agents_md.project_doc_max_bytes, 8);
    assert_eq!(config.agents_md.project_doc_fallback_filenames, ["B"]);
    let told = super::config_permissions::told(&loaded);
    assert!(told.contains("network enabled") && !told.contains(":slash_tmp"), "{told}");
}

#[tokio::test]
async fn a_wrong_value_that_a_higher_layer_replaces_is_no_fault() {
    let fixture = "//- d/\n//- home/config.toml\nmodel = 3\n//- cwd: d\n//- args: -c model=x\n";
    assert_eq!(load_fixture(fixture).await.config().model.model.as_deref(), Some("x"));
}

#[tokio::test]
async fn the_value_of_an_override_is_toml_or_else_the_text_itself() {
    for (argument, expected) in [
        ("developer_instructions=\"a b\"", "a b"),
        ("developer_instructions=a b", "a b"),
        (" developer_instructions = a b ", "a b"),
        ("developer_instructions=a=b", "a=b"),
        ("developer_instructions=\"abc", "abc"),
        ("developer_instructions='a b", "a b"),
        ("developer_instructions=\"a\"b\"", "a\"b"),
        ("developer_instructions=[1", "[1"),
        ("developer_instructions=it's", "it's"),
        ("developer_instructions=1979-05-27", "1979-05-27"),
        ("developer_instructions=a\nb", "a\nb"),
        ("developer_instructions=\"a\" # why", "a"),
    ] {
        let loaded = load_override(argument).await;
        let instructions = &loaded.config().instructions;
        assert_eq!(instructions.developer_instructions.as_deref(), Some(expected), "{argument}");
        assert_eq!(loaded.warnings(), "", "{argument}");
    }
}

#[tokio::test]
async fn quotes_in_the_key_of_an_override_match_nothing_and_a_warning_says_what_to_write() {
    for (argument, instead) in [
        ("'model'=a", r#"model="a""#),
        ("projects.\"/a.b\".trust_level=trusted", r#"projects={"/a.b"={trust_level="trusted"}}"#),
        (
            "model_providers . 'x' . request_max_retries = 3",
            "model_providers={x={request_max_retries=3}}",
        ),
        (
            "projects.\"it's\".trust_level='trusted'",
            r#"projects={"it'\''s"={trust_level="trusted"}}"#,
        ),
    ] {
        let loaded = load_override(argument).await;
        let warning = format!(
            "-c: quotes mean nothing in the key, so it matches nothing; write -c '{instead}'"
        );
        assert_eq!(loaded.warnings(), warning, "{argument}");
        assert_eq!(loaded.config().model.model, None);
    }
    let loaded = load_override("model_providers={\"a.b=c\"={name=\"N\"}}").await;
    assert!(loaded.config().model.providers.contains_key("a.b=c"));
    assert_eq!(loaded.warnings(), "");
}

#[tokio::test]
async fn an_override_is_split_at_every_dot_and_a_key_deeper_than_any_is_no_fault() {
    assert_eq!(load_override(".model=a").await.config().model.model, None);
    assert_eq!(
        load_override(&format!("{}=x", "a.".repeat(20_000))).await.config().warnings.len(),
        1
    );
}

#[tokio::test]
async fn a_path_may_stand_unquoted_in_an_override() {
    let loaded = load_override("projects./a/b.trust_level=no").await;
    insta::assert_snapshot!(loaded.error(), @r#"-c: projects."/a/b".trust_level: expected `trusted` or `untrusted`, found a string "no""#);
}

#[tokio::test]
async fn a_byte_order_mark_and_carriage_returns_are_no_fault() {
    let loaded = load_fixture(
        "//- d/\n//- home/config.toml = \"\\xEF\\xBB\\xBFmodel = \\\"b\\\"\\r\\n\"\n//- cwd: d\n",
    );
    assert_eq!(loaded.await.config().model.model.as_deref(), Some("b"));
}

#[tokio::test(start_paused = true)]
async fn the_whole_configuration_takes_four_round_trips() {
    let deep = "d/".repeat(40);
    let directory = Fixture::parse(&format!(
        "//- repo/.git/HEAD = \"\"\n//- repo/{deep}.codex/config.toml = \"\"\n//- home/b.md = \"x\"\n\
         //- home/config.toml\nmodel_instructions_file = \"b.md\"\n\
         [projects.\"$ROOT/repo\"]\ntrust_level = \"trusted\"\n//- cwd: repo/{deep}\n"
    ))
    .lay_out();
    let start = Instant::now();
    let config = load(&ConfigSources {
        file_system: &DistantFileSystem::new(Arc::new(LocalFileSystem)),
        codex_home: &directory.codex_home(),
        system_config: None,
        home: None,
        cwd: &directory.cwd(),
        overrides: &[],
        assumed_trust: None,
    })
    .await
    .expect("a configuration that can be used");
    assert_eq!(start.elapsed(), 4 * LATENCY);
    assert_eq!(config.layers.len(), 2);
}
