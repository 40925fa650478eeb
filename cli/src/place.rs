//! The directory that a run looks from.

use std::path::{Component, Path, PathBuf};

use crate::args::PlaceArgs;
use crate::env::{self, EnvError};

/// Where a run looks from and what was set for it.
#[derive(Debug)]
pub(crate) struct Place {
    /// Absolute. The real path where nobody named one; else the name as it was given, links kept.
    pub(crate) cwd: PathBuf,
    /// Whether somebody named it, so that it may not be there.
    pub(crate) is_named: bool,
    /// `key=value`, the later the stronger.
    pub(crate) overrides: Vec<String>,
}

impl Place {
    /// Works the directory out.
    pub(crate) fn of(args: PlaceArgs) -> Result<Self, EnvError> {
        let is_named = args.cd.is_some();
        let cwd = match args.cd {
            None => env::working_directory()?,
            Some(path) if path.is_absolute() => lexically_clean(&path),
            Some(path) => lexically_clean(&env::working_directory()?.join(path)),
        };
        Ok(Self { cwd, is_named, overrides: args.overrides })
    }

    /// A path as somebody typed it: relative to the directory that is looked from.
    pub(crate) fn path(&self, typed: &Path) -> PathBuf {
        lexically_clean(&self.cwd.join(typed))
    }
}

/// The path with `.`, `..` and doubled slashes worked out as text; links are kept.
pub(crate) fn lexically_clean(path: &Path) -> PathBuf {
    path.components().fold(PathBuf::new(), |mut clean, component| {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                clean.pop();
            }
            other => clean.push(other),
        }
        clean
    })
}
