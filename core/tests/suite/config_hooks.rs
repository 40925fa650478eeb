//! Hooks, from the files and arguments that may configure them.

use std::path::Path;
use std::time::Duration;

use insta::assert_snapshot;
use pretty_assertions::assert_eq;
use recto_core::config::{HookConfig, KNOWN_KEYS};
use recto_core::hooks::{HookEvent, HookMatcher, HookSpec};

use super::config::{Loaded, load_fixture, load_text};

/// A hook in TOML.
fn toml(event: &str, command: &str) -> String {
    format!(
        "[[hooks.{event}]]\n[[hooks.{event}.hooks]]\ntype = \"command\"\ncommand = \"{command}\"\n"
    )
}

/// Loads a `hooks.json` without a `config.toml`.
async fn load_json(text: &str) -> Loaded {
    load_fixture(&format!("//- d/\n//- home/hooks.json\n{text}\n//- cwd: d\n")).await
}

/// `EVENT COMMAND (TIMEOUT) from SOURCE`, one a line.
fn shown(loaded: &Loaded) -> String {
    let line = |hook: &HookConfig| {
        let timeout = hook.timeout.map(|it| format!(" ({it:?})")).unwrap_or_default();
        format!("{} {}{timeout} from {}", hook.event, hook.command, hook.source.display())
    };
    let lines: Vec<String> = loaded.config().hooks.iter().map(line).collect();
    loaded.shown(&lines.join("\n"))
}

