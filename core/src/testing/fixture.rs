//! A directory tree, and how a program is started in it, written as one string.
//!
//! A line that starts with `//- ` is a directive:
//!
//! ```text
//! //- repo/.git/                      a directory
//! //- repo/AGENTS.md                  a file: the lines up to the next directive
//! //- repo/AGENTS.md = "a\xE9b\n"     a file of these bytes; escapes \n \r \t \0 \\ \" \xNN;
//!                                     several pieces are joined, each may be repeated: "a"*2048 "\n"
//! //- repo/link -> ../other           a symbolic link
//! //- repo/hard => repo/AGENTS.md     a hard link; its target lies in the fixture
//! //- repo/pipe |                     a named pipe
//! //- chmod 000 repo/AGENTS.md        a mode, set when everything stands
//! //- cwd: repo/sub                   where the program runs; required
//! //- args: -c project_doc_max_bytes=10
//! //- env: TZ=Europe/Berlin -SHELL    variables that are set, and one that is removed
//! ```
//!
//! Paths are relative to the fixture's root and may hold `\xNN`. `$ROOT` in contents, link targets, `args` and `env`
//! stands for the absolute path of the root. `home/` is `CODEX_HOME`. The indentation of the first directive is taken
//! off every line, so that a fixture can stand indented in a test.

use std::ffi::OsString;
use std::path::{Component, PathBuf};

use super::escape::{pieces, unescape_os};

/// A directory tree that does not exist yet.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Fixture {
    /// What is in the tree, in the order it was written.
    pub entries: Vec<Entry>,
    /// Modes that are set when everything stands.
    pub modes: Vec<(PathBuf, u32)>,
    /// Where the program runs, below the root.
    pub cwd: PathBuf,
    /// Arguments of the program.
    pub args: Vec<String>,
    /// Environment variables of the program.
    pub env: Vec<Variable>,
}

/// Something in a directory tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Its path below the root.
    pub path: PathBuf,
    /// What it is.
    pub kind: EntryKind,
}

/// What something in a directory tree is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EntryKind {
    /// A directory.
    Directory,
    /// A file and its bytes.
    File(Vec<u8>),
    /// A symbolic link and its target.
    Link(PathBuf),
    /// A hard link and its target below the root.
    HardLink(PathBuf),
    /// A named pipe.
    Pipe,
}

/// An environment variable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// Its value; none removes it.
    pub value: Option<OsString>,
}

impl Fixture {
    /// Reads a fixture.
    ///
    /// # Panics
    ///
    /// Where the text is no fixture; the message holds the line.
    pub fn parse(text: &str) -> Self {
        match Self::from_lines(&lines(text)) {
            Ok(fixture) => fixture,
            Err(problem) => panic!("malformed fixture: {problem}"),
        }
    }

    pub(super) fn from_lines(lines: &[&str]) -> Result<Self, String> {
        let mut reader = Reader::default();
        for line in lines {
            reader.line(line).map_err(|problem| format!("{problem}\n  in line: {line}"))?;
        }
        reader.finish()
    }
}

/// The lines of a text without the indentation of the first directive and without a blank last line.
pub(super) fn lines(text: &str) -> Vec<&str> {
    let mut lines: Vec<&str> = text.split('\n').collect();
    lines.pop_if(|last| last.trim().is_empty());
    let first = lines.iter().find(|line| !line.trim().is_empty());
    let indent = first.map_or("", |line| &line[..line.len() - line.trim_start().len()]);
    lines.iter().map(|line| line.strip_prefix(indent).unwrap_or(line.trim_start())).collect()
}

#[derive(Default)]
struct Reader {
    fixture: Fixture,
    has_cwd: bool,
    /// Whether plain lines are the content of the last entry.
    in_file: bool,
}

impl Reader {
    fn line(&mut self, line: &str) -> Result<(), String> {
        if let Some(directive) = line.strip_prefix("//- ") {
            return self.directive(directive);
        }
        match self.fixture.entries.last_mut() {
            Some(Entry { kind: EntryKind::File(bytes), .. }) if self.in_file => {
                bytes.extend_from_slice(line.as_bytes());
                bytes.push(b'\n');
                Ok(())
            }
            _ if line.trim().is_empty() => Ok(()),
            _ => Err("a line that belongs to no file".to_owned()),
        }
    }

    fn directive(&mut self, text: &str) -> Result<(), String> {
        self.in_file = false;
        if let Some(mode) = text.strip_prefix("chmod ") {
            self.fixture.modes.push(mode_and_path(mode)?);
        } else if let Some(cwd) = text.strip_prefix("cwd: ") {
            self.cwd(cwd.trim_end())?;
        } else if let Some(args) = text.strip_prefix("args: ") {
            self.fixture.args.extend(words(args)?);
        } else if let Some(env) = text.strip_prefix("env: ") {
            for word in words(env)? {
                self.fixture.env.push(variable(&word)?);
            }
        } else {
            self.entry(text)?;
        }
        Ok(())
    }

    fn cwd(&mut self, cwd: &str) -> Result<(), String> {
        if self.has_cwd {
            return Err("a second cwd".to_owned());
        }
        self.has_cwd = true;
        self.fixture.cwd = unescape_os(cwd)?.into();
        Ok(())
    }

    fn entry(&mut self, text: &str) -> Result<(), String> {
        let (path, kind) = if let Some((path, _)) = text.split_once(" = \"") {
            (path, EntryKind::File(pieces(&text[path.len() + " = ".len()..])?))
        } else if let Some((path, target)) = text.split_once(" -> ") {
            (path, EntryKind::Link(unescape_os(target)?.into()))
        } else if let Some((path, target)) = text.split_once(" => ") {
            (path, EntryKind::HardLink(path_in_tree(target)?))
        } else if let Some(path) = text.strip_suffix(" |") {
            (path, EntryKind::Pipe)
        } else if let Some(path) = text.strip_suffix('/') {
            (path, EntryKind::Directory)
        } else {
            self.in_file = true;
            (text, EntryKind::File(Vec::new()))
        };
        let path = path_in_tree(path)?;
        if self.fixture.entries.iter().any(|entry| entry.path == path) {
            return Err("a path that stands there already".to_owned());
        }
        self.fixture.entries.push(Entry { path, kind });
        Ok(())
    }

    fn finish(self) -> Result<Fixture, String> {
        self.has_cwd.then_some(self.fixture).ok_or_else(|| "no cwd".to_owned())
    }
}

fn path_in_tree(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(unescape_os(text)?);
    let inside = path.components().all(|it| matches!(it, Component::Normal(_) | Component::CurDir));
    (inside && !text.is_empty())
        .then_some(path)
        .ok_or_else(|| "a path that is not below the root".to_owned())
}

fn mode_and_path(text: &str) -> Result<(PathBuf, u32), String> {
    let (mode, path) = text.split_once(' ').ok_or("chmod without a path")?;
    let mode = u32::from_str_radix(mode, 8).map_err(|_| format!("no mode: {mode}"))?;
    Ok((path_in_tree(path)?, mode))
}

fn words(text: &str) -> Result<Vec<String>, String> {
    shlex::split(text).ok_or_else(|| "a quote that is not closed".to_owned())
}

fn variable(word: &str) -> Result<Variable, String> {
    if let Some(name) = word.strip_prefix('-') {
        return Ok(Variable { name: name.to_owned(), value: None });
    }
    let (name, value) =
        word.split_once('=').ok_or_else(|| format!("no NAME=value and no -NAME: {word}"))?;
    Ok(Variable { name: name.to_owned(), value: Some(unescape_os(value)?) })
}
