//! What environment-neutral tests run on: `just matrix` runs them in every environment and over every wire.

#![expect(clippy::disallowed_methods, reason = "the one place that reads the tests' own variables")]

use std::env;
use std::path::PathBuf;
use std::sync::Arc;

use recto_protocol::WireKind;

use super::CountingFileSystem;
use super::served::ServedFileSystem;
use crate::environment::{FileSystem, LocalFileSystem, SandboxPolicy, SandboxedFileSystem};

/// Names the environment that environment-neutral tests run in; `local` where it is not set.
const ENVIRONMENT: &str = "RECTO_TEST_ENVIRONMENT";

/// Names the wire that every request to a scripted model is written for, and checked.
const WIRE: &str = "RECTO_TEST_WIRE";

/// Names a file to which every environment-neutral test adds its name and calls: what `just matrix` counts.
const MATRIX: &str = "RECTO_TEST_MATRIX";

/// An environment that tests run in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TestEnvironment {
    /// This machine.
    Local,
    /// This machine, read through a sandbox that allows everything.
    Sandboxed,
    /// This machine, read through its SFTP server.
    Sftp,
}

impl TestEnvironment {
    /// The one that `RECTO_TEST_ENVIRONMENT` names.
    ///
    /// # Panics
    ///
    /// Where the variable names no environment.
    pub fn current() -> Self {
        Self::named(env::var(ENVIRONMENT).as_deref().unwrap_or("local"))
    }

    fn named(name: &str) -> Self {
        match name {
            "local" => Self::Local,
            "sandboxed" => Self::Sandboxed,
            "sftp" => Self::Sftp,
            other => {
                panic!("{ENVIRONMENT}={other} is no environment; known: local, sandboxed, sftp")
            }
        }
    }

    /// Whether it tells of a file all that the system knows: which file it is, when it changed to less than a second,
    /// and why it cannot be read.
    pub const fn tells_all(self) -> bool {
        !matches!(self, Self::Sftp)
    }

    fn file_system(self) -> Arc<dyn FileSystem> {
        match self {
            Self::Local => Arc::new(LocalFileSystem),
            Self::Sandboxed => {
                Arc::new(SandboxedFileSystem::new(SandboxPolicy::of_roots(["/".into()])))
            }
            #[cfg(feature = "sftp")]
            Self::Sftp => super::server::sftp_file_system(),
            #[cfg(not(feature = "sftp"))]
            Self::Sftp => panic!("recto-core is built without its feature sftp"),
        }
    }
}

/// The file system that `RECTO_TEST_ENVIRONMENT` names, with its calls counted.
///
/// A test is environment-neutral by taking its file system from here; nothing else marks it.
///
/// # Panics
///
/// Where the variable names no environment, or that environment does not come up.
pub fn file_system_under_test() -> Arc<CountingFileSystem> {
    let file_system = TestEnvironment::current().file_system();
    let Some(notes) = env::var_os(MATRIX) else {
        return Arc::new(CountingFileSystem::new(file_system));
    };
    let served = ServedFileSystem::new(file_system, PathBuf::from(notes), this_test());
    Arc::new(CountingFileSystem::new(Arc::new(served)))
}

/// The wire that every request to a scripted model is written for; none where nobody asks, for it takes time.
///
/// # Panics
///
/// Where `RECTO_TEST_WIRE` names no wire.
pub(super) fn wire_under_test() -> Option<WireKind> {
    match env::var(WIRE).as_deref() {
        Ok("responses") => Some(WireKind::Responses),
        Ok("lite") => Some(WireKind::ResponsesLite),
        Ok(other) => panic!("{WIRE}={other} is no wire; known: responses, lite"),
        Err(_) => None,
    }
}

/// `PACKAGE TEST`; tests run in threads that have their names.
fn this_test() -> String {
    let package = env::var("CARGO_PKG_NAME").unwrap_or_default();
    let thread = std::thread::current();
    format!("{package} {}", thread.name().unwrap_or("unnamed"))
}

#[cfg(test)]
mod tests {
    use super::TestEnvironment;

    #[test]
    #[should_panic(
        expected = "RECTO_TEST_ENVIRONMENT=moon is no environment; known: local, sandboxed, sftp"
    )]
    fn an_unknown_environment_is_refused_with_the_known_ones() {
        let _ = TestEnvironment::named("moon");
    }
}
