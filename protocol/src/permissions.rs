//! What an agent may do, as data: nothing here enforces anything.

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
    /// A place that has a name instead of a path.
    Special {
        /// The name.
        value: SpecialPath,
    },
}

/// Places that have a name instead of a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum SpecialPath {
    /// The whole file system.
    Root,
    /// `/tmp`.
    SlashTmp,
    /// The folder that `TMPDIR` names.
    Tmpdir,
}

impl SpecialPath {
    /// The name that the model is told.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Root => ":root",
            Self::SlashTmp => ":slash_tmp",
            Self::Tmpdir => ":tmpdir",
        }
    }
}
