//! What commands may do and when the person is asked.

use std::path::{Path, PathBuf};

use recto_protocol::{
    ApprovalPolicy, FileSystemAccess, FileSystemEntry, FileSystemPath, FileSystemPermissions,
    NetworkPermissions, PermissionProfile, SandboxMode, SpecialPath, TrustLevel,
};

use super::approval::approval_policy;
use super::layers::Layers;
use super::paths::get_paths;
use super::value::{Table, get, get_boolean, get_text};
use super::warning::{ConfigWarning, Warnings};

/// The words of `sandbox_mode`.
pub(super) const SANDBOX_MODES: &[&str] = &["read-only", "workspace-write", "danger-full-access"];

/// Names in a directory that may be written which stay read-only themselves.
const PROTECTED_NAMES: [&str; 4] = [".git", ".agents", ".codex", ".aws"];

/// What commands may do and when the person is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PermissionsConfig {
    /// How commands are confined.
    pub sandbox_mode: SandboxMode,
    /// When the person is asked.
    pub approval_policy: ApprovalPolicy,
    /// What that allows, place by place.
    pub profile: PermissionProfile,
    /// The directories that are worked in, the working directory first.
    pub workspace_roots: Vec<PathBuf>,
}

/// What `sandbox_workspace_write` says, its paths absolute.
#[derive(Debug, Default)]
struct WorkspaceWrite {
    writable_roots: Vec<PathBuf>,
    network_access: bool,
    exclude_tmpdir_env_var: bool,
    exclude_slash_tmp: bool,
}

/// What the settings permit, and the roots whose `.git` may be a file that points elsewhere.
pub(super) fn permissions(
    layers: &Layers,
    settings: &Table,
    cwd: &Path,
    home: Option<&Path>,
    trust: Option<TrustLevel>,
    warnings: &mut Warnings,
) -> (PermissionsConfig, Vec<PathBuf>) {
    let (sandbox_mode, workspace) = if let Some(mode) = profile_mode(layers, settings, warnings) {
        (mode, WorkspaceWrite::default())
    } else {
        let word = get_text(settings, &["sandbox_mode"]);
        let mode = word.and_then(sandbox_mode).unwrap_or_else(|| default_sandbox_mode(trust));
        (mode, workspace_write(layers, settings, home))
    };
    let approval_policy =
        approval_policy(settings).unwrap_or_else(|| default_approval_policy(trust));
    let permissions = PermissionsConfig::new(sandbox_mode, approval_policy, cwd, &workspace);
    let is_workspace = sandbox_mode == SandboxMode::WorkspaceWrite;
    (permissions, if is_workspace { workspace.writable_roots } else { Vec::new() })
}

/// The mode that `default_permissions` amounts to, unless a higher layer says `sandbox_mode`.
fn profile_mode(layers: &Layers, settings: &Table, warnings: &mut Warnings) -> Option<SandboxMode> {
    let profile = get(settings, &["default_permissions"])?;
    let sandbox_mode = get(settings, &["sandbox_mode"]);
    if sandbox_mode.is_some_and(|it| layers.height(it.origin) > layers.height(profile.origin)) {
        return None;
    }
    let mode = get_text(settings, &["default_permissions"]).and_then(built_in_profile);
    if mode.is_none() {
        warnings.push(|| ConfigWarning::NotRead {
            location: layers.locate(profile.origin),
            key: "default_permissions".to_owned(),
            reason: "only the profiles `:read-only`, `:workspace` and `:danger-full-access` are known here",
        });
    }
    mode
}

fn workspace_write(layers: &Layers, settings: &Table, home: Option<&Path>) -> WorkspaceWrite {
    let path = |key| ["sandbox_workspace_write", key];
    let switch = |key| get_boolean(settings, &path(key)).unwrap_or(false);
    WorkspaceWrite {
        writable_roots: get_paths(layers, settings, &path("writable_roots"), home),
        network_access: switch("network_access"),
        exclude_tmpdir_env_var: switch("exclude_tmpdir_env_var"),
        exclude_slash_tmp: switch("exclude_slash_tmp"),
    }
}

