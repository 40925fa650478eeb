//! Where the programs run: a tree, and a provider that notes when it was asked, and how much.

#![expect(clippy::disallowed_methods, reason = "a bench makes its own files")]

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use recto_core::testing::{Fixture, FixtureDirectory};

use crate::files::{self, id};
use crate::measure::{Cost, cost};
use crate::programs::RESUME;
use crate::support::Server;

/// A tree, a provider, and what it was asked last.
pub(crate) struct Place {
    pub(crate) tree: FixtureDirectory,
    pub(crate) server: Server,
    asked: Arc<Mutex<Option<Asked>>>,
}

/// A request, as soon as all of it was there.
#[derive(Clone, Copy)]
struct Asked {
    at: Instant,
    bytes: usize,
}

/// What a run took to its request, and how long that was.
pub(crate) struct Resumed {
    pub(crate) cost: Cost,
    pub(crate) request_bytes: usize,
}

impl Place {
    pub(crate) fn new() -> Self {
        let fixture = Fixture::parse(
            "
            //- user/
            //- home/
            //- many/
            //- huge/
            //- repo/.git/HEAD = \"ref: refs/heads/main\"
            //- repo/AGENTS.md = \"Run the tests.\"
            //- cwd: repo
            ",
        );
        let tree = fixture.lay_out_in(Path::new(env!("CARGO_TARGET_TMPDIR")));
        let asked = Arc::new(Mutex::new(None));
        let hears = Arc::clone(&asked);
        let server = Server::start(move |body| {
            let now = Asked { at: Instant::now(), bytes: body.len() };
            lock(&hears).get_or_insert(now);
        });
        let trust =
            format!("[projects.\"{}\"]\ntrust_level = \"trusted\"\n", tree.path("repo").display());
        let config = tree.path("home/config.toml");
        std::fs::write(config, server.config() + &trust).expect("the tree is ours");
        Self { tree, server, asked }
    }

    /// Runs a program to its end.
    pub(crate) fn run(&self, program: &[&str]) -> Cost {
        let (user, home) = (self.tree.path("user"), self.tree.path("home"));
        cost(program, &self.tree.cwd(), &user, &home)
    }

    /// Goes on with the session of so many turns.
    pub(crate) fn resume(&self, turns: u64) -> Resumed {
        let home = self.tree.path("home");
        let file = self.session(turns);
        let (cwd, port) = (self.tree.cwd(), self.server.port.to_string());
        let words = [file.to_str(), home.to_str(), cwd.to_str()].map(Option::unwrap_or_default);
        self.run_to_request(&[&this(), RESUME, words[0], words[1], words[2], &port])
    }

    /// Lets the reference go on with the session of so many turns.
    pub(crate) fn resume_with(&self, reference: &str, turns: u64) -> Resumed {
        self.session(turns);
        self.run_to_request(&[reference, "exec", "resume", &id(1), "next question"])
    }

    /// Runs a program; the time is that until the provider has the whole request.
    fn run_to_request(&self, program: &[&str]) -> Resumed {
        *lock(&self.asked) = None;
        let start = Instant::now();
        let cost = self.run(program);
        drop(self.server.take_requests());
        let asked = lock(&self.asked).expect("it asks the provider");
        Resumed { cost: Cost { time: asked.at - start, ..cost }, request_bytes: asked.bytes }
    }

    /// The session is made anew before each run, for a run adds to it.
    fn session(&self, turns: u64) -> PathBuf {
        let made = files::long_session(&self.tree.path("home"), &self.tree.cwd(), 1, turns);
        made.expect("the disk takes it")
    }
}

/// This program.
pub(crate) fn this() -> String {
    std::env::current_exe().expect("this program has a path").display().to_string()
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
