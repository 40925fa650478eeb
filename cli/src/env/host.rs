//! Who runs the program, on what machine, with which homes.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use recto_core::environment::FileSystemError;
use recto_core::session::LocalTime;

use super::clock::now;

/// Why the surroundings cannot be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum EnvError {
    /// The working directory was deleted or cannot be told.
    #[error("the current directory{} cannot be used", shown(path.as_deref()))]
    WorkingDirectory {
        /// Its last known path.
        path: Option<PathBuf>,
        #[source]
        cause: FileSystemError,
    },
    /// The directory to look from cannot be named.
    #[error(
        "the directory to look from has a path of {bytes} bytes, more than the {limit} that can be opened"
    )]
    LongPath { bytes: usize, limit: usize },
    /// `CODEX_HOME` leads nowhere.
    #[error("CODEX_HOME points to {}, which cannot be used", path.display())]
    CodexHome {
        path: PathBuf,
        #[source]
        cause: FileSystemError,
    },
    /// `CODEX_HOME` is no directory.
    #[error("CODEX_HOME points to {}, which is not a directory", .0.display())]
    CodexHomeNotADirectory(PathBuf),
    /// Nothing says where the home directory is.
    #[error("there is no home directory to look for .codex in")]
    NoHome,
}

fn shown(path: Option<&Path>) -> String {
    path.map(|path| format!(" {}", path.display())).unwrap_or_default()
}

impl EnvError {
    /// A way out.
    pub(crate) fn hint(&self) -> &'static str {
        match self {
            Self::WorkingDirectory { .. } => {
                "it may have been deleted: change to a directory that exists, or name one with -C"
            }
            Self::LongPath { .. } => "look from a directory nearer to the root",
            Self::CodexHome { .. } | Self::CodexHomeNotADirectory(_) => {
                "make the directory, or unset CODEX_HOME to use ~/.codex"
            }
            Self::NoHome => "set HOME, or CODEX_HOME and RECTO_HOME",
        }
    }
}

/// The working directory, with no link in it.
pub(crate) fn working_directory() -> Result<PathBuf, EnvError> {
    std::env::current_dir()
        .map_err(|error| EnvError::WorkingDirectory { path: last_path(), cause: error.into() })
}

/// The path of a working directory that is gone, as the kernel remembers it.
fn last_path() -> Option<PathBuf> {
    let link = fs::read_link("/proc/self/cwd").ok()?;
    let text = link.to_str()?;
    Some(PathBuf::from(text.strip_suffix(" (deleted)").unwrap_or(text)))
}

/// Who runs the program, on what machine.
#[derive(Debug, Clone)]
pub(crate) struct HostFacts {
    /// Codex's home; it need not exist where nobody named it.
    pub(crate) codex_home: PathBuf,
    /// Our own home, where our sessions are recorded; it need not exist.
    pub(crate) recto_home: PathBuf,
    /// What `~` stands for.
    pub(crate) home: Option<PathBuf>,
    /// What `:tmpdir` stands for.
    pub(crate) tmpdir: Option<PathBuf>,
    /// The shell's name, as the model is told.
    pub(crate) shell: String,
    /// The day and the time zone.
    pub(crate) now: LocalTime,
}

impl HostFacts {
    /// Reads all of it, once.
    pub(crate) fn read() -> Result<Self, EnvError> {
        let user = User::of_this_process();
        let home = variable("HOME").or(user.home).map(PathBuf::from);
        let codex_home = match variable("CODEX_HOME") {
            Some(path) => named_codex_home(PathBuf::from(path))?,
            None => home.as_ref().ok_or(EnvError::NoHome)?.join(".codex"),
        };
        let recto_home = recto_home(home.as_deref())?;
        let tmpdir = variable("TMPDIR").map(PathBuf::from).filter(|it| it.is_absolute());
        let shell = shell_name(user.shell);
        Ok(Self { codex_home, recto_home, home, tmpdir, shell, now: now() })
    }

