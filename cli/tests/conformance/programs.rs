//! Runs both programs in one directory tree.

use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use recto_core::testing::{Case, FixtureDirectory};
use serde_json::Value;

use crate::aspect::{self, Aspect};

/// Where trees are laid out: the reference warns of a home in the temporary folder, and above the tree there must be
/// no `.git`.
pub(crate) const PARENT: &str = "/var/tmp";

/// Ends a program that waits for something.
const TIME_LIMIT: [&str; 2] = ["timeout", "30"];

/// Takes from root the right to read what modes forbid.
const WITHOUT_PRIVILEGES: [&str; 3] = [
    "setpriv",
    "--bounding-set=-dac_override,-dac_read_search",
    "--inh-caps=-dac_override,-dac_read_search",
];

/// The two programs that are compared.
#[derive(Clone)]
pub(crate) struct Programs {
    reference: PathBuf,
    recto: PathBuf,
}

/// What the two programs made of one case.
pub(crate) struct Runs {
    /// The reference.
    pub(crate) reference: Run,
    /// This project.
    pub(crate) recto: Run,
}

/// What one program made of a case; the tree's root is written `$ROOT`.
pub(crate) struct Run {
    /// Whether it ended well.
    pub(crate) success: bool,
    /// The input items that it printed.
    pub(crate) items: Vec<Value>,
    /// Whether it printed anything.
    pub(crate) has_output: bool,
    /// What it said to people.
    pub(crate) messages: String,
}

impl Programs {
    /// Compares this build with the reference.
    pub(crate) fn new(reference: PathBuf) -> Self {
        Self { reference, recto: env!("CARGO_BIN_EXE_recto").into() }
    }

    /// The reference.
    pub(crate) fn reference(&self) -> &Path {
        &self.reference
    }

    /// This build.
    pub(crate) fn recto(&self) -> &Path {
        &self.recto
    }

    /// Lays a case out and runs both; recto first, since the reference fills its home with skills of its own.
    ///
    /// Where the order of items is compared these skills are part of what is told, so then the reference is first.
    pub(crate) fn run(&self, case: &Case) -> Runs {
        let tree = case.fixture.clone().lay_out_in(Path::new(PARENT));
        std::fs::create_dir_all(tree.path("user")).expect("the tree is ours");
        let is_guarded = !case.fixture.modes.is_empty() && is_root();
        let run_recto = || run(&tree, &self.recto, &["prompt", "--format", "input"], is_guarded);
        let run_reference = || run(&tree, &self.reference, &["debug", "prompt-input"], is_guarded);
        if case.compare.iter().any(|it| it == "order") {
            let reference = run_reference();
            return Runs { reference, recto: run_recto() };
        }
        let recto = run_recto();
        Runs { reference: run_reference(), recto }
    }
}

impl Runs {
    /// Whether midnight fell between the two, or seems to have.
    pub(crate) fn are_of_two_days(&self) -> bool {
        let day = |run: &Run| {
            let environment = Aspect::Environment.view(run);
            environment.lines().find(|line| line.contains("<current_date>")).map(str::to_owned)
        };
        day(&self.reference) != day(&self.recto)
    }
}

fn run(tree: &FixtureDirectory, program: &Path, command: &[&str], is_guarded: bool) -> Run {
    let guard: &[&str] = if is_guarded { &WITHOUT_PRIVILEGES } else { &[] };
    let mut words = TIME_LIMIT.iter().chain(guard);
    let mut child = Command::new(words.next().expect("the time limit is a command"));
    child.args(words).arg(program).args(command).args(tree.args()).arg("hi");
    child.current_dir(tree.cwd()).stdin(Stdio::null());
    child.env_clear();
    child.env("PATH", "/usr/bin:/bin").env("SHELL", "/bin/bash").env("TZ", "UTC");
    child.env("HOME", tree.path("user")).env("CODEX_HOME", tree.codex_home());
    child.env("PWD", tree.cwd());
    for (name, value) in tree.env() {
        match value {
            Some(value) => child.env(name, value),
            None => child.env_remove(name),
        };
    }
    let output = child.output().unwrap_or_else(|error| panic!("{}: {error}", program.display()));
    parse(&output, tree)
}

fn parse(output: &Output, tree: &FixtureDirectory) -> Run {
    let root = tree.root().to_string_lossy();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).replace(&*root, "$ROOT");
    let printed = text(&output.stdout);
    let mut messages = text(&output.stderr);
    let items = if let Ok(Value::Array(items)) = serde_json::from_str(&printed) {
        items
    } else {
        messages.push_str(&aspect::readable(&printed));
        Vec::new()
    };
    Run { success: output.status.success(), items, has_output: !printed.is_empty(), messages }
}

#[expect(clippy::disallowed_methods, reason = "asks who runs the tests")]
fn is_root() -> bool {
    std::fs::metadata("/proc/self").is_ok_and(|it| it.uid() == 0)
}
