//! What commands may do and when the person is asked.

use std::path::{Path, PathBuf};

use recto_protocol::{
    ApprovalPolicy, FileSystemAccess, FileSystemEntry, FileSystemPath, FileSystemPermissions,
    NetworkPermissions, PermissionProfile, SandboxMode, SpecialPath, TrustLevel,
};

use super::approval::approval_policy;
use super::layers::Layers;
use super::mismatch::Mismatch;
use super::names::dotted;
use super::paths::get_paths;
use super::permission_entries::ProfileFiles;
use super::permission_profile::{ChosenProfile, check_chosen, check_names, chosen};
use super::value::{Table, get, get_boolean, get_text};
use super::warning::{ConfigWarning, Warnings};

/// Names in a directory that may be written which stay read-only themselves.
const PROTECTED_NAMES: [&str; 4] = [".git", ".agents", ".codex", ".aws"];

/// What commands may do and when the person is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PermissionsConfig {
    /// How commands are confined; for a profile of one's own the mode that comes nearest.
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

/// What the settings are seen from.
pub(super) struct Sight<'a> {
    pub(super) layers: &'a Layers,
    pub(super) settings: &'a Table,
    pub(super) cwd: &'a Path,
    /// What `~` stands for.
    pub(super) home: Option<&'a Path>,
}

/// What the settings permit, and the roots whose `.git` may be a file that points elsewhere.
pub(super) fn permissions(
    sight: &Sight<'_>,
    trust: Option<TrustLevel>,
    warnings: &mut Warnings,
) -> Result<(PermissionsConfig, Vec<PathBuf>), Mismatch> {
    let settings = sight.settings;
    let approval_policy =
        approval_policy(settings).unwrap_or_else(|| default_approval_policy(trust));
    let (mode, workspace) = match chosen_profile(sight)? {
        Some(ChosenProfile::Own { name, profile }) => {
            let own = sight.own_profile(&name, &profile, approval_policy, warnings)?;
            return Ok((own, Vec::new()));
        }
        Some(ChosenProfile::BuiltIn(mode)) => (mode, WorkspaceWrite::default()),
        None => {
            let word = get_text(settings, &["sandbox_mode"]);
            let mode = word.and_then(sandbox_mode).unwrap_or_else(|| default_sandbox_mode(trust));
            (mode, workspace_write(sight.layers, settings, sight.home))
        }
    };
    let permissions = PermissionsConfig::new(mode, approval_policy, sight.cwd, &workspace);
    let is_workspace = mode == SandboxMode::WorkspaceWrite;
    Ok((permissions, if is_workspace { workspace.writable_roots } else { Vec::new() }))
}

/// What `default_permissions` chooses, unless a higher layer says `sandbox_mode`.
fn chosen_profile(sight: &Sight<'_>) -> Result<Option<ChosenProfile>, Mismatch> {
    let Sight { layers, settings, .. } = sight;
    check_names(settings)?;
    let sandbox_mode = get(settings, &["sandbox_mode"]);
    let choice = get(settings, &["default_permissions"]);
    match (choice, sandbox_mode) {
        (None, None) => check_chosen(settings).map(|()| None),
        (None, Some(_)) => Ok(None),
        (Some(choice), Some(mode)) if layers.height(mode.origin) > layers.height(choice.origin) => {
            Ok(None)
        }
        (Some(choice), _) => {
            let name = get_text(settings, &["default_permissions"]).unwrap_or_default();
            chosen(settings, choice, name).map(Some)
        }
    }
}

impl Sight<'_> {
    fn own_profile(
        &self,
        name: &str,
        profile: &Table,
        approval_policy: ApprovalPolicy,
        warnings: &mut Warnings,
    ) -> Result<PermissionsConfig, Mismatch> {
        let files = ProfileFiles { name, profile, cwd: self.cwd, home: self.home };
        let entries = files.entries()?;
        let glob_scan_max_depth = files.glob_scan_max_depth()?;
        self.warn_about_unknown(name, &entries, warnings);
        let is_written = entries.iter().any(|entry| entry.access == FileSystemAccess::Write);
        let sandbox_mode =
            if is_written { SandboxMode::WorkspaceWrite } else { SandboxMode::ReadOnly };
        let network_access = get_boolean(profile, &["network", "enabled"]).unwrap_or(false);
        Ok(PermissionsConfig {
            sandbox_mode,
            approval_policy,
            profile: managed(entries, glob_scan_max_depth, network_access),
            workspace_roots: vec![self.cwd.to_owned()],
        })
    }

    fn warn_about_unknown(
        &self,
        profile: &str,
        entries: &[FileSystemEntry],
        warnings: &mut Warnings,
    ) {
        let Some(choice) = get(self.settings, &["default_permissions"]) else { return };
        for entry in entries {
            if let FileSystemPath::Special { value: SpecialPath::Unknown { path, .. } } =
                &entry.path
            {
                warnings.push(|| ConfigWarning::NotRead {
                    location: self.layers.locate(choice.origin),
                    key: dotted(&["permissions", profile, "filesystem", path]),
                    reason: "no place has this name; the model is told it all the same",
                });
            }
        }
    }
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
        for root in &workspace.writable_roots {
            if !workspace_roots.contains(root) {
                workspace_roots.push(root.clone());
            }
        }
        let profile = match sandbox_mode {
            SandboxMode::DangerFullAccess => PermissionProfile::Disabled,
            SandboxMode::ReadOnly => {
                managed(vec![special(SpecialPath::Root, FileSystemAccess::Read)], None, false)
            }
            SandboxMode::WorkspaceWrite => {
                let entries = workspace_entries(&workspace_roots, workspace);
                managed(entries, None, workspace.network_access)
            }
        };
        Self { sandbox_mode, approval_policy, profile, workspace_roots }
    }

    /// Keeps git directories outside of the writable roots from being written: those that a `.git` file points to.
    pub(super) fn protect(&mut self, git_directories: impl Iterator<Item = PathBuf>) {
        if let PermissionProfile::Managed {
            file_system: FileSystemPermissions::Restricted { entries, .. },
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

fn managed(
    entries: Vec<FileSystemEntry>,
    glob_scan_max_depth: Option<u64>,
    network_access: bool,
) -> PermissionProfile {
    let network =
        if network_access { NetworkPermissions::Enabled } else { NetworkPermissions::Restricted };
    PermissionProfile::Managed {
        file_system: FileSystemPermissions::Restricted { entries, glob_scan_max_depth },
        network,
    }
}

const fn special(value: SpecialPath, access: FileSystemAccess) -> FileSystemEntry {
    FileSystemEntry { path: FileSystemPath::Special { value }, access }
}

const fn place(path: PathBuf, access: FileSystemAccess) -> FileSystemEntry {
    FileSystemEntry { path: FileSystemPath::Path { path }, access }
}
