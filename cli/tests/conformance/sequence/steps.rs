//! What a sequence is made of.

use std::path::{Path, PathBuf};

use recto_core::testing::{Fixture, FixtureDirectory};

use crate::programs::PARENT;

/// A conversation and what happens around it.
#[derive(Debug, Clone)]
pub(crate) struct Sequence {
    pub(super) name: &'static str,
    fixture: &'static str,
    pub(super) config: &'static str,
    pub(super) steps: Vec<Step>,
}

/// One thing that happens.
#[derive(Debug, Clone)]
pub(super) enum Step {
    /// A person says something and the model answers.
    Turn(Turn),
    /// A file gets a text.
    Write(&'static str, &'static str),
    /// A file goes.
    Remove(&'static str),
    /// The next turns run in another directory.
    Cwd(&'static str),
    /// The next turns run with these configuration values.
    Settings(&'static [&'static str]),
    /// The project is trusted from the next turn on, or not.
    Trust(&'static str),
    /// The next turns see another time zone.
    TimeZone(&'static str),
}

/// What is said and what is answered.
#[derive(Debug, Clone)]
pub(super) struct Turn {
    pub(super) text: String,
    /// Each response of the model.
    pub(super) replies: Vec<Reply>,
    pub(super) calls: Calls,
}

/// What becomes of the calls of a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Calls {
    /// Nobody has such a tool; each program says so itself.
    Refused,
    /// The reference runs them; our side answers with the outputs that the reference sent.
    Run,
    /// The program is killed while the first one runs.
    Killed,
}

/// One response of the model.
#[derive(Debug, Clone)]
pub(super) struct Reply {
    /// Its items, as JSON.
    pub(super) items: Vec<String>,
    /// What it cost.
    pub(super) tokens: u64,
}

/// The model says something.
pub(super) fn says(text: &str) -> Reply {
    let text = serde_json::Value::from(text);
    let item = format!(
        r#"{{"type":"message","role":"assistant","content":[{{"type":"output_text","text":{text}}}]}}"#
    );
    Reply { items: vec![item], tokens: 100 }
}

/// The model calls a function; the id is what ties call and output together.
pub(super) fn calls(id: &str, name: &str, arguments: &str) -> Reply {
    let arguments = serde_json::Value::from(arguments);
    let item = format!(
        r#"{{"type":"function_call","name":"{name}","arguments":{arguments},"call_id":"{id}"}}"#
    );
    Reply { items: vec![item], tokens: 100 }
}

impl Reply {
    /// The response cost so many tokens.
    pub(super) fn costing(self, tokens: u64) -> Self {
        Self { tokens, ..self }
    }

    /// The response goes on with the items of another one.
    pub(super) fn and(mut self, other: Self) -> Self {
        self.items.extend(other.items);
        self
    }
}

impl Sequence {
    pub(super) fn new(name: &'static str, fixture: &'static str) -> Self {
        Self { name, fixture, config: "", steps: Vec::new() }
    }

    /// More lines for the configuration of both programs.
    pub(super) fn config(self, config: &'static str) -> Self {
        Self { config, ..self }
    }

    pub(super) fn then(mut self, step: Step) -> Self {
        self.steps.push(step);
        self
    }

    /// A turn that is answered by `ok`.
    pub(super) fn turn(self, text: &str) -> Self {
        self.answered(text, vec![says("ok")])
    }

    pub(super) fn answered(self, text: &str, replies: Vec<Reply>) -> Self {
        self.with_calls(Calls::Refused, text, replies)
    }

    pub(super) fn with_calls(self, calls: Calls, text: &str, replies: Vec<Reply>) -> Self {
        self.then(Step::Turn(Turn { text: text.to_owned(), replies, calls }))
    }

    pub(super) fn write(self, path: &'static str, text: &'static str) -> Self {
        self.then(Step::Write(path, text))
    }

    pub(super) fn remove(self, path: &'static str) -> Self {
        self.then(Step::Remove(path))
    }

    pub(super) fn lay_out(&self) -> FixtureDirectory {
        let tree = Fixture::parse(self.fixture).lay_out_in(Path::new(PARENT));
        std::fs::create_dir_all(tree.path("user")).expect("the tree is ours");
        tree
    }
}

/// Where the next turn runs.
#[derive(Debug, Clone)]
pub(super) struct Place {
    pub(super) cwd: PathBuf,
    pub(super) settings: Vec<&'static str>,
    pub(super) trust: &'static str,
    pub(super) time_zone: &'static str,
    pub(super) config: &'static str,
}

impl Place {
    pub(super) fn of(sequence: &Sequence, tree: &FixtureDirectory) -> Self {
        Self {
            cwd: tree.cwd(),
            settings: Vec::new(),
            trust: "trusted",
            time_zone: "UTC",
            config: sequence.config,
        }
    }

    /// Carries a step out that is no turn.
    pub(super) fn change(&mut self, step: &Step, tree: &FixtureDirectory) {
        match step {
            Step::Turn(_) => {}
            Step::Write(path, text) => write(&tree.path(path), text),
            Step::Remove(path) => std::fs::remove_file(tree.path(path)).expect("the file is there"),
            Step::Cwd(path) => self.cwd = tree.path(path),
            Step::Settings(settings) => self.settings = settings.to_vec(),
            Step::Trust(level) => self.trust = level,
            Step::TimeZone(zone) => self.time_zone = zone,
        }
    }
}

/// Writes a file and the directories above it.
#[expect(clippy::disallowed_methods, reason = "a sequence changes its own tree")]
pub(super) fn write(path: &Path, text: &str) {
    std::fs::create_dir_all(path.parent().expect("a file stands in a directory"))
        .and_then(|()| std::fs::write(path, text))
        .expect("the tree can be written");
}