#[tokio::test]
async fn hooks_of_all_layers_count_and_the_json_file_stands_before_the_persons_toml() {
    let loaded = load_fixture(&format!(
        "//- d/\n//- etc/config.toml\n{}\n//- home/config.toml\n{}\n//- home/hooks.json\n{}\n//- cwd: d\n//- args: -c {}\n",
        toml("Stop", "system"),
        toml("Stop", "user"),
        r#"{"description": "d", "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "json"}]}]}}"#,
        r#"'hooks.Stop=[{hooks=[{type="command",command="argument"}]}]'"#,
    ))
    .await;
    assert_snapshot!(shown(&loaded), @r"
    Stop system from $ROOT/etc/config.toml
    Stop json from $ROOT/home/hooks.json
    Stop user from $ROOT/home/config.toml
    Stop argument from /<session-flags>/config.toml
    ");
    assert_eq!(loaded.warnings(), "");
    assert_snapshot!(loaded.layers(), @r"
    $ROOT/etc/config.toml used
    $ROOT/home/config.toml used
    $ROOT/home/hooks.json used
    -c used
    ");
}

#[tokio::test]
async fn a_group_gives_its_matcher_to_each_of_its_hooks_in_order() {
    let text = r#"
        {"hooks": {"SessionStart": [
          {"matcher": "startup|resume", "hooks": [
            {"type": "command", "command": "one", "timeout": 2, "statusMessage": "s"},
            {"type": "command", "command": "two", "timeout": 0, "async": false}
          ]},
          {"matcher": null, "hooks": [{"type": "command", "command": "three \u00e9"}]},
          {"matcher": "*"}
        ]}}"#;
    let loaded = load_json(text).await;
    assert_snapshot!(shown(&loaded), @r"
    SessionStart one (2s) from $ROOT/home/hooks.json
    SessionStart two (1s) from $ROOT/home/hooks.json
    SessionStart three é from $ROOT/home/hooks.json
    ");
    let matchers = loaded.config().hooks.iter().map(|hook| hook.matcher.clone());
    let named = HookMatcher::new("startup|resume").expect("a matcher");
    assert_eq!(matchers.collect::<Vec<_>>(), [named.clone(), named, HookMatcher::default()]);
    assert_eq!(loaded.warnings(), "");
}

#[tokio::test]
async fn a_project_may_not_configure_hooks() {
    let project = toml("Stop", "evil");
    let loaded = load_fixture(&format!(
        "//- repo/.git/HEAD = \"\"\n//- repo/.codex/config.toml\n{project}\n//- home/config.toml\n\
         [projects.\"$ROOT/repo\"]\ntrust_level = \"trusted\"\n{}\n//- cwd: repo\n",
        toml("Stop", "mine"),
    ))
    .await;
    assert_snapshot!(shown(&loaded), @"Stop mine from $ROOT/home/config.toml");
    assert_snapshot!(loaded.warnings(), @"$ROOT/repo/.codex/config.toml:1:3: a project's own configuration may not set `hooks`; it is ignored");
}

#[tokio::test]
async fn a_file_of_hooks_in_a_project_is_not_read_whether_the_project_is_trusted_or_not() {
    for trust in ["trusted", "untrusted"] {
        let loaded = load_fixture(&format!(
            "//- repo/.git/HEAD = \"\"\n//- repo/.codex/hooks.json\n{{\n//- repo/d/.codex/hooks.json\n{{\n\
             //- home/config.toml\n[projects.\"$ROOT/repo\"]\ntrust_level = \"{trust}\"\n//- cwd: repo/d\n",
        ))
        .await;
        assert_eq!(loaded.config().hooks, []);
        let warning = "hooks.json: not read, because a project brings no hooks";
        let told =
            ["$ROOT/repo/.codex/", "$ROOT/repo/d/.codex/"].map(|it| format!("{it}{warning}"));
        assert_eq!(loaded.warnings(), told.join("\n"));
    }
    let off = "//- repo/.git/HEAD = \"\"\n//- repo/.codex/hooks.json\n{\n//- home/config.toml\n\
               features.hooks = false\n//- home/hooks.json\n{\n//- cwd: repo\n";
    assert_eq!(load_fixture(off).await.warnings(), "");
}

#[tokio::test]
async fn a_matcher_that_cannot_be_understood_keeps_its_hooks_back_and_no_others() {
    let hook = |matcher: &str, command: &str| {
        format!(
            "[[hooks.SessionStart]]\nmatcher = \"{matcher}\"\n[[hooks.SessionStart.hooks]]\n\
             type = \"command\"\ncommand = \"{command}\"\n"
        )
    };
    let loaded = load_text(&(hook("(", "no") + &hook("start.*", "yes"))).await;
    assert_snapshot!(shown(&loaded), @"SessionStart yes from $ROOT/home/config.toml");
    assert_snapshot!(loaded.warnings(), @"$ROOT/home/config.toml:2:11: `hooks.SessionStart.matcher` cannot be understood: it is no regular expression: unclosed group; its hooks are not run");
}

#[tokio::test]
async fn the_feature_turns_them_off_and_what_is_wrong_stays_wrong() {
    let off = "[features]\nhooks = false\n";
    let loaded = load_text(&format!("{off}{}", toml("Stop", "x"))).await;
    assert_eq!(loaded.config().hooks, []);
    let loaded = load_text(&format!("{off}[hooks]\nStop = [{{ hooks = 1 }}]")).await;
    assert_snapshot!(loaded.error(), @"$ROOT/home/config.toml:4:19: hooks.Stop.hooks: expected a list of tables, found a whole number 1");
}

#[tokio::test]
async fn what_is_not_run_is_named() {
    let text = r#"{"hooks": {
  "PreToolUse": [{"hooks": []}],
  "PostCompact": [],
  "Stopp": [],
  "state": {"x": {}},
  "SessionStart": [{"matcher": "(", "hooks": [{"type": "command", "command": "no"}]}, {"hooks": [{"type": "prompt", "prompt": "x"}]}],
  "Stop": [{"matcher": "(", "hooks": [
    {"type": "command", "command": " "},
    {"type": "command", "command": "x", "async": true, "timeout_sec": 3}
  ]}]
}}"#;
    let loaded = load_json(text).await;
    assert_snapshot!(shown(&loaded), @"Stop x from $ROOT/home/hooks.json");
    assert_snapshot!(loaded.warnings(), @"
    $ROOT/home/hooks.json:2:17: `hooks.PreToolUse` is not read: hooks of this event are not run here
    $ROOT/home/hooks.json:4:12: unknown key `hooks.Stopp`; did you mean `hooks.Stop`?
    $ROOT/home/hooks.json:6:32: `hooks.SessionStart.matcher` cannot be understood: it is no regular expression: unclosed group; its hooks are not run
    $ROOT/home/hooks.json:6:107: `hooks.SessionStart.hooks.type` is not read: only hooks of the type `command` are run
    $ROOT/home/hooks.json:8:36: `hooks.Stop.hooks.command` is not read: there is nothing to run
    $ROOT/home/hooks.json:9:50: `hooks.Stop.hooks.async` is not read: every hook is waited for
    $ROOT/home/hooks.json:9:71: unknown key `hooks.Stop.hooks.timeout_sec`
    ");
    let loaded = load_text(&toml("PreCompact", "x")).await;
    assert_snapshot!(loaded.warnings(), @"$ROOT/home/config.toml:1:9: `hooks.PreCompact` is not read: hooks of this event are not run here");
}

#[tokio::test]
async fn a_malformed_json_file_is_told_with_its_place_and_the_rest_goes_on() {
    let mut told = Vec::new();
    for text in [
        "{",
        "\n  [1]",
        "{\"hooks\": {\"Stop\": [{\"hooks\": [{\"type\": \"command\", \"command\": 3}]}]}}",
        "{\"hooks\":\n {\"Stop\": [{\"hooks\": [{\"type\": \"command\"}]}]}}",
        "{\"hooks\": {\"Stop\": [{\"hooks\": [{\"command\": \"x\"}]}]}}",
        "{\"hooks\": {\"Stop\": [{\"hooks\": [{\"type\": \"odd\"}]}]}}",
        "{\"hooks\": {\"Stop\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"x\", \"timeout\": -1}]}]}}",
        "{\"hooks\": {\"Stop\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"x\", \"timeout\": 1.5}]}]}}",
        "{\"hooks\": {\"Stop\": [null]}}",
        "{\"hooks\": {\"Stop\": {}}}",
        "{\"hooks\": []}",
        "{\"Stop\": []}",
        "é\": 1}",
    ] {
        let loaded = load_json(text).await;
        assert_eq!(loaded.config().hooks, []);
        assert_eq!(loaded.layers(), "$ROOT/home/config.toml used");
        told.push(loaded.warnings());
    }
    assert_snapshot!(told.join("\n"), @r#"
    $ROOT/home/hooks.json:2:1: EOF while parsing an object; no hook of this file is run
    $ROOT/home/hooks.json:2:3: expected an object, found a list; no hook of this file is run
    $ROOT/home/hooks.json:1:63: hooks.Stop.hooks.command: expected a string, found a whole number 3; no hook of this file is run
    $ROOT/home/hooks.json:2:23: hooks.Stop.hooks.command: expected a string, found nothing; no hook of this file is run
    $ROOT/home/hooks.json:1:32: hooks.Stop.hooks.type: expected a string, found nothing; no hook of this file is run
    $ROOT/home/hooks.json:1:41: hooks.Stop.hooks.type: expected `command`, `mcp_tool`, `prompt` or `agent`, found a string "odd"; no hook of this file is run
    $ROOT/home/hooks.json:1:79: hooks.Stop.hooks.timeout: expected a whole number, found a negative number -1; no hook of this file is run
    $ROOT/home/hooks.json:1:79: hooks.Stop.hooks.timeout: expected a whole number, found a decimal number 1.5; no hook of this file is run
    $ROOT/home/hooks.json:1:21: hooks.Stop: expected a table, found null; no hook of this file is run
    $ROOT/home/hooks.json:1:20: hooks.Stop: expected a list of tables, found a table; no hook of this file is run
    $ROOT/home/hooks.json:1:11: hooks: expected a table, found a list; no hook of this file is run
    $ROOT/home/hooks.json:1:10: Stop: expected `description` and `hooks` alone, found a list; no hook of this file is run
    $ROOT/home/hooks.json:1:1: expected value; no hook of this file is run
    "#);
    let deep = "[".repeat(100_000);
    assert_snapshot!(load_json(&deep).await.warnings(), @"$ROOT/home/hooks.json:1:128: recursion limit exceeded; no hook of this file is run");
}

#[test]
fn every_event_that_can_be_configured_is_run_and_the_other_way_round() {
    let mut configured: Vec<&str> =
        KNOWN_KEYS.iter().filter_map(|key| key.path.strip_prefix("hooks.")).collect();
    let mut run: Vec<&str> = HookEvent::ALL.into_iter().map(HookEvent::as_str).collect();
    configured.sort_unstable();
    run.sort_unstable();
    assert_eq!(configured, run);
}

#[test]
fn a_configured_hook_becomes_one_that_runs() {
    let hook = HookConfig {
        event: "SessionStart".to_owned(),
        matcher: HookMatcher::new("startup").expect("a matcher"),
        command: "x".to_owned(),
        timeout: Some(Duration::from_secs(2)),
        source: Path::new("/home/hooks.json").to_owned(),
    };
    let spec = HookSpec {
        event: HookEvent::SessionStart,
        matcher: hook.matcher.clone(),
        command: "x".to_owned(),
        timeout: Duration::from_secs(2),
        source: Path::new("/home/hooks.json").to_owned(),
    };
    assert_eq!(HookSpec::configured(&hook), Some(spec));
    let patient = HookConfig { timeout: None, ..hook.clone() };
    let timeout = HookSpec::configured(&patient).map(|it| it.timeout);
    assert_eq!(timeout, Some(Duration::from_mins(10)));
    assert_eq!(HookSpec::configured(&HookConfig { event: "Odd".to_owned(), ..hook }), None);
}
