//! From a path to what stands there, one name at a time and by handles that links and races cannot lead out of.
//!
//! Every step opens one name in a directory that is open already, and follows no link: what a link says is looked up
//! again from the policy's own places. So whatever is swapped meanwhile, a handle only ever stands for the path by
//! which the policy was asked.

#![expect(clippy::disallowed_methods, reason = "the places of a policy are opened here")]

use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::path::{Component, Path, PathBuf};

use cap_fs_ext::{FollowSymlinks, OpenOptionsFollowExt};
use cap_std::ambient_authority;
use cap_std::fs::{Dir, OpenOptions, OpenOptionsExt};
use rustix::fs::OFlags;

use super::policy::{SandboxPolicy, Verdict};
use crate::environment::{FileSystemError, FileSystemResult};

/// Links that one path may lead over, as in Linux.
const MOST_LINKS: usize = 40;

/// A policy with its places open.
#[derive(Debug)]
pub(super) struct Sandbox {
    policy: SandboxPolicy,
    places: Vec<Place>,
}

/// A place that may be read.
#[derive(Debug)]
struct Place {
    /// Its path as the policy has it.
    named: PathBuf,
    /// Its path without links; of a file, that of its directory.
    real: PathBuf,
    directory: Dir,
    /// The name of a place that is a file.
    file: Option<OsString>,
}

/// What stands at a path.
#[derive(Debug)]
pub(super) struct Found {
    /// Only good for asking what it is.
    pub(super) handle: File,
    /// Where it can be opened again; none for a place of the policy itself.
    parent: Option<(Dir, OsString)>,
    /// Its path without links.
    pub(super) real: PathBuf,
    /// Whether the path itself is a link.
    pub(super) through_link: bool,
    /// Why it may be seen, and not be read.
    denied: Option<String>,
}

/// How a walk from one place ended.
enum Walked {
    Found(Found),
    /// A link leads to another path, or `..` does.
    Elsewhere {
        path: PathBuf,
        is_link: bool,
        is_last: bool,
    },
}

impl Sandbox {
    /// Opens the places of a policy; those that are not there hold nothing.
    pub(super) fn open(policy: &SandboxPolicy) -> Self {
        let policy = policy.with_real_paths(real_path);
        let readable = policy.rules().iter().filter(|rule| rule.is_readable);
        let places = readable.filter_map(|rule| Place::open(&rule.path).ok()).collect();
        Self { policy, places }
    }

    /// Whether a path lies in a place of the policy, links aside.
    pub(super) fn covers(&self, path: &Path) -> bool {
        let has_dots = path.components().any(|it| it == Component::ParentDir);
        has_dots || self.policy.verdict(path) != Verdict::Uncovered
    }

    /// Walks to a path. What may not be read can be found all the same, but nothing below it.
    pub(super) fn find(&self, asked: &Path) -> FileSystemResult<Found> {
        let mut path = asked.to_owned();
        let mut links = 0;
        let mut through_link = false;
        loop {
            let walked = match self.walk(asked, &path) {
                Err(FileSystemError::NotFound) if through_link => {
                    return Err(FileSystemError::BrokenLink);
                }
                walked => walked?,
            };
            match walked {
                Walked::Found(found) => return Ok(Found { through_link, ..found }),
                Walked::Elsewhere { path: next, is_link, is_last } => {
                    links += usize::from(is_link);
                    through_link |= is_last;
                    path = next;
                }
            }
            if links > MOST_LINKS {
                return Err(io::Error::from(rustix::io::Errno::LOOP).into());
            }
        }
    }