impl PermissionsConfig {
    fn new(
        sandbox_mode: SandboxMode,
        approval_policy: ApprovalPolicy,
        cwd: &Path,
        workspace: &WorkspaceWrite,
    ) -> Self {
        let mut workspace_roots = vec![cwd.to_owned()];
        if sandbox_mode == SandboxMode::WorkspaceWrite {
            for root in &workspace.writable_roots {
                if !workspace_roots.contains(root) {
                    workspace_roots.push(root.clone());
                }
            }
        }
        let profile = match sandbox_mode {
            SandboxMode::DangerFullAccess => PermissionProfile::Disabled,
            SandboxMode::ReadOnly => {
                managed(vec![special(SpecialPath::Root, FileSystemAccess::Read)], false)
            }
            SandboxMode::WorkspaceWrite => {
                managed(workspace_entries(&workspace_roots, workspace), workspace.network_access)
            }
        };
        Self { sandbox_mode, approval_policy, profile, workspace_roots }
    }

    /// Keeps git directories outside of the writable roots from being written: those that a `.git` file points to.
    pub(super) fn protect(&mut self, git_directories: impl Iterator<Item = PathBuf>) {
        if let PermissionProfile::Managed {
            file_system: FileSystemPermissions::Restricted { entries },
            ..
        } = &mut self.profile
        {
            entries.extend(git_directories.map(|path| place(path, FileSystemAccess::Read)));
        }
    }
}

/// The mode where nobody chose one.
const fn default_sandbox_mode(trust: Option<TrustLevel>) -> SandboxMode {
    match trust {
        Some(TrustLevel::Trusted | TrustLevel::Untrusted) => SandboxMode::WorkspaceWrite,
        None => SandboxMode::ReadOnly,
    }
}

/// The policy where nobody chose one.
const fn default_approval_policy(trust: Option<TrustLevel>) -> ApprovalPolicy {
    match trust {
        Some(TrustLevel::Untrusted) => ApprovalPolicy::Untrusted,
        Some(TrustLevel::Trusted) | None => ApprovalPolicy::OnRequest,
    }
}

fn sandbox_mode(word: &str) -> Option<SandboxMode> {
    match word {
        "read-only" => Some(SandboxMode::ReadOnly),
        "workspace-write" => Some(SandboxMode::WorkspaceWrite),
        "danger-full-access" => Some(SandboxMode::DangerFullAccess),
        _ => None,
    }
}

/// The mode that a built-in permission profile amounts to.
fn built_in_profile(name: &str) -> Option<SandboxMode> {
    match name {
        ":read-only" => Some(SandboxMode::ReadOnly),
        ":workspace" => Some(SandboxMode::WorkspaceWrite),
        ":danger-full-access" => Some(SandboxMode::DangerFullAccess),
        _ => None,
    }
}

fn workspace_entries(roots: &[PathBuf], workspace: &WorkspaceWrite) -> Vec<FileSystemEntry> {
    let mut entries = vec![special(SpecialPath::Root, FileSystemAccess::Read)];
    entries.extend(roots.iter().map(|root| place(root.clone(), FileSystemAccess::Write)));
    if !workspace.exclude_slash_tmp {
        entries.push(special(SpecialPath::SlashTmp, FileSystemAccess::Write));
    }
    if !workspace.exclude_tmpdir_env_var {
        entries.push(special(SpecialPath::Tmpdir, FileSystemAccess::Write));
    }
    for name in PROTECTED_NAMES {
        entries.extend(roots.iter().map(|root| place(root.join(name), FileSystemAccess::Read)));
    }
    entries
}

fn managed(entries: Vec<FileSystemEntry>, network_access: bool) -> PermissionProfile {
    let network =
        if network_access { NetworkPermissions::Enabled } else { NetworkPermissions::Restricted };
    PermissionProfile::Managed {
        file_system: FileSystemPermissions::Restricted { entries },
        network,
    }
}

const fn special(value: SpecialPath, access: FileSystemAccess) -> FileSystemEntry {
    FileSystemEntry { path: FileSystemPath::Special { value }, access }
}

const fn place(path: PathBuf, access: FileSystemAccess) -> FileSystemEntry {
    FileSystemEntry { path: FileSystemPath::Path { path }, access }
}
