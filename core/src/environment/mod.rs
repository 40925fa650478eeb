//! Where the engine reads: file systems, environments and which of them a turn uses.
//!
//! Everything that the model is told about files comes through the trait [`FileSystem`]. Who walks up a tree walks
//! with [`project_root`] or [`git_root`].

mod file_key;
mod file_system;
mod local;
#[cfg(any(feature = "mcp", feature = "process", feature = "sftp"))]
mod process_group;
mod readiness;
mod roots;
mod sandboxed;
mod selection;
#[cfg(feature = "sftp")]
mod sftp;
mod spec;

pub use file_key::{FileKey, file_keys};
pub use file_system::{
    FileContents, FileIdentity, FileKind, FileRead, FileSystem, FileSystemError, FileSystemResult,
    Metadata, contents_of, metadata_of,
};
pub use local::LocalFileSystem;
#[cfg(any(feature = "mcp", feature = "process", feature = "sftp"))]
pub(crate) use process_group::ProcessGroup;
pub use readiness::{LocalEnvironment, StartingEnvironment, ThreadEnvironments};

pub use roots::{ProjectRoot, RootMarker, git_root, project_root, without_dots};
pub use sandboxed::{SandboxPolicy, SandboxedFileSystem};
pub use selection::{
    Environment, EnvironmentFailure, EnvironmentId, TurnEnvironment, TurnEnvironmentSelection,
    TurnEnvironmentSnapshot,
};
#[cfg(feature = "sftp")]
pub use sftp::{SftpCommand, SftpFileSystem, SftpLimits, start_sftp};
pub use spec::EnvironmentSpec;