    /// The homes that hold recorded sessions: Codex's, then ours.
    pub(crate) fn session_homes(&self) -> [&Path; 2] {
        [&self.codex_home, &self.recto_home]
    }
}

fn recto_home(home: Option<&Path>) -> Result<PathBuf, EnvError> {
    if let Some(path) = variable("RECTO_HOME") {
        return absolute(PathBuf::from(path));
    }
    let state = variable("XDG_STATE_HOME").map(PathBuf::from).filter(|it| it.is_absolute());
    let state = match state {
        Some(state) => state,
        None => home.ok_or(EnvError::NoHome)?.join(".local/state"),
    };
    Ok(state.join("recto"))
}

/// The text of a variable that is set.
pub(crate) fn variable_text(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

/// All variables that are text.
pub(crate) fn variables() -> BTreeMap<String, String> {
    let text = |(name, value): (OsString, OsString)| {
        Some((name.into_string().ok()?, value.into_string().ok()?))
    };
    std::env::vars_os().filter_map(text).collect()
}

/// The value of a variable that is set and not empty.
fn variable(name: &str) -> Option<OsString> {
    std::env::var_os(name).filter(|value| !value.is_empty())
}

/// What `CODEX_HOME` names must be there; links are resolved, as the reference does.
fn named_codex_home(path: PathBuf) -> Result<PathBuf, EnvError> {
    let absolute = absolute(path)?;
    match fs::canonicalize(&absolute) {
        Ok(real) if fs::metadata(&real).is_ok_and(|found| found.is_dir()) => Ok(real),
        Ok(_) => Err(EnvError::CodexHomeNotADirectory(absolute)),
        Err(error) => Err(EnvError::CodexHome { path: absolute, cause: error.into() }),
    }
}

/// A path that a variable gives, from the working directory where it is relative.
fn absolute(path: PathBuf) -> Result<PathBuf, EnvError> {
    if path.is_absolute() {
        return Ok(path);
    }
    Ok(recto_core::environment::without_dots(&working_directory()?.join(path)))
}

/// What the user database says about whoever runs the program.
#[derive(Debug, Default)]
struct User {
    home: Option<OsString>,
    shell: Option<PathBuf>,
}

impl User {
    fn of_this_process() -> Self {
        let id = rustix::process::getuid().as_raw().to_string();
        let Ok(passwd) = fs::read("/etc/passwd") else { return Self::default() };
        let passwd = String::from_utf8_lossy(&passwd);
        let entry = passwd.lines().find_map(|line| {
            let fields: Vec<&str> = line.split(':').collect();
            (fields.get(2) == Some(&id.as_str())).then_some(fields)
        });
        let field = |at: usize| {
            let fields = entry.as_ref()?;
            fields.get(at).filter(|it| !it.is_empty()).map(OsString::from)
        };
        Self { home: field(5), shell: field(6).map(PathBuf::from) }
    }
}

/// The login shell, where it is one that agents know and it is installed; else bash, else sh.
fn shell_name(login_shell: Option<PathBuf>) -> String {
    let known = login_shell.and_then(|path| {
        let stem = path.file_stem()?.to_str()?.to_owned();
        let is_known = ["bash", "zsh", "sh", "pwsh"].contains(&stem.as_str());
        (is_known && (is_program(&path) || is_in_path(&stem))).then_some(stem)
    });
    match known.as_deref() {
        Some("pwsh") => "powershell".to_owned(),
        Some(stem) => stem.to_owned(),
        None if is_program(Path::new("/bin/bash")) || is_in_path("bash") => "bash".to_owned(),
        None => "sh".to_owned(),
    }
}

fn is_in_path(name: &str) -> bool {
    variable("PATH")
        .is_some_and(|path| std::env::split_paths(&path).any(|it| is_program(&it.join(name))))
}

fn is_program(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|it| it.is_file() && it.permissions().mode() & 0o111 != 0)
}
