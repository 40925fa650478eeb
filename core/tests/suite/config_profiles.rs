//! Permission profiles of one's own.

use insta::assert_snapshot;
use pretty_assertions::assert_eq;

use super::config::{load_fixture, load_text};
use super::config_permissions::told;

/// Chooses the profile `x`, whose files these are.
fn chosen(filesystem: &str) -> String {
    format!("default_permissions = \"x\"\n[permissions.x.filesystem]\n{filesystem}")
}

async fn entries(config: &str) -> String {
    let fixture = format!("//- home/config.toml\n{config}\n//- d/\n//- cwd: d\n");
    told(&load_fixture(&fixture).await)
}

async fn error(config: &str) -> String {
    load_text(config).await.error()
}

#[tokio::test]
async fn entries_stand_in_the_order_of_their_keys() {
    let config = chosen(
        r#"
":root" = "read"
"/zeta" = "write"
"/secret" = "none"
"~/q" = "write"
"/b/../c/" = { "." = "read", "in//side/" = "write", "*.key" = "deny" }
":workspace_roots" = { "." = "write", "out/**" = "read" }
"/s/**" = "deny"
":tmpdir" = "write"
"#,
    );
    assert_snapshot!(entries(&config).await, @"
    OnRequest
    root $ROOT/d
    network restricted
    deny like /c/*.key
    read /c
    write /c/in/side
    deny like /s/**
    deny /secret
    write /zeta
    read :root
    write :tmpdir
    write $ROOT/d
    read $ROOT/d/out
    write $ROOT/user/q
    ");
}

#[tokio::test]
async fn further_workspace_roots_come_after_all_other_entries() {
    let config = chosen(
        r#"
":root" = "read"
":workspace_roots" = { "." = "write", "s" = "deny" }
"~/z" = "read"
[permissions.x.workspace_roots]
"/w" = true
"/no" = false
rel = true
"." = true
[permissions.x.network]
enabled = true
"#,
    );
    assert_snapshot!(entries(&config).await, @"
    OnRequest
    root $ROOT/d
    network enabled
    read :root
    write $ROOT/d
    deny $ROOT/d/s
    read $ROOT/user/z
    write /w
    write $ROOT/d/rel
    deny /w/s
    deny $ROOT/d/rel/s
    ");
}

#[tokio::test]
async fn a_profile_is_laid_over_the_one_that_it_extends() {
    let config = r#"
default_permissions = "x"
[permissions.x]
extends = "y"
description = "mine"
[permissions.x.filesystem]
"/k" = "read"
"/d" = { t = "write" }
[permissions.y]
extends = ":workspace"
[permissions.y.filesystem]
"/k" = "write"
"/d" = { "." = "read", s = "write" }
[permissions.y.network]
enabled = true
"#;
    assert_snapshot!(entries(config).await, @"
    OnRequest
    root $ROOT/d
    network enabled
    read /d
    write /d/s
    write /d/t
    read /k
    read :root
    write :slash_tmp
    write :tmpdir
    write $ROOT/d
    ");
}

#[tokio::test]
async fn a_profile_must_be_chosen_and_exist() {
    assert_snapshot!(error("[permissions.dev.filesystem]").await, @r#"
    $ROOT/home/config.toml:1:2: default_permissions: expected the name of a profile, because [permissions] describes some, found nothing
    hint: choose one: default_permissions = "dev"
    "#);
    assert_snapshot!(error("default_permissions = \"dvelop\"\n[permissions.develop]").await, @r#"
    $ROOT/home/config.toml:1:23: default_permissions: expected the name of a permission profile, found a string "dvelop"
    hint: did you mean `develop`?
    "#);
    assert_snapshot!(error("default_permissions = \"dev\"").await, @r#"
    $ROOT/home/config.toml:1:23: default_permissions: expected the name of a permission profile, found a string "dev"
    hint: describe it in [permissions.dev.filesystem]
    "#);
    assert_snapshot!(error("default_permissions = \":workspce\"").await, @r#"
    $ROOT/home/config.toml:1:23: default_permissions: expected the name of a permission profile, found a string ":workspce"
    hint: did you mean `:workspace`?
    "#);
    assert_snapshot!(error("default_permissions = \":none-of-these\"").await, @r#"
    $ROOT/home/config.toml:1:23: default_permissions: expected the name of a permission profile, found a string ":none-of-these"
    hint: names with a colon are built in
    "#);
    assert_snapshot!(error("default_permissions = \":workspace\"\n[permissions.\":x\"]").await, @"$ROOT/home/config.toml:2:1: permissions: expected a name without a colon, found `:x`");
    assert_eq!(load_text("[permissions]").await.warnings(), "");
}

#[tokio::test]
async fn what_a_profile_extends_must_exist_and_confine() {
    let extends =
        |name| format!("default_permissions = \"x\"\n[permissions.x]\nextends = {name:?}");
    assert_snapshot!(error(&extends("x")).await, @r#"$ROOT/home/config.toml:3:11: permissions.x.extends: expected a profile that does not extend this one, found a string "x""#);
    assert_snapshot!(error(&extends("y")).await, @r#"
    $ROOT/home/config.toml:3:11: permissions.x.extends: expected the name of a permission profile, found a string "y"
    hint: describe it in [permissions.y.filesystem]
    "#);
    assert_snapshot!(error(&extends(":danger-full-access")).await, @r#"$ROOT/home/config.toml:3:11: permissions.x.extends: expected a profile that confines commands, found a string ":danger-full-access""#);
}

#[tokio::test]
async fn a_place_that_is_none_is_told_with_its_key() {
    assert_snapshot!(error(&chosen("rel = \"read\"")).await, @"$ROOT/home/config.toml:3:1: permissions.x.filesystem: expected an absolute path, `~/…`, or a name with a colon, found `rel`");
    assert_snapshot!(error(&chosen("\"~root/x\" = { s = \"read\" }")).await, @"$ROOT/home/config.toml:3:1: permissions.x.filesystem: expected an absolute path, `~/…`, or a name with a colon, found `~root/x`");
    assert_snapshot!(error(&chosen("\"/**\" = \"read\"")).await, @"$ROOT/home/config.toml:3:1: permissions.x.filesystem: expected an absolute path, `~/…`, or a name with a colon, found `/**`");
    assert_snapshot!(error(&chosen("\"/s/*\" = \"write\"")).await, @r#"
    $ROOT/home/config.toml:3:10: permissions.x.filesystem."/s/*": expected `deny`, found a string "write"
    hint: only `deny` goes with a pattern; what ends in `/**` can be allowed as well
    "#);
    assert_snapshot!(error(&chosen("\"/s\" = { \"*\" = \"read\" }")).await, @r#"
    $ROOT/home/config.toml:3:16: permissions.x.filesystem."/s"."*": expected `deny`, found a string "read"
    hint: only `deny` goes with a pattern; what ends in `/**` can be allowed as well
    "#);
    assert_snapshot!(error(&chosen("\":cwd\" = { \"*\" = \"deny\" }")).await, @r#"
    $ROOT/home/config.toml:3:12: permissions.x.filesystem.":cwd": expected a path without `*`, `?`, `[` and `]`, found `*`
    "#);
    assert_snapshot!(error(&chosen("\"/s\" = { \"../t\" = \"read\" }")).await, @r#"$ROOT/home/config.toml:3:10: permissions.x.filesystem."/s": expected `.`, or a path below it without `.` and `..`, found `../t`"#);
    assert_snapshot!(error(&chosen("\":root\" = { etc = \"deny\" }")).await, @r#"$ROOT/home/config.toml:3:13: permissions.x.filesystem.":root": expected `.` alone, because this place has none below it, found `etc`"#);
    assert_snapshot!(error(&chosen("\"/s\" = \"rw\"")).await, @r#"$ROOT/home/config.toml:3:8: permissions.x.filesystem."/s": expected `read`, `write`, `deny` or `none`, or a table of them, found a string "rw""#);
    assert_snapshot!(error(&chosen("\"/s\" = { t = \"rw\" }")).await, @r#"$ROOT/home/config.toml:3:14: permissions.x.filesystem."/s".t: expected `read`, `write`, `deny` or `none`, found a string "rw""#);
    assert_snapshot!(error(&chosen("glob_scan_max_depth = 0")).await, @"$ROOT/home/config.toml:3:23: permissions.x.filesystem.glob_scan_max_depth: expected a whole number, at least 1, found a whole number 0");
}

#[tokio::test]
async fn a_name_that_no_place_has_is_told_and_warned_of() {
    let loaded = load_text(&chosen("\":nope\" = { s = \"read\" }")).await;
    assert_snapshot!(loaded.warnings(), @r#"$ROOT/home/config.toml:1:23: `permissions.x.filesystem.":nope"` is not read: no place has this name; the model is told it all the same"#);
    assert_snapshot!(told(&loaded), @"
    OnRequest
    root $ROOT/d
    network restricted
    read :nope/s
    ");
}
