//! What an agent may do, as data: nothing here enforces anything.

use std::borrow::Cow;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// Whether the person trusts a project's own files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TrustLevel {
    /// Its instructions and settings count.
    Trusted,
    /// None of its text reaches the model.
    Untrusted,
}

/// How commands are confined, by its name in the configuration.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SandboxMode {
    /// Everything may be read, nothing written.
    ReadOnly,
    /// The workspace and temporary folders may be written.
    WorkspaceWrite,
    /// No confinement.
    DangerFullAccess,
}

/// When the person is asked before a command runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ApprovalPolicy {
    /// Before everything that is not known to be harmless.
    Untrusted,
    /// After a command failed inside the sandbox.
    OnFailure,
    /// When the model asks for it.
    OnRequest,
    /// For some kinds of request; the others are refused without asking.
    Granular(GranularApproval),
    /// Never.
    Never,
}

/// The kinds of request that the person is asked about; a kind that is `false` is refused without asking.
#[expect(
    clippy::struct_excessive_bools,
    reason = "the fields of the configuration and of recorded turns"
)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct GranularApproval {
    /// Commands that leave the sandbox.
    pub sandbox_approval: bool,
    /// Commands that a rule says to ask about.
    pub rules: bool,
    /// Questions of MCP servers.
    pub mcp_elicitations: bool,
    /// Wider permissions for what follows.
    #[serde(default)]
    pub request_permissions: bool,
    /// Scripts of skills.
    #[serde(default)]
    pub skill_approval: bool,
}

/// What commands may reach.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum PermissionProfile {
    /// This program's host confines commands.
    Managed {
        /// Files.
        file_system: FileSystemPermissions,
        /// Network.
        network: NetworkPermissions,
    },
    /// Nothing is confined.
    Disabled,
    /// Something outside confines commands; only the network is said.
    External {
        /// Network.
        network: NetworkPermissions,
    },
}

/// Which files commands may reach.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum FileSystemPermissions {
    /// What the entries allow; a later, narrower entry wins.
    Restricted {
        /// The entries, in the order in which they are told.
        entries: Vec<FileSystemEntry>,
        /// How deep files are looked for that patterns name; none where nobody said it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        glob_scan_max_depth: Option<u64>,
    },
    /// All files.
    Unrestricted,
}

/// Whether commands may reach the network.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum NetworkPermissions {
    /// They may not.
    Restricted,
    /// They may.
    Enabled,
}

/// One place and what may be done there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileSystemEntry {
    /// The place.
    pub path: FileSystemPath,
    /// What may be done.
    pub access: FileSystemAccess,
}

/// What may be done at a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FileSystemAccess {
    /// Nothing.
    Deny,
    /// Read.
    Read,
    /// Read and write.
    Write,
}

impl FileSystemAccess {
    /// The word that the model is told.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Deny => "deny",
            Self::Read => "read",
            Self::Write => "write",
        }
    }
}

/// A place in a file system.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum FileSystemPath {
    /// An absolute path and all below it.
    Path {
        /// The path.
        path: PathBuf,
    },
    /// All files whose absolute path fits a pattern.
    GlobPattern {
        /// The pattern.
        pattern: String,
    },
    /// A place that has a name instead of a path.
    Special {
        /// The name.
        value: SpecialPath,
    },
}

/// Places that have a name instead of a path.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum SpecialPath {
    /// The whole file system.
    Root,
    /// `/tmp`.
    SlashTmp,
    /// The folder that `TMPDIR` names.
    Tmpdir,
    /// What most programs need in order to start.
    Minimal,
    /// A name that only another version may know; nothing follows from it.
    Unknown {
        /// The name, with its colon.
        path: String,
        /// A place below it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        subpath: Option<String>,
    },
}

impl SpecialPath {
    /// The name that the model is told.
    pub fn name(&self) -> Cow<'_, str> {
        match self {
            Self::Root => ":root".into(),
            Self::SlashTmp => ":slash_tmp".into(),
            Self::Tmpdir => ":tmpdir".into(),
            Self::Minimal => ":minimal".into(),
            Self::Unknown { path, subpath: None } => path.into(),
            Self::Unknown { path, subpath: Some(subpath) } => format!("{path}/{subpath}").into(),
        }
    }
}
