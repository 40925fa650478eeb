//! Permissions in words, from the configuration to the sentence.

use insta::assert_snapshot;
use recto_core::context::{ContextualUserFragment, PermissionsInstructions};

use super::config::load_fixture;

/// The sentences about files and network for these settings.
async fn told(config: &str) -> String {
    let fixture = format!("//- home/config.toml\n{config}\n//- d/\n//- cwd: d\n");
    let loaded = load_fixture(&fixture).await;
    let permissions = &loaded.config().permissions;
    let fragment = PermissionsInstructions {
        profile: permissions.profile.clone(),
        approval_policy: permissions.approval_policy,
    };
    let text = fragment.render();
    let limits = text.split("\n\n").nth(1).expect("a paragraph about limits");
    loaded.shown(&limits)
}

async fn told_of(filesystem: &str) -> String {
    told(&format!("default_permissions = \"x\"\n[permissions.x.filesystem]\n{filesystem}")).await
}

#[tokio::test]
async fn a_mode_is_told_by_what_may_be_read_and_written() {
    assert_snapshot!(told("sandbox_mode = \"read-only\"").await, @"
    Commands may read files; they may write none.
    The network may not be used.
    ");
    assert_snapshot!(told("sandbox_mode = \"workspace-write\"").await, @"
    Commands may read files, and write in `$ROOT/d`, `:slash_tmp`, `:tmpdir` but not in `$ROOT/d/.git`, `$ROOT/d/.agents`, `$ROOT/d/.codex`, `$ROOT/d/.aws`.
    The network may not be used.
    ");
}

#[tokio::test]
async fn a_profile_is_told_whatever_the_order_of_its_entries() {
    let entries =
        "\":root\" = \"read\"\n\"/b\" = \"write\"\n\"/a\" = \"read\"\n\"/b/c\" = \"read\"";
    assert_snapshot!(told_of(entries).await, @"
    Commands may read files, and write in `/b` but not in `/b/c`.
    The network may not be used.
    ");
    assert_snapshot!(told_of("\":root\" = \"write\"\n\"/a\" = \"read\"").await, @"
    Commands may read files, and write in `:root` but not in `/a`.
    The network may not be used.
    ");
}

#[tokio::test]
async fn what_is_denied_is_told_with_patterns_and_what_lies_in_it() {
    let entries =
        "\":root\" = \"read\"\n\"/s\" = \"deny\"\n\"/s/open\" = \"read\"\n\"/k/*.pem\" = \"none\"";
    assert_snapshot!(told_of(entries).await, @"
    Commands may read files; they may write none.
    They may not even read files like `/k/*.pem`, `/s`. Where one of these places lies in another, the inner one counts.
    The network may not be used.
    ");
}

#[tokio::test]
async fn a_profile_that_does_not_read_everything_says_so() {
    assert_snapshot!(told_of("").await, @"
    Commands may neither read nor write files.
    The network may not be used.
    ");
    assert_snapshot!(told_of("\"/a\" = \"read\"").await, @"
    Commands may read only in `/a`; they may write no files.
    The network may not be used.
    ");
    assert_snapshot!(told_of("\"/a\" = \"write\"\n\"/a/.git\" = \"read\"").await, @"
    Commands may read only in `/a`, and write there but not in `/a/.git`.
    The network may not be used.
    ");
    assert_snapshot!(told_of("\"/a\" = \"write\"\n\"/b\" = \"read\"").await, @"
    Commands may read only in `/b` and `/a`, and write in `/a`.
    The network may not be used.
    ");
    assert_snapshot!(told_of("\":root\" = \"none\"\n\"/b\" = \"read\"\n\":nope\" = \"read\"").await, @"
    Commands may read only in `/b`; they may write no files.
    They may not even read `:root`. Where one of these places lies in another, the inner one counts.
    The network may not be used.
    ");
}
