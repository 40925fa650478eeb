//! Files of this machine, as far as a policy lets them be read.

mod files;
mod pattern;
mod policy;
mod walk;

pub use files::SandboxedFileSystem;
pub use policy::SandboxPolicy;