    fn walk(&self, asked: &Path, path: &Path) -> FileSystemResult<Walked> {
        let Some((place, names)) = self.place_of(path) else {
            return Err(self.why_no_place(asked, path));
        };
        let mut real = place.real.clone();
        let mut directory: Option<Dir> = None;
        for (at, name) in names.iter().enumerate() {
            let rest = &names[at + 1..];
            if name == ".." {
                let path = join(real.parent().unwrap_or(&real), rest);
                return Ok(Walked::Elsewhere { path, is_link: false, is_last: false });
            }
            let within = directory.as_ref().unwrap_or(&place.directory);
            let handle = within.open_with(name, &options(OFlags::PATH))?.into_std();
            let kind = handle.metadata()?.file_type();
            real.push(name);
            let denied = match self.policy.verdict(&real) {
                Verdict::Denied(rule) => Some(denial(&rule)),
                _ => None,
            };
            match denied {
                Some(policy) if !rest.is_empty() || kind.is_symlink() => {
                    return Err(FileSystemError::Denied { path: asked.to_owned(), policy });
                }
                denied if rest.is_empty() && !kind.is_symlink() => {
                    let parent = Some((within.try_clone()?, name.clone()));
                    return Ok(Walked::Found(Found {
                        handle,
                        parent,
                        real,
                        through_link: false,
                        denied,
                    }));
                }
                _ => {}
            }
            if kind.is_symlink() {
                let target = within.read_link_contents(name)?;
                let path = join(&real.parent().unwrap_or(&real).join(target), rest);
                return Ok(Walked::Elsewhere { path, is_link: true, is_last: rest.is_empty() });
            }
            if !kind.is_dir() {
                return Err(FileSystemError::NotFound);
            }
            directory = Some(Dir::from_std_file(handle));
        }
        let handle = place.directory.try_clone()?.into_std_file();
        Ok(Walked::Found(Found { handle, parent: None, real, through_link: false, denied: None }))
    }

    fn why_no_place(&self, asked: &Path, reached: &Path) -> FileSystemError {
        match self.policy.verdict(reached) {
            Verdict::Denied(rule) => {
                FileSystemError::Denied { path: asked.to_owned(), policy: denial(&rule) }
            }
            // The place is the policy's, but it is not there.
            Verdict::Readable => FileSystemError::NotFound,
            Verdict::Uncovered => {
                let mut policy = self.policy.in_words();
                if reached != asked {
                    policy = format!("it leads to {}, and {policy}", reached.display());
                }
                FileSystemError::Denied { path: asked.to_owned(), policy }
            }
        }
    }

    /// The narrowest place that a path lies in, and the names from there on.
    fn place_of(&self, path: &Path) -> Option<(&Place, Vec<OsString>)> {
        let covering = self.places.iter().filter(|place| path.starts_with(&place.named));
        let place = covering.max_by_key(|place| place.named.as_os_str().len())?;
        let below = path.strip_prefix(&place.named).ok()?;
        let names = place.file.clone().into_iter();
        Some((place, names.chain(below.iter().map(ToOwned::to_owned)).collect()))
    }
}

impl Found {
    /// Opens what was found for reading, if it may be read.
    pub(super) fn open(self, asked: &Path) -> FileSystemResult<File> {
        if let Some(policy) = self.denied {
            return Err(FileSystemError::Denied { path: asked.to_owned(), policy });
        }
        // A pipe that took the file's place must not hold us.
        let flags = OFlags::NONBLOCK | OFlags::NOCTTY;
        match self.parent {
            Some((directory, name)) => Ok(directory.open_with(name, &options(flags))?.into_std()),
            None => Ok(self.handle),
        }
    }
}

impl Place {
    fn open(named: &Path) -> io::Result<Self> {
        let real = real_path(named);
        let (real, file) = match (fs::metadata(&real)?.is_dir(), real.parent(), real.file_name()) {
            (false, Some(parent), Some(name)) => (parent.to_owned(), Some(name.to_owned())),
            _ => (real, None),
        };
        let directory = Dir::open_ambient_dir(&real, ambient_authority())?;
        Ok(Self { named: named.to_owned(), real, directory, file })
    }
}

/// A path without links, as far as it is there.
fn real_path(path: &Path) -> PathBuf {
    let found = path.ancestors().find_map(|it| Some((it, fs::canonicalize(it).ok()?)));
    let Some((above, real)) = found else { return path.to_owned() };
    match path.strip_prefix(above) {
        Ok(rest) if !rest.as_os_str().is_empty() => real.join(rest),
        _ => real,
    }
}

/// A path and the names behind it; `..` must wait until the links before it are followed.
fn join(path: &Path, rest: &[OsString]) -> PathBuf {
    let names = path.components().map(Component::as_os_str);
    names.chain(rest.iter().map(OsString::as_os_str)).collect()
}

/// Reading without following a link, and whatever else is said.
fn options(flags: OFlags) -> OpenOptions {
    let mut options = OpenOptions::new();
    let flags = flags | OFlags::NOFOLLOW;
    options.read(true).follow(FollowSymlinks::No).custom_flags(flags.bits().cast_signed());
    options
}

fn denial(rule: &str) -> String {
    format!("the permission profile denies {rule}")
}
