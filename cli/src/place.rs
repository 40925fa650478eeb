//! The directory that a run looks from, as it was typed and as it is.

use std::path::{Path, PathBuf};

use clap::{Args, ValueHint};
use recto_core::environment::without_dots;

use crate::env::{self, EnvError};
use crate::environments;

/// Bytes of a path that Linux takes; nothing below a longer one can be opened by its name.
const LONGEST_PATH: usize = 4095;

/// Where to look from and with which settings; understood before the command and after it.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct PlaceArgs {
    /// Look from DIR instead of the current directory
    #[arg(short = 'C', long = "cd", value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) cd: Option<PathBuf>,
    /// Set a configuration value: a dotted path and a TOML value
    #[arg(short = 'c', long = "config", value_name = "KEY=VALUE")]
    pub(crate) overrides: Vec<String>,
    /// Also read in the environment NAME, which COMMAND leads to: it speaks SFTP on its standard streams
    #[arg(long = "env", value_name = "NAME=COMMAND", value_parser = environments::command)]
    pub(crate) environments: Vec<String>,
    /// Look from DIR in the environment NAME
    #[arg(long = "env-cwd", value_name = "NAME=DIR", value_parser = environments::cwd)]
    pub(crate) environment_cwds: Vec<String>,
}

impl PlaceArgs {
    /// Adds what was typed after the command to what was typed before it; the later word wins.
    pub(crate) fn then(mut self, after: Self) -> Self {
        self.overrides.extend(after.overrides);
        self.environments.extend(after.environments);
        self.environment_cwds.extend(after.environment_cwds);
        Self { cd: after.cd.or(self.cd), ..self }
    }
}

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
            Some(path) if path.is_absolute() => without_dots(&path),
            Some(path) => without_dots(&env::working_directory()?.join(path)),
        };
        let bytes = cwd.as_os_str().len();
        if bytes > LONGEST_PATH {
            return Err(EnvError::LongPath { bytes, limit: LONGEST_PATH });
        }
        // What is said about environments is said as settings.
        let overrides = [args.overrides, args.environments, args.environment_cwds].concat();
        Ok(Self { cwd, is_named, overrides })
    }

    /// A path as somebody typed it: relative to the directory that is looked from.
    pub(crate) fn path(&self, typed: &Path) -> PathBuf {
        without_dots(&self.cwd.join(typed))
    }
}
