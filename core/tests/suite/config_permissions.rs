//! What the sandbox settings allow, place by place.

use insta::assert_snapshot;
use pretty_assertions::assert_eq;
use recto_protocol::{
    ApprovalPolicy, FileSystemPath, FileSystemPermissions, GranularApproval, NetworkPermissions,
    PermissionProfile,
};

use super::config::{Loaded, load_fixture};

/// The permissions as lines: the policy, the roots, the network, the entries.
pub(super) fn told(loaded: &Loaded) -> String {
    let permissions = &loaded.config().permissions;
    let mut lines = vec![format!("{:?}", permissions.approval_policy)];
    lines.extend(permissions.workspace_roots.iter().map(|root| format!("root {}", root.display())));
    match &permissions.profile {
        PermissionProfile::Managed {
            file_system: FileSystemPermissions::Restricted { entries, .. },
            network,
        } => {
            let network =
                if *network == NetworkPermissions::Enabled { "enabled" } else { "restricted" };
            lines.push(format!("network {network}"));
            lines.extend(entries.iter().map(|entry| match &entry.path {
                FileSystemPath::Path { path } => {
                    format!("{} {}", entry.access.as_str(), path.display())
                }
                FileSystemPath::GlobPattern { pattern } => {
                    format!("{} like {pattern}", entry.access.as_str())
                }
                FileSystemPath::Special { value } => {
                    format!("{} {}", entry.access.as_str(), value.name())
                }
            }));
        }
        profile => lines.push(format!("{profile:?}")),
    }
    loaded.shown(&lines.join("\n"))
}

async fn with(config: &str, entries: &str) -> String {
    let fixture = format!("//- home/config.toml\n{config}\n//- d/\n//- cwd: d\n{entries}\n");
    told(&load_fixture(&fixture).await)
}

const READ_ONLY: &str = "OnRequest\nroot $ROOT/d\nnetwork restricted\nread :root";

