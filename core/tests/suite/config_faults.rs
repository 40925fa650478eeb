//! What is wrong with a configuration, in words.

use insta::assert_snapshot;
use pretty_assertions::assert_eq;
use recto_core::config::{ConfigError, LayerSource, Location, ValueError};

use super::config::{load_fixture, load_text};

async fn error(text: &str) -> String {
    load_text(text).await.error()
}

async fn warnings(text: &str) -> String {
    load_text(text).await.warnings()
}

async fn override_error(argument: &str) -> String {
    load_fixture(&format!("//- d/\n//- cwd: d\n//- args: -c '{argument}'\n")).await.error()
}

#[tokio::test]
async fn a_value_of_the_wrong_type_is_told_with_place_key_expected_and_found() {
    assert_snapshot!(error("\n\nproject_doc_max_bytes = \"10\"").await, @r#"
    $ROOT/home/config.toml:3:25: project_doc_max_bytes: expected a whole number, found a string "10"
    hint: write 10 without quotes
    "#);
    assert_snapshot!(error("project_doc_max_bytes = -1").await, @"$ROOT/home/config.toml:1:25: project_doc_max_bytes: expected a whole number, found a negative number -1");
    assert_snapshot!(error("project_doc_max_bytes = 1.5").await, @"$ROOT/home/config.toml:1:25: project_doc_max_bytes: expected a whole number, found a decimal number 1.5");
    assert_snapshot!(error("project_doc_max_bytes = 9223372036854775808").await, @"$ROOT/home/config.toml:1:25: project_doc_max_bytes: expected a whole number, found a number that is too large, 9223372036854775808");
    assert_snapshot!(error("model_context_window = -5").await, @"$ROOT/home/config.toml:1:24: model_context_window: expected a whole number, found a negative number -5");
    assert_snapshot!(error("model = 3").await, @"$ROOT/home/config.toml:1:9: model: expected a string, found a whole number 3");
    assert_snapshot!(error("model = 1979-05-27").await, @"$ROOT/home/config.toml:1:9: model: expected a string, found a date 1979-05-27");
    assert_snapshot!(error("features = { 'éü' = 2 }").await, @r#"$ROOT/home/config.toml:1:21: features."éü": expected true or false, or a table, found a whole number 2"#);
    assert_snapshot!(error("project_root_markers = \".git\"").await, @r#"$ROOT/home/config.toml:1:24: project_root_markers: expected a list of strings, found a string ".git""#);
    assert_snapshot!(error("project_root_markers = [\"a\", 1]").await, @"$ROOT/home/config.toml:1:30: project_root_markers: expected a string, found a whole number 1");
    assert_snapshot!(error("include_environment_context = \"false\"").await, @r#"
    $ROOT/home/config.toml:1:31: include_environment_context: expected true or false, found a string "false"
    hint: write false without quotes
    "#);
    assert_snapshot!(error("projects = 3").await, @"$ROOT/home/config.toml:1:12: projects: expected a table, found a whole number 3");
    assert_snapshot!(error("[projects]\n\"/a b\" = \"trusted\"").await, @r#"$ROOT/home/config.toml:2:10: projects."/a b": expected a table, found a string "trusted""#);
    assert_snapshot!(error("[projects.\"/a b\"]\ntrust_level = \"Trusted\"").await, @r#"
    $ROOT/home/config.toml:2:15: projects."/a b".trust_level: expected `trusted` or `untrusted`, found a string "Trusted"
    hint: did you mean `trusted`?
    "#);
    assert_snapshot!(error("sandbox_mode = \"workspace-writ\"").await, @r#"
    $ROOT/home/config.toml:1:16: sandbox_mode: expected `read-only`, `workspace-write` or `danger-full-access`, found a string "workspace-writ"
    hint: did you mean `workspace-write`?
    "#);
    assert_snapshot!(error("personality = \"\"").await, @r#"$ROOT/home/config.toml:1:15: personality: expected `none`, `friendly` or `pragmatic`, found a string """#);
    assert_snapshot!(error("sandbox_workspace_write.writable_roots = [{}]").await, @"$ROOT/home/config.toml:1:43: sandbox_workspace_write.writable_roots: expected a path, found a table");
    assert_snapshot!(error("features.goals = \"true\"").await, @r#"
    $ROOT/home/config.toml:1:18: features.goals: expected true or false, or a table, found a string "true"
    hint: write true without quotes
    "#);
    assert_snapshot!(error("[features]\nproject_doc_max_bytes = 3").await, @r"
    $ROOT/home/config.toml:2:25: features.project_doc_max_bytes: expected true or false, or a table, found a whole number 3
    hint: `project_doc_max_bytes` belongs at the top level, above every [table]
    ");
    assert_snapshot!(error(&format!("personality = \"{}\"", "é".repeat(100))).await, @r#"$ROOT/home/config.toml:1:15: personality: expected `none`, `friendly` or `pragmatic`, found a string "éééééééééééééééééééééééééééééééééééééééé…""#);
}

#[tokio::test]
async fn an_error_is_data_too() {
    let loaded = load_text("model = 3").await;
    let path = loaded.directory.path("home/config.toml");
    assert_eq!(
        loaded.result,
        Err(ConfigError::Value(Box::new(ValueError {
            location: Location { source: LayerSource::User { path }, line: 1, column: 9 },
            key: "model".into(),
            expected: "a string".into(),
            found: "a whole number 3".into(),
            hint: None,
        })))
    );
}

#[tokio::test]
async fn of_several_faults_the_first_one_of_the_lowest_layer_is_told() {
    let loaded = load_fixture(
        "//- d/\n//- home/config.toml\nsandbox_mode = 1\nmodel = 2\n//- cwd: d\n//- args: -c approval_policy=3\n",
    );
    assert_snapshot!(loaded.await.error(), @"$ROOT/home/config.toml:1:16: sandbox_mode: expected `read-only`, `workspace-write` or `danger-full-access`, found a whole number 1");
}

#[tokio::test]
async fn approval_policies_are_words_or_a_table() {
    assert_snapshot!(error("approval_policy = \"nevr\"").await, @r#"
    $ROOT/home/config.toml:1:19: approval_policy: expected `on-request`, `on-failure` or `never`, or a table `granular`, found a string "nevr"
    hint: did you mean `never`?
    "#);
    assert_snapshot!(error("approval_policy = \"untrusted\"").await, @r#"
    $ROOT/home/config.toml:1:19: approval_policy: expected `on-request`, `on-failure` or `never`, or a table `granular`, found a string "untrusted"
    hint: it is what an untrusted project has anyway; remove this setting
    "#);
    assert_snapshot!(error("approval_policy = {}").await, @"$ROOT/home/config.toml:1:19: approval_policy: expected `on-request`, `on-failure` or `never`, or a table `granular`, found a table");
    assert_snapshot!(error("approval_policy = { granular = 1 }").await, @"$ROOT/home/config.toml:1:32: approval_policy.granular: expected a table, found a whole number 1");
    assert_snapshot!(error("approval_policy = { granular = { rules = true } }").await, @"$ROOT/home/config.toml:1:32: approval_policy.granular.sandbox_approval: expected true or false, found nothing");
    assert_snapshot!(error("approval_policy.granular = { sandbox_approval = 1 }").await, @"$ROOT/home/config.toml:1:49: approval_policy.granular.sandbox_approval: expected true or false, found a whole number 1");
}

#[tokio::test]
async fn a_provider_needs_a_name_and_an_id_of_its_own() {
    assert_snapshot!(error("model_provider = \"olama\"").await, @r#"
    $ROOT/home/config.toml:1:18: model_provider: expected the id of a provider, found a string "olama"
    hint: did you mean `ollama`?
    "#);
    assert_snapshot!(error("model_provider = \"mine.eu\"").await, @r#"
    $ROOT/home/config.toml:1:18: model_provider: expected the id of a provider, found a string "mine.eu"
    hint: describe it in [model_providers."mine.eu"]
    "#);
    assert_snapshot!(error("[model_providers.x]\nbase_url = \"http://x\"").await, @"$ROOT/home/config.toml:1:1: model_providers.x.name: expected a name that is not blank, found nothing");
    assert_snapshot!(error("[model_providers.x]\nname = \" \"").await, @r#"$ROOT/home/config.toml:2:8: model_providers.x.name: expected a name that is not blank, found a string " ""#);
    assert_snapshot!(error("[model_providers.openai]\nname = \"x\"").await, @r"
    $ROOT/home/config.toml:1:1: model_providers: expected an id that is not built in, found `openai`
    hint: give the provider an id of your own and name it in `model_provider`
    ");
    assert_snapshot!(error("[model_providers.x]\nname = \"x\"\nwire_api = \"chat\"").await, @r#"
    $ROOT/home/config.toml:3:12: model_providers.x.wire_api: expected `responses`, found a string "chat"
    hint: the chat protocol is not spoken any more; write "responses"
    "#);
    assert_snapshot!(error("[model_providers.x]\nname = \"x\"\nhttp_headers = { a = 1 }").await, @"$ROOT/home/config.toml:3:22: model_providers.x.http_headers.a: expected a string, found a whole number 1");
    assert_eq!(warnings("[model_providers.amazon-bedrock]\nbase_url = \"http://x\"").await, "");
}

#[tokio::test]
async fn what_is_no_toml_is_told_with_its_place() {
    assert_snapshot!(error("model = \"a\"\nmodel =").await, @"$ROOT/home/config.toml:2:8: string values must be quoted, expected literal string");
    assert_snapshot!(error("model = \"a\"\nmodel = \"b\"").await, @"$ROOT/home/config.toml:2:1: duplicate key");
    assert_snapshot!(error("[tui]\n[tui]").await, @"$ROOT/home/config.toml:2:2: duplicate key");
    assert_snapshot!(error(&format!("a = {}", "[".repeat(10_000))).await, @"$ROOT/home/config.toml:1:85: cannot recurse further; max recursion depth met");
    let bytes = "//- d/\n//- home/config.toml = \"a = 1\\nb = \\\"\\xFF\\\"\"\n//- cwd: d\n";
    assert_snapshot!(load_fixture(bytes).await.error(), @"$ROOT/home/config.toml:2:6: the configuration is not UTF-8");
}

#[tokio::test]
async fn a_file_that_cannot_be_read_is_told() {
    let directory = "//- d/\n//- home/config.toml/\n//- cwd: d\n";
    assert_snapshot!(load_fixture(directory).await.error(), @"$ROOT/home/config.toml: the configuration cannot be read: a directory, not a regular file");
    let pipe = "//- d/\n//- home/config.toml |\n//- cwd: d\n";
    assert_snapshot!(load_fixture(pipe).await.error(), @"$ROOT/home/config.toml: the configuration cannot be read: a named pipe, not a regular file");
    let large = "//- d/\n//- home/config.toml = \"# \" \"x\"*1048575\n//- cwd: d\n";
    assert_snapshot!(load_fixture(large).await.error(), @"$ROOT/home/config.toml: the configuration has 1048577 bytes, more than the 1048576 that are read");
    let largest = "//- d/\n//- home/config.toml = \"# \" \"x\"*1048574\n//- cwd: d\n";
    assert_eq!(load_fixture(largest).await.warnings(), "");
    let link = "//- d/\n//- home/config.toml -> nowhere\n//- cwd: d\n";
    assert_eq!(load_fixture(link).await.layers(), "");
}

#[tokio::test]
async fn a_file_of_instructions_that_gives_no_text_is_told_with_its_key() {
    let with = |entry: &str| {
        format!(
            "//- home/config.toml\nmodel_instructions_file = \"b.md\"\n//- cwd: home\n{entry}\n"
        )
    };
    assert_snapshot!(load_fixture(&with("")).await.error(), @"$ROOT/home/config.toml:1:27: model_instructions_file: $ROOT/home/b.md: no such file or directory");
    assert_snapshot!(load_fixture(&with("//- home/b.md/")).await.error(), @"$ROOT/home/config.toml:1:27: model_instructions_file: $ROOT/home/b.md: a directory, not a regular file");
    assert_snapshot!(load_fixture(&with("//- home/b.md = \" \\n\"")).await.error(), @"$ROOT/home/config.toml:1:27: model_instructions_file: $ROOT/home/b.md: the file is empty");
    assert_snapshot!(load_fixture(&with("//- home/b.md = \"\\xFF\"")).await.error(), @"$ROOT/home/config.toml:1:27: model_instructions_file: $ROOT/home/b.md: the file is not UTF-8");
    assert_snapshot!(load_fixture(&with("//- home/b.md = \"x\"*1048577")).await.error(), @"$ROOT/home/config.toml:1:27: model_instructions_file: $ROOT/home/b.md: the file has 1048577 bytes, more than the 1048576 that are read");
}

#[tokio::test]
async fn an_override_needs_a_key_and_an_equals_sign() {
    assert_snapshot!(override_error("model").await, @r#"
    -c "model": expected `key=value`, found no `=`
    hint: write -c model=gpt-5.5, or -c 'projects={"/path"={trust_level="trusted"}}'
    "#);
    assert_snapshot!(override_error("=x").await, @r#"-c "=x": expected a key before the `=`"#);
    assert_snapshot!(override_error("project_doc_max_bytes=ten").await, @r#"-c: project_doc_max_bytes: expected a whole number, found a string "ten""#);
    assert_snapshot!(override_error("model.x=a").await, @"-c: model: expected a string, found a table");
    assert_snapshot!(override_error("model=0x10").await, @"-c: model: expected a string, found a whole number 0x10");
}

#[tokio::test]
async fn an_unknown_key_is_told_with_the_one_that_was_meant() {
    assert_snapshot!(warnings("project_doc_max_byte = 3").await, @"$ROOT/home/config.toml:1:1: unknown key `project_doc_max_byte`; did you mean `project_doc_max_bytes`?");
    assert_snapshot!(warnings("Model = 3").await, @"$ROOT/home/config.toml:1:1: unknown key `Model`; did you mean `model`?");
    assert_snapshot!(warnings("aproval-policy = 3").await, @"$ROOT/home/config.toml:1:1: unknown key `aproval-policy`; did you mean `approval_policy`?");
    assert_snapshot!(warnings("entirely_unrelated = 3").await, @"$ROOT/home/config.toml:1:1: unknown key `entirely_unrelated`");
    assert_snapshot!(warnings("[project.\"/x\"]\ntrust_level = \"trusted\"").await, @"$ROOT/home/config.toml:1:2: unknown key `project`; did you mean `projects`?");
    assert_snapshot!(warnings("[projects.\"/x\"]\ntrust = \"trusted\"\ntrust_lvl = 1").await, @r#"
    $ROOT/home/config.toml:2:1: unknown key `projects."/x".trust`
    $ROOT/home/config.toml:3:1: unknown key `projects."/x".trust_lvl`; did you mean `projects."/x".trust_level`?
    "#);
    assert_snapshot!(warnings("[model_providers.x]\nname = \"x\"\nbaseurl = \"y\"").await, @"$ROOT/home/config.toml:3:1: unknown key `model_providers.x.baseurl`; did you mean `model_providers.x.base_url`?");
    assert_snapshot!(warnings("[mcp_server.x]\ncommand = \"y\"").await, @"$ROOT/home/config.toml:1:2: unknown key `mcp_server`; did you mean `mcp_servers`?");
}

#[tokio::test]
async fn a_known_key_in_the_wrong_table_is_told_with_its_place() {
    assert_snapshot!(warnings("[tui]\nproject_doc_max_bytes = 3").await, @"$ROOT/home/config.toml:2:1: `project_doc_max_bytes` stands in [tui]; it belongs at the top level");
    assert_snapshot!(warnings("[projects.\"/x\"]\ntrust_level = \"trusted\"\nmodel = \"m\"").await, @r#"$ROOT/home/config.toml:3:1: `model` stands in [projects."/x"]; it belongs at the top level"#);
    assert_snapshot!(warnings("[mcp_servers.x]\ncommand = \"y\"\nproject_doc_max_bytes = 3").await, @"$ROOT/home/config.toml:3:1: `project_doc_max_bytes` stands in [mcp_servers.x]; it belongs at the top level");
    assert_snapshot!(warnings("[agents_md]\nproject_doc_max_bytes = 3").await, @"$ROOT/home/config.toml:2:1: `project_doc_max_bytes` stands in [agents_md]; it belongs at the top level");
    assert_snapshot!(warnings("network_access = true").await, @"$ROOT/home/config.toml:1:1: `network_access` stands at the top level; it belongs in [sandbox_workspace_write]");
    assert_snapshot!(warnings("trust_level = \"trusted\"").await, @r#"$ROOT/home/config.toml:1:1: `trust_level` stands at the top level; it belongs in [projects."…"]"#);
    assert_snapshot!(warnings("[sandbox_workspace_write]\nsandbox_mode = \"read-only\"").await, @"$ROOT/home/config.toml:2:1: `sandbox_mode` stands in [sandbox_workspace_write]; it belongs at the top level");
}

#[tokio::test]
async fn keys_that_only_codex_reads_are_no_fault() {
    let text = r#"
model_reasoning_effort = "high"
notify = ["a"]
[tui]
theme = "x"
[history]
persistence = "none"
[mcp_servers.x]
command = "y"
env = { model = "z", project_doc_max_bytes = "1" }
[mcp_servers.x.tools.model]
approval_mode = "auto"
[profiles.p]
model = "m"
personality = "none"
[hooks.state.x]
model = 1
[agents.reviewer]
model = "m"
[shell_environment_policy]
inherit = "all"
set = { model = "x" }
[model_providers.x]
name = "x"
env_http_headers = { a = "b" }
requires_openai_auth = false
auth = { command = "x" }
[desktop]
model = "x"
"#;
    assert_eq!(warnings(text).await, "");
}

#[tokio::test]
async fn fallback_names_that_cannot_count_are_told() {
    let text = "project_doc_fallback_filenames = [\"a/b\", 'a\\b', \"A\", \" A \", \" \"]";
    assert_snapshot!(warnings(text).await, @r#"
    $ROOT/home/config.toml:1:35: the fallback name "a/b" holds a path separator; it is ignored
    $ROOT/home/config.toml:1:54: the fallback name "A" stands in the list twice
    "#);
    let loaded = load_text(text).await;
    assert_eq!(loaded.config().agents_md.project_doc_fallback_filenames, ["a\\b", "A"]);
}

#[tokio::test]
async fn a_profile_chosen_by_the_old_key_is_refused() {
    assert_snapshot!(error("profile = \"p\"").await, @r#"
    $ROOT/home/config.toml:1:1: `profile = "p"` is no longer supported
    hint: remove the key, and write what the profile sets at the top level or behind -c
    "#);
    assert_snapshot!(error("profile = 1").await, @"$ROOT/home/config.toml:1:11: profile: expected a string, found a whole number 1");
    assert_eq!(warnings("[profiles.p]\nmodel = \"m\"").await, "");
}

#[tokio::test]
async fn a_key_that_a_project_may_not_set_must_have_its_type_there() {
    let fixture = "//- d/.codex/config.toml = \"project_root_markers = 1\"\n//- cwd: d\n//- home/config.toml\n\
                   [projects.\"$ROOT/d\"]\ntrust_level = \"trusted\"\n";
    assert_snapshot!(load_fixture(fixture).await.error(), @"$ROOT/d/.codex/config.toml:1:24: project_root_markers: expected a list of strings, found a whole number 1");
}

#[tokio::test]
async fn projects_that_match_no_directory_are_told() {
    assert_snapshot!(warnings("[projects.\"~/r\"]\n[projects.\"/a/\"]\n[projects.\"/a/../b\"]").await, @r#"
    $ROOT/home/config.toml:1:11: the project "~/r" matches no directory; a key is an absolute path without `.`, `..`, `~` or a slash at its end
    $ROOT/home/config.toml:2:11: the project "/a/" matches no directory; a key is an absolute path without `.`, `..`, `~` or a slash at its end
    $ROOT/home/config.toml:3:11: the project "/a/../b" matches no directory; a key is an absolute path without `.`, `..`, `~` or a slash at its end
    "#);
}

#[tokio::test]
async fn no_more_warnings_are_told_than_anybody_reads() {
    let inline: Vec<String> = (0..60_000).map(|number| format!("k{number}=1")).collect();
    let loaded = load_text(&format!("projects.\"/x\" = {{{}}}", inline.join(","))).await;
    assert_eq!(loaded.config().warnings.len(), 101);
    let last = loaded.config().warnings.last().map(ToString::to_string);
    assert_eq!(last.as_deref(), Some("and 59900 more warnings about the configuration"));
}
