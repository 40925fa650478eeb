//! A fixture on disk.

#![expect(clippy::disallowed_methods, reason = "fixtures are real files, laid out for tests")]

use std::ffi::{OsStr, OsString};
use std::fs::{self, OpenOptions, Permissions};
use std::io::{self, Write};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use rustix::fs::{CWD, Mode, mkfifoat};
use tempfile::TempDir;

use super::fixture::{Entry, EntryKind, Fixture};

/// What `home/config.toml` holds where a fixture has none: the model that the reference is compared with.
const CONFIG: &[u8] = b"model = \"gpt-5.5\"\n";

/// A fixture that exists; removed when dropped.
#[derive(Debug)]
pub struct FixtureDirectory {
    root: PathBuf,
    fixture: Fixture,
    /// Removes the tree; declared last, and so dropped after the modes are set back.
    _directory: TempDir,
}

impl Fixture {
    /// Makes the tree in a new temporary directory, with no `.git` above it.
    ///
    /// # Panics
    ///
    /// Where something of it cannot be made.
    pub fn lay_out(self) -> FixtureDirectory {
        self.lay_out_in(&parent_without_marker())
    }

    /// Makes the tree in a new directory inside `parent`.
    ///
    /// # Panics
    ///
    /// Where something of it cannot be made.
    pub fn lay_out_in(self, parent: &Path) -> FixtureDirectory {
        let made = tempfile::Builder::new().prefix("recto-").tempdir_in(parent);
        let directory = made.expect("a fixture needs a directory of its own");
        let root = fs::canonicalize(directory.path()).expect("the new directory has a path");
        let laid_out = FixtureDirectory { root, fixture: self, _directory: directory };
        laid_out.make_all();
        laid_out
    }
}

/// Where fixtures are made: a `.git` above them would be their root, and Codex's sandbox leaves one in `/tmp`.
fn parent_without_marker() -> PathBuf {
    let first = std::env::temp_dir();
    let places = [&*first, Path::new("/dev/shm"), Path::new("/var/tmp")];
    let is_free = |place: &&Path| {
        let mut above = place.ancestors();
        place.is_dir() && above.all(|it| fs::symlink_metadata(it.join(".git")).is_err())
    };
    places.into_iter().find(is_free).unwrap_or(&first).to_owned()
}

impl FixtureDirectory {
    /// The root of the tree, with no link in it.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// A path of the fixture as an absolute path.
    pub fn path(&self, path: impl AsRef<Path>) -> PathBuf {
        self.root.join(path)
    }

    /// `CODEX_HOME`.
    pub fn codex_home(&self) -> PathBuf {
        self.path("home")
    }

    /// Where the program runs.
    pub fn cwd(&self) -> PathBuf {
        self.path(&self.fixture.cwd)
    }

    /// Arguments of the program.
    pub fn args(&self) -> Vec<String> {
        let root = self.root.to_string_lossy();
        self.fixture.args.iter().map(|word| word.replace("$ROOT", &root)).collect()
    }

    /// Environment variables of the program; those without a value are removed.
    pub fn env(&self) -> Vec<(String, Option<OsString>)> {
        let variables = self.fixture.env.iter();
        variables
            .map(|it| {
                let value = it.value.as_deref().map(|value| self.with_root(value.as_bytes()));
                (it.name.clone(), value.map(OsString::from_vec))
            })
            .collect()
    }

    fn make_all(&self) {
        let (links, others): (Vec<&Entry>, Vec<&Entry>) = self
            .fixture
            .entries
            .iter()
            .partition(|entry| matches!(entry.kind, EntryKind::HardLink(_)));
        fs::create_dir_all(self.codex_home()).expect("the root is a new directory");
        for entry in others.into_iter().chain(links) {
            if let Err(error) = self.make(entry) {
                panic!("cannot make {} of the fixture: {error}", entry.path.display());
            }
        }
        // A link of that name that leads nowhere is the fixture's own, too.
        if fs::symlink_metadata(self.path("home/config.toml")).is_err() {
            fs::write(self.path("home/config.toml"), CONFIG).expect("the home was just made");
        }
        for (path, mode) in &self.fixture.modes {
            if let Err(error) = fs::set_permissions(self.path(path), Permissions::from_mode(*mode))
            {
                panic!("cannot set the mode of {} of the fixture: {error}", path.display());
            }
        }
    }

    fn make(&self, entry: &Entry) -> io::Result<()> {
        let path = self.path(&entry.path);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        match &entry.kind {
            EntryKind::Directory => fs::create_dir_all(path),
            EntryKind::File(bytes) => OpenOptions::new()
                .write(true)
                .create_new(true)
                .open(path)?
                .write_all(&self.with_root(bytes)),
            EntryKind::Link(target) => {
                let target = self.with_root(target.as_os_str().as_bytes());
                symlink(OsStr::from_bytes(&target), path)
            }
            EntryKind::HardLink(target) => fs::hard_link(self.path(target), path),
            EntryKind::Pipe => Ok(mkfifoat(CWD, path, Mode::RUSR | Mode::WUSR)?),
        }
    }

    /// Puts the root's path where `$ROOT` stands.
    fn with_root(&self, bytes: &[u8]) -> Vec<u8> {
        const NAME: &[u8] = b"$ROOT";
        let mut out = Vec::with_capacity(bytes.len());
        let mut rest = bytes;
        while let Some(at) = rest.windows(NAME.len()).position(|window| window == NAME) {
            out.extend_from_slice(&rest[..at]);
            out.extend_from_slice(self.root.as_os_str().as_bytes());
            rest = &rest[at + NAME.len()..];
        }
        out.extend_from_slice(rest);
        out
    }
}

impl Drop for FixtureDirectory {
    /// Sets modes back, the last one first, so that the tree can be removed.
    fn drop(&mut self) {
        for (path, _) in self.fixture.modes.iter().rev() {
            // Where it is gone already there is nothing to set back.
            let _ = fs::set_permissions(self.path(path), Permissions::from_mode(0o700));
        }
    }
}
