//! What a sandbox lets be read, as plain rules; derived from a permission profile.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use recto_protocol::{
    FileSystemAccess, FileSystemPath, FileSystemPermissions, PermissionProfile, SpecialPath,
};

use super::pattern::PathPattern;
use crate::environment::without_dots;

/// What `:minimal` stands for: what most programs need in order to start.
const MINIMAL: [&str; 8] =
    ["/bin", "/sbin", "/usr", "/etc", "/lib", "/lib64", "/nix/store", "/run/current-system/sw"];

/// Which places may be read.
///
/// Of the rules that cover a path the narrowest decides, of equal ones the last; a pattern that denies beats them all.
/// What no rule covers may not be read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SandboxPolicy {
    rules: Vec<Rule>,
    denied: Vec<PathPattern>,
}

/// A place and whether it and what lies below may be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Rule {
    pub(super) path: PathBuf,
    pub(super) is_readable: bool,
    /// Whether a person wrote it; the others say the same of the path without links.
    is_written: bool,
}

/// What a policy says about a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Verdict {
    Readable,
    /// Forbidden, by the rule or pattern with this text.
    Denied(String),
    /// No rule speaks of it.
    Uncovered,
}

impl SandboxPolicy {
    /// The rules of a permission profile; `tmpdir` is what `:tmpdir` stands for.
    ///
    /// A profile that confines nothing, or leaves it to somebody outside, gives leave to read everything.
    pub fn of_profile(profile: &PermissionProfile, tmpdir: Option<&Path>) -> Self {
        let PermissionProfile::Managed {
            file_system: FileSystemPermissions::Restricted { entries, .. },
            ..
        } = profile
        else {
            return Self::of_roots(["/".into()]);
        };
        let mut policy = Self::default();
        for entry in entries {
            let is_readable = entry.access != FileSystemAccess::Deny;
            match &entry.path {
                FileSystemPath::Path { path } => policy.add(path, is_readable),
                FileSystemPath::GlobPattern { pattern } if !is_readable => {
                    policy.denied.push(PathPattern::new(pattern));
                }
                // Only what is denied can be a pattern.
                FileSystemPath::GlobPattern { .. } => {}
                FileSystemPath::Special { value } => {
                    for path in places(value, tmpdir) {
                        policy.add(path, is_readable);
                    }
                }
            }
        }
        policy
    }

    /// Leave to read these directories and what lies below, and nothing else.
    pub fn of_roots(roots: impl IntoIterator<Item = PathBuf>) -> Self {
        let mut policy = Self::default();
        for root in roots {
            policy.add(&root, true);
        }
        policy
    }

    /// Takes back the leave to read a place and what lies below.
    #[must_use]
    pub fn without(mut self, path: &Path) -> Self {
        self.add(path, false);
        self
    }

    /// Whether every path may be read.
    pub fn allows_everything(&self) -> bool {
        self.denied.is_empty()
            && self.rules.iter().all(|rule| rule.is_readable)
            && self.rules.iter().any(|rule| rule.path == Path::new("/"))
    }

    /// The same policy, also for the paths of its places without links.
    pub(super) fn with_real_paths(&self, real: impl Fn(&Path) -> PathBuf) -> Self {
        let mut policy = self.clone();
        for rule in &self.rules {
            let path = real(&rule.path);
            if path != rule.path {
                policy.rules.push(Rule { path, is_written: false, ..rule.clone() });
            }
        }
        policy
    }

    pub(super) fn rules(&self) -> &[Rule] {
        &self.rules
    }

    pub(super) fn verdict(&self, path: &Path) -> Verdict {
        if let Some(pattern) = self.denied.iter().find(|pattern| pattern.covers(path)) {
            return Verdict::Denied(pattern.as_str().to_owned());
        }
        let covering = self.rules.iter().filter(|rule| path.starts_with(&rule.path));
        // Of equal ones `max_by_key` takes the last.
        match covering.max_by_key(|rule| rule.path.as_os_str().len()) {
            None => Verdict::Uncovered,
            Some(rule) if rule.is_readable => Verdict::Readable,
            Some(rule) => Verdict::Denied(rule.path.display().to_string()),
        }
    }

    /// The places that may be read, as a phrase: `only /usr and /w may be read`.
    pub(super) fn in_words(&self) -> String {
        let mut roots: Vec<String> = Vec::new();
        for rule in self.rules.iter().filter(|rule| rule.is_readable && rule.is_written) {
            let root = rule.path.display().to_string();
            if !roots.contains(&root) {
                roots.push(root);
            }
        }
        let Some(last) = roots.pop() else { return "nothing may be read".to_owned() };
        let mut words = format!("only {}", roots.join(", "));
        let join = if roots.is_empty() { "" } else { " and " };
        // Writing to a String cannot fail.
        let _ = write!(words, "{join}{last} may be read");
        words
    }

    fn add(&mut self, path: &Path, is_readable: bool) {
        self.rules.push(Rule { path: without_dots(path), is_readable, is_written: true });
    }
}

/// The paths of a place that has a name.
fn places<'a>(place: &SpecialPath, tmpdir: Option<&'a Path>) -> Vec<&'a Path> {
    match place {
        SpecialPath::Root => vec![Path::new("/")],
        SpecialPath::SlashTmp => vec![Path::new("/tmp")],
        SpecialPath::Tmpdir => tmpdir.into_iter().collect(),
        SpecialPath::Minimal => MINIMAL.iter().map(Path::new).collect(),
        SpecialPath::Unknown { .. } => Vec::new(),
    }
}
