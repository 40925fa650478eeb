//! Hooks in the person's configuration.

use std::path::Path;
use std::time::Duration;

use insta::assert_snapshot;
use pretty_assertions::assert_eq;
use recto_core::config::{Config, ConfigSources, HookConfig, load};
use recto_core::testing::MemoryFileSystem;

async fn loaded(files: &[(&str, &str)]) -> Config {
    let file_system = MemoryFileSystem::default();
    for (path, text) in files {
        file_system.write(*path, *text);
    }
    let sources = ConfigSources {
        file_system: &file_system,
        codex_home: Path::new("/home"),
        system_config: None,
        home: None,
        cwd: Path::new("/repo"),
        overrides: &[],
        assumed_trust: None,
    };
    load(&sources).await.expect("the configuration is fine")
}

fn told(config: &Config) -> String {
    let told: Vec<String> = config.warnings.iter().map(ToString::to_string).collect();
    told.join("\n")
}

#[tokio::test]
async fn hooks_of_the_toml_stand_before_those_of_the_json() {
    let config = loaded(&[
        (
            "/home/config.toml",
            "[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = \"command\"\ncommand = \"done\"\n",
        ),
        (
            "/home/hooks.json",
            r#"{"hooks":{"SessionStart":[{"matcher":"startup","hooks":[{"type":"command","command":"hi","timeout":2}]}]}}"#,
        ),
    ])
    .await;
    let hook =
        |event: &str, matcher: Option<&str>, command: &str, timeout, source: &str| HookConfig {
            event: event.to_owned(),
            matcher: matcher.map(str::to_owned),
            command: command.to_owned(),
            timeout,
            source: source.into(),
        };
    assert_eq!(
        config.hooks,
        [
            hook("Stop", None, "done", None, "/home/config.toml"),
            hook(
                "SessionStart",
                Some("startup"),
                "hi",
                Some(Duration::from_secs(2)),
                "/home/hooks.json"
            ),
        ]
    );
    assert_eq!(told(&config), "");
}

#[tokio::test]
async fn what_is_not_run_is_told() {
    let config = loaded(&[(
        "/home/hooks.json",
        r#"{"hooks":{"PreToolUse":[],"Stop":[{"hooks":[{"type":"prompt"},{"type":"command"},{"type":"command","command":"ok"}]}],"SessionStart":7}}"#,
    )])
    .await;
    assert_eq!(config.hooks.len(), 1);
    assert_snapshot!(told(&config), @"
    /home/hooks.json: a hook is not run: nothing happens at `PreToolUse` here
    /home/hooks.json: a hook is not run: `SessionStart`: invalid type: integer `7`, expected a sequence
    /home/hooks.json: a hook is not run: a hook on `Stop` is of the type `prompt`, not a command
    /home/hooks.json: a hook is not run: a hook on `Stop` has no command
    ");
}

#[tokio::test]
async fn a_project_brings_no_hooks() {
    let config = loaded(&[
        ("/home/config.toml", "[projects.\"/repo\"]\ntrust_level = \"trusted\"\n"),
        (
            "/repo/.codex/config.toml",
            "[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = \"command\"\ncommand = \"evil\"\n",
        ),
    ])
    .await;
    assert_eq!(config.hooks, []);
    assert_snapshot!(told(&config), @"/repo/.codex/config.toml:1:3: a project's own configuration may not set `hooks`; it is ignored");
}

#[tokio::test]
async fn a_broken_file_and_a_feature_that_is_off_run_nothing() {
    let broken = loaded(&[("/home/hooks.json", "{")]).await;
    assert_eq!(broken.hooks, []);
    assert_snapshot!(told(&broken), @"/home/hooks.json: a hook is not run: EOF while parsing an object at line 1 column 1");
    let off = loaded(&[
        ("/home/config.toml", "[features]\nhooks = false\n"),
        (
            "/home/hooks.json",
            r#"{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"x"}]}]}}"#,
        ),
    ])
    .await;
    assert_eq!(off.hooks, []);
}
