//! Short names for paths: below the project's root, `$CODEX_HOME/…` or `~/…`.

use std::path::{Path, PathBuf};

use super::layout::one_line;
use crate::engine::Captured;
use crate::env::HostFacts;

/// The places that paths are named from.
#[derive(Debug)]
pub(crate) struct PathNames {
    root: Option<PathBuf>,
    codex_home: PathBuf,
    home: Option<PathBuf>,
}

impl PathNames {
    /// Names without a project to name things from.
    pub(crate) fn of_host(facts: &HostFacts) -> Self {
        Self { root: None, codex_home: facts.codex_home.clone(), home: facts.home.clone() }
    }

    pub(crate) fn of(captured: &Captured) -> Self {
        Self {
            root: captured.step.agents_md.projects.first().map(|it| it.root.path.clone()),
            codex_home: captured.codex_home.clone(),
            home: captured.home.clone(),
        }
    }

    /// The shorter of the names from the root and from the home directory; else the path itself.
    pub(crate) fn short(&self, path: &Path) -> String {
        let full = self.full(path);
        let below_root = self.root.as_deref().and_then(|root| path.strip_prefix(root).ok());
        match below_root.map(shown) {
            Some(below) if !below.is_empty() && below.len() < full.len() => below,
            _ => full,
        }
    }

    /// A name that does not depend on the root.
    pub(crate) fn full(&self, path: &Path) -> String {
        let home = self.home.as_deref().filter(|home| home.parent().is_some());
        if let Some(below) = home.and_then(|home| path.strip_prefix(home).ok()) {
            return below_name("~", below);
        }
        match path.strip_prefix(&self.codex_home) {
            Ok(below) => below_name("$CODEX_HOME", below),
            Err(_) => shown(path),
        }
    }
}

fn below_name(start: &str, below: &Path) -> String {
    if below.as_os_str().is_empty() {
        start.to_owned()
    } else {
        format!("{start}/{}", shown(below))
    }
}

/// A path on one line, lossily.
pub(crate) fn shown(path: &Path) -> String {
    one_line(&path.to_string_lossy())
}
