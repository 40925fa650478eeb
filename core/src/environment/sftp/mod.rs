//! Files of other machines, over SFTP on the pipes of a command: `ssh -s HOST sftp`, or whatever speaks it.
//!
//! The protocol is spoken by the crate `openssh-sftp-client`. Between it and the pipes stands a guard, which lets only
//! well-formed answers through, carries names of any bytes, and remembers why a connection is gone.

mod files;
mod guard;
mod names;
mod packets;
mod start;

pub use files::{SftpFileSystem, SftpLimits};
pub use start::{SftpCommand, start_sftp};
