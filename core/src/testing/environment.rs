//! The file system that environment-neutral tests run on.

#![expect(clippy::disallowed_methods, reason = "the one place that reads the tests' own variables")]

use std::env;
use std::fs::OpenOptions;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use super::CountingFileSystem;
use crate::environment::{FileSystem, LocalFileSystem, SandboxPolicy, SandboxedFileSystem};

/// Names the file system that environment-neutral tests run on; `local` where it is not set.
const ENVIRONMENT: &str = "RECTO_TEST_ENVIRONMENT";

/// Names a file to which every environment-neutral test adds its name: what `just matrix` counts.
const MATRIX: &str = "RECTO_TEST_MATRIX";

/// The file system that `RECTO_TEST_ENVIRONMENT` names, with its calls counted.
///
/// A test is environment-neutral by taking its file system from here; nothing else marks it.
///
/// # Panics
///
/// Where the variable names no environment.
pub fn file_system_under_test() -> Arc<CountingFileSystem> {
    if let Some(matrix) = env::var_os(MATRIX) {
        add_this_test(Path::new(&matrix));
    }
    let name = env::var(ENVIRONMENT).unwrap_or_else(|_| "local".to_owned());
    Arc::new(CountingFileSystem::new(file_system(&name)))
}

fn file_system(name: &str) -> Arc<dyn FileSystem> {
    match name {
        "local" => Arc::new(LocalFileSystem),
        "sandboxed" => Arc::new(SandboxedFileSystem::new(SandboxPolicy::of_roots(["/".into()]))),
        other => panic!("{ENVIRONMENT}={other} is no environment; known: local, sandboxed"),
    }
}

/// Adds a line `PACKAGE TEST`; tests run in threads that have their names.
fn add_this_test(matrix: &Path) {
    let package = env::var("CARGO_PKG_NAME").unwrap_or_default();
    let thread = std::thread::current();
    let line = format!("{package} {}\n", thread.name().unwrap_or_default());
    OpenOptions::new()
        .create(true)
        .append(true)
        .open(matrix)
        .and_then(|mut file| file.write_all(line.as_bytes()))
        .unwrap_or_else(|error| panic!("{MATRIX}={}: {error}", matrix.display()));
}

#[cfg(test)]
mod tests {
    use super::file_system;

    #[test]
    #[should_panic(
        expected = "RECTO_TEST_ENVIRONMENT=moon is no environment; known: local, sandboxed"
    )]
    fn an_unknown_environment_is_refused_with_the_known_ones() {
        let _ = file_system("moon");
    }
}