#[tokio::test]
async fn the_default_follows_from_the_trust_decision() {
    assert_eq!(with("", "").await, READ_ONLY);
    assert_snapshot!(with("[projects.\"$ROOT/d\"]\ntrust_level = \"trusted\"", "").await, @r"
    OnRequest
    root $ROOT/d
    network restricted
    read :root
    write $ROOT/d
    write :slash_tmp
    write :tmpdir
    read $ROOT/d/.git
    read $ROOT/d/.agents
    read $ROOT/d/.codex
    read $ROOT/d/.aws
    ");
    assert_snapshot!(with("[projects.\"$ROOT/d\"]\ntrust_level = \"untrusted\"", "").await, @r"
    Untrusted
    root $ROOT/d
    network restricted
    read :root
    write $ROOT/d
    write :slash_tmp
    write :tmpdir
    read $ROOT/d/.git
    read $ROOT/d/.agents
    read $ROOT/d/.codex
    read $ROOT/d/.aws
    ");
}

#[tokio::test]
async fn an_entry_of_projects_that_says_nothing_is_no_decision() {
    assert_eq!(with("[projects.\"$ROOT/d\"]", "").await, READ_ONLY);
}

#[tokio::test]
async fn each_mode_has_its_profile() {
    assert_eq!(with("sandbox_mode = \"read-only\"", "").await, READ_ONLY);
    assert_eq!(with("default_permissions = \":read-only\"", "").await, READ_ONLY);
    assert_snapshot!(with("sandbox_mode = \"danger-full-access\"", "").await, @r"
    OnRequest
    root $ROOT/d
    Disabled
    ");
    let workspace = with("sandbox_mode = \"workspace-write\"", "").await;
    assert_eq!(with("default_permissions = \":workspace\"", "").await, workspace);
}

#[tokio::test]
async fn writable_roots_are_absolute_and_told_once() {
    let config = r#"
sandbox_mode = "workspace-write"
[sandbox_workspace_write]
writable_roots = ["/opt/b", "rel", "$ROOT/d", "~/q", "/opt/b", "/opt/x/../y", "/opt/z/"]
network_access = true
exclude_tmpdir_env_var = true
exclude_slash_tmp = true
"#;
    assert_snapshot!(with(config, "").await, @r"
    OnRequest
    root $ROOT/d
    root /opt/b
    root $ROOT/home/rel
    root $ROOT/user/q
    root /opt/y
    root /opt/z
    network enabled
    read :root
    write $ROOT/d
    write /opt/b
    write $ROOT/home/rel
    write $ROOT/user/q
    write /opt/y
    write /opt/z
    read $ROOT/d/.git
    read /opt/b/.git
    read $ROOT/home/rel/.git
    read $ROOT/user/q/.git
    read /opt/y/.git
    read /opt/z/.git
    read $ROOT/d/.agents
    read /opt/b/.agents
    read $ROOT/home/rel/.agents
    read $ROOT/user/q/.agents
    read /opt/y/.agents
    read /opt/z/.agents
    read $ROOT/d/.codex
    read /opt/b/.codex
    read $ROOT/home/rel/.codex
    read $ROOT/user/q/.codex
    read /opt/y/.codex
    read /opt/z/.codex
    read $ROOT/d/.aws
    read /opt/b/.aws
    read $ROOT/home/rel/.aws
    read $ROOT/user/q/.aws
    read /opt/y/.aws
    read /opt/z/.aws
    ");
}

#[tokio::test]
async fn writable_roots_are_workspace_roots_in_every_mode() {
    let roots = "sandbox_workspace_write.writable_roots = [\"/opt\"]";
    let told = with(roots, "").await;
    assert_eq!(told, "OnRequest\nroot $ROOT/d\nroot /opt\nnetwork restricted\nread :root");
    let told = with(&format!("{roots}\nsandbox_mode = \"danger-full-access\""), "").await;
    assert_eq!(told, "OnRequest\nroot $ROOT/d\nroot /opt\nDisabled");
    let told = with(&format!("{roots}\ndefault_permissions = \":read-only\""), "").await;
    assert_eq!(told, READ_ONLY);
}

#[tokio::test]
async fn a_git_directory_elsewhere_is_protected_too_where_a_root_is_named() {
    let config = r#"
sandbox_mode = "workspace-write"
sandbox_workspace_write.writable_roots = ["$ROOT/b", "$ROOT/c", "$ROOT/e"]
"#;
    let entries = "//- b/.git = \"gitdir: $ROOT/m/g\\n\"\n//- c/.git = \"gitdir: ../m/h\"\n\
                   //- e/.git = \"gitdir: /nowhere/at/all\"\n//- m/g/HEAD = \"\"\n//- m/h/HEAD = \"\"";
    let told = with(config, entries).await;
    let last: Vec<&str> = told.lines().rev().take(3).collect();
    assert_eq!(last, ["read $ROOT/m/h", "read $ROOT/m/g", "read $ROOT/e/.aws"]);
    let own = with(
        "sandbox_mode = \"workspace-write\"",
        "//- d/.git = \"gitdir: $ROOT/m/g\\n\"\n//- m/g/HEAD = \"\"",
    );
    assert!(!own.await.contains("$ROOT/m/g"));
}

#[tokio::test]
async fn of_mode_and_profile_the_higher_layer_counts() {
    let full = "OnRequest\nroot $ROOT/d\nDisabled";
    let both = "default_permissions = \":read-only\"\nsandbox_mode = \"danger-full-access\"";
    assert_eq!(with(both, "").await, READ_ONLY);
    let mode = "//- args: -c sandbox_mode=danger-full-access";
    assert_eq!(with("default_permissions = \":read-only\"", mode).await, full);
    let profile = "//- args: -c default_permissions=:read-only";
    assert_eq!(with("sandbox_mode = \"danger-full-access\"", profile).await, READ_ONLY);
    let two = "//- args: -c default_permissions=:read-only -c sandbox_mode=danger-full-access";
    assert_eq!(with("", two).await, READ_ONLY);
}

#[tokio::test]
async fn every_approval_policy_is_read() {
    let granular = GranularApproval {
        sandbox_approval: true,
        rules: false,
        mcp_elicitations: true,
        request_permissions: false,
        skill_approval: true,
    };
    for (written, expected) in [
        ("\"on-request\"", ApprovalPolicy::OnRequest),
        ("\"on-failure\"", ApprovalPolicy::OnFailure),
        ("\"never\"", ApprovalPolicy::Never),
        (
            "{ granular = { sandbox_approval = true, rules = false, mcp_elicitations = true, skill_approval = true } }",
            ApprovalPolicy::Granular(granular),
        ),
    ] {
        let fixture = format!("//- home/config.toml\napproval_policy = {written}\n//- cwd: home\n");
        let loaded = load_fixture(&fixture).await;
        assert_eq!(loaded.config().permissions.approval_policy, expected);
    }
}
