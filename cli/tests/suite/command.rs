//! Runs the program in a directory tree, and shows status, standard output and standard error together.

use std::ffi::OsStr;
use std::fmt;
use std::io::Write;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use recto_core::testing::{Fixture, FixtureDirectory};

/// Where trees are laid out: what wraps at 80 columns must not depend on a folder that somebody chose, and
/// above the tree there must be no `.git`.
const PARENT: &str = "/var/tmp";

/// Takes from root the right to read what modes forbid.
const WITHOUT_PRIVILEGES: [&str; 3] = [
    "setpriv",
    "--bounding-set=-dac_override,-dac_read_search",
    "--inh-caps=-dac_override,-dac_read_search",
];

/// A directory tree that the program is run in; its root is the home directory.
pub(crate) struct Recto {
    tree: FixtureDirectory,
    is_guarded: bool,
}

/// How one run went.
pub(crate) struct Run {
    /// The exit code; none where a signal ended it.
    pub(crate) status: Option<i32>,
    /// Standard output.
    pub(crate) stdout: String,
    /// Standard error.
    pub(crate) stderr: String,
}

impl Recto {
    /// Lays a fixture out.
    pub(crate) fn in_tree(fixture: &str) -> Self {
        let fixture = Fixture::parse(fixture);
        let is_guarded = !fixture.modes.is_empty() && is_root();
        Self { tree: fixture.lay_out_in(Path::new(PARENT)), is_guarded }
    }

    /// Runs the program with these arguments and the fixture's.
    pub(crate) fn run(&self, arguments: &[&str]) -> Run {
        self.show(&self.command(arguments).output().expect("the program starts"))
    }

    /// Runs the program with a text on standard input.
    pub(crate) fn run_with_input(&self, arguments: &[&str], input: &[u8]) -> Run {
        let mut command = self.command(arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the program starts");
        child.stdin.take().expect("it is piped").write_all(input).expect("the program reads");
        self.show(&child.wait_with_output().expect("the program ends"))
    }

    /// Runs a line of the shell in which `$0` is the program; `CODEX_HOME` is not set there.
    pub(crate) fn run_in_shell(&self, line: &str) -> Run {
        let output = Command::new("/bin/sh")
            .args(["-c", line, env!("CARGO_BIN_EXE_recto")])
            .current_dir(self.tree.cwd())
            .env_clear()
            .env("PATH", "/usr/sbin:/usr/bin:/sbin:/bin")
            .env("HOME", self.tree.root())
            .output()
            .expect("the shell starts");
        self.show(&output)
    }

    /// The program as a command that is not started yet.
    pub(crate) fn command(&self, arguments: &[impl AsRef<OsStr>]) -> Command {
        let guard: &[&str] = if self.is_guarded { &WITHOUT_PRIVILEGES } else { &[] };
        let mut words = guard.iter().copied().chain([env!("CARGO_BIN_EXE_recto")]);
        let mut command = Command::new(words.next().expect("the program is a word"));
        command.args(words).args(arguments).args(self.tree.args());
        command.current_dir(self.tree.cwd()).stdin(Stdio::null()).env_clear();
        command.env("PATH", "/usr/bin:/bin").env("TZ", "UTC").env("HOME", self.tree.root());
        command.env("CODEX_HOME", self.tree.codex_home());
        for (name, value) in self.tree.env() {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        command
    }

    /// The tree itself.
    pub(crate) fn tree(&self) -> &FixtureDirectory {
        &self.tree
    }

    /// An output with the tree's root, the day and the machine taken out.
    pub(crate) fn show(&self, output: &Output) -> Run {
        let root = self.tree.root().to_string_lossy();
        let text = |bytes: &[u8]| {
            let text = String::from_utf8_lossy(bytes).replace(&*root, "$ROOT");
            let text = hide(&text, "current_date", "$DATE");
            hide(&hide(&text, "shell", "$SHELL"), "timezone", "$TIMEZONE")
        };
        Run {
            status: output.status.code(),
            stdout: text(&output.stdout),
            stderr: text(&output.stderr),
        }
    }
}

/// Puts a word where an element's text depends on the machine and the day.
fn hide(text: &str, element: &str, word: &str) -> String {
    let (start, end) = (format!("<{element}>"), format!("</{element}>"));
    match (text.find(&start), text.find(&end)) {
        (Some(from), Some(to)) => format!("{}{word}{}", &text[..from + start.len()], &text[to..]),
        _ => text.to_owned(),
    }
}

/// All three, as snapshots have them.
impl fmt::Display for Run {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let status = self.status.map_or("a signal".to_owned(), |status| status.to_string());
        write!(f, "status: {status}")?;
        for (name, text) in [("stdout", &self.stdout), ("stderr", &self.stderr)] {
            if !text.is_empty() {
                write!(f, "\n----- {name} -----\n{text}")?;
            }
        }
        Ok(())
    }
}

/// Compares a run of a tree with its snapshot: status, standard output and standard error in one.
macro_rules! cli_snapshot {
    ($recto:expr, $($argument:expr),* $(,)?) => {
        insta::assert_snapshot!($recto.run(&[$($argument),*]).to_string())
    };
}
pub(crate) use cli_snapshot;

#[expect(clippy::disallowed_methods, reason = "asks who runs the tests")]
fn is_root() -> bool {
    std::fs::metadata("/proc/self").is_ok_and(|it| it.uid() == 0)
}
