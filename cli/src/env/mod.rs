//! The one place that reads environment variables, the working directory, the clock and the user database.
//!
//! | variable | what it decides |
//! |---|---|
//! | `CODEX_HOME` | Codex's home; unset or empty means `~/.codex` |
//! | `RECTO_HOME` | our own home; unset or empty means `recto` below the next one; it need not exist |
//! | `XDG_STATE_HOME` | where programs keep what they recorded; unset, empty or relative means `~/.local/state` |
//! | `HOME` | `~`; unset or empty means the home directory of the user database |
//! | `PATH` | whether the login shell, or bash in its place, is installed |
//! | `TMPDIR` | what `:tmpdir` stands for in a permission profile; unset, empty or relative is nothing |
//! | `TZ` | the day that the model is told; empty is UTC, one that names no zone is the machine's |
//! | `NO_COLOR`, `CLICOLOR`, `CLICOLOR_FORCE`, `TERM` | whether there is colour; read by the crate `anstream` |
//!
//! `SHELL` and `PWD` are not read, as the reference does not: the shell is the login shell of the user database, the
//! working directory is what the system says.

#![expect(clippy::disallowed_methods, reason = "this is the place where the surroundings are read")]

mod clock;
mod host;

pub(crate) use clock::{SystemClock, clock};
pub(crate) use host::{EnvError, HostFacts, variable_text, variables, working_directory};
