//! From the tables of a permission profile to its entries.
//!
//! Order and text are the reference's, because the model is told both: entries by their keys as they are written, then
//! those of further workspace roots, key by key.

use std::path::{Component, Path, PathBuf};

use recto_protocol::{FileSystemAccess, FileSystemEntry, FileSystemPath, SpecialPath};

use super::mismatch::Mismatch;
use super::names::dotted;
use super::paths::below_home;
use super::value::{Item, Table, Value, get, get_natural, get_table};
use crate::environment::without_dots;

/// A profile whose types are checked, and what its paths are seen from.
pub(super) struct ProfileFiles<'a> {
    /// The profile's name.
    pub(super) name: &'a str,
    pub(super) profile: &'a Table,
    pub(super) cwd: &'a Path,
    /// What `~` stands for.
    pub(super) home: Option<&'a Path>,
}

/// Keys that stand for every workspace root.
const WORKSPACE_ROOTS: [&str; 2] = [":project_roots", ":workspace_roots"];

/// The one key of `filesystem` that is no place.
const SCAN_DEPTH: &str = "glob_scan_max_depth";

/// What an entry is about.
enum Place {
    /// Something in every workspace root.
    Workspace(Below),
    /// Something that does not depend on them.
    Fixed(FileSystemPath),
}

/// A place below another one.
enum Below {
    Itself,
    Path(String),
    Pattern(String),
}

impl Below {
    fn at(&self, base: &Path) -> FileSystemPath {
        match self {
            Self::Itself => FileSystemPath::Path { path: base.to_owned() },
            Self::Path(rest) => FileSystemPath::Path { path: without_dots(&base.join(rest)) },
            Self::Pattern(rest) => pattern(&base.join(rest)),
        }
    }
}

impl ProfileFiles<'_> {
    /// The entries, in the order in which they are told.
    pub(super) fn entries(&self) -> Result<Vec<FileSystemEntry>, Mismatch> {
        let places = self.places()?;
        let in_root = |root: &Path, place: &Place| match place {
            Place::Workspace(below) => below.at(root),
            Place::Fixed(path) => path.clone(),
        };
        let own = places.iter().map(|(place, access)| FileSystemEntry {
            path: in_root(self.cwd, place),
            access: *access,
        });
        let further_roots = self.further_workspace_roots();
        let further = places
            .iter()
            .filter(|(place, _)| matches!(place, Place::Workspace(_)))
            .flat_map(|(place, access)| further_roots.iter().map(move |root| (root, place, access)))
            .map(|(root, place, access)| FileSystemEntry {
                path: in_root(root, place),
                access: *access,
            });
        Ok(own.chain(further).collect())
    }

    /// How deep files are looked for that patterns name.
    pub(super) fn glob_scan_max_depth(&self) -> Result<Option<u64>, Mismatch> {
        let Some(item) = get(self.profile, &["filesystem", SCAN_DEPTH]) else { return Ok(None) };
        match get_natural(self.profile, &["filesystem", SCAN_DEPTH]) {
            Some(0) => {
                let expected = "a whole number, at least 1".to_owned();
                Err(Mismatch::new(self.key(&[SCAN_DEPTH]), item, expected))
            }
            depth => Ok(depth),
        }
    }

    fn places(&self) -> Result<Vec<(Place, FileSystemAccess)>, Mismatch> {
        let mut places = Vec::new();
        let filesystem = get_table(self.profile, &["filesystem"]).into_iter().flatten();
        for (key, item) in filesystem.filter(|(key, _)| *key != SCAN_DEPTH) {
            let Value::Table(inner) = &item.value else {
                let access = access(item);
                places.push((self.single(key, item, access)?, access));
                continue;
            };
            for (below, inner_item) in inner {
                let access = access(inner_item);
                places.push((self.nested(key, item, below, inner_item)?, access));
            }
        }
        Ok(places)
    }

    /// A key with an access of its own.
    fn single(&self, key: &str, item: &Item, access: FileSystemAccess) -> Result<Place, Mismatch> {
        let not_absolute = || {
            let expected = "an absolute path, `~/…`, or a name with a colon".to_owned();
            wrong_key(self.key(&[]), key, item, expected)
        };
        let text = without_subtree(key, access);
        if !is_pattern(text) {
            return self.base(text, Below::Itself).ok_or_else(not_absolute);
        }
        let path = self.absolute(text).ok_or_else(not_absolute)?;
        if access != FileSystemAccess::Deny {
            return Err(only_deny(self.key(&[key]), item));
        }
        Ok(Place::Fixed(pattern(&path)))
    }

    /// A key in the table of another one.
    fn nested(&self, key: &str, item: &Item, below: &str, inner: &Item) -> Result<Place, Mismatch> {
        let text = without_subtree(below, access(inner));
        let below_key = self.key(&[key]);
        if below != "." && !is_descendant(text) {
            let expected = "`.`, or a path below it without `.` and `..`".to_owned();
            return Err(wrong_key(below_key, below, inner, expected));
        }
        let is_special = key.starts_with(':') && !WORKSPACE_ROOTS.contains(&key);
        let rest = match below {
            "." => Below::Itself,
            _ if !is_pattern(text) => Below::Path(text.to_owned()),
            _ if is_special => {
                let expected = "a path without `*`, `?`, `[` and `]`".to_owned();
                return Err(wrong_key(below_key, below, inner, expected));
            }
            _ if access(inner) != FileSystemAccess::Deny => {
                return Err(only_deny(self.key(&[key, below]), inner));
            }
            _ => Below::Pattern(text.to_owned()),
        };
        let is_below = !matches!(rest, Below::Itself);
        match self.base(key, rest) {
            Some(Place::Fixed(FileSystemPath::Special { value }))
                if is_below && !matches!(value, SpecialPath::Unknown { .. }) =>
            {
                let expected = "`.` alone, because this place has none below it".to_owned();
                Err(wrong_key(below_key, below, inner, expected))
            }
            Some(place) => Ok(place),
            None => {
                let expected = "an absolute path, `~/…`, or a name with a colon".to_owned();
                Err(wrong_key(self.key(&[]), key, item, expected))
            }
        }
    }

    /// The place of a key without a pattern, or one below it.
    fn base(&self, key: &str, below: Below) -> Option<Place> {
        if WORKSPACE_ROOTS.contains(&key) {
            return Some(Place::Workspace(below));
        }
        if key.starts_with(':') {
            let subpath = match below {
                Below::Itself => None,
                Below::Path(rest) | Below::Pattern(rest) => Some(rest),
            };
            return Some(Place::Fixed(FileSystemPath::Special { value: special(key, subpath) }));
        }
        Some(Place::Fixed(below.at(&self.absolute(key)?)))
    }

    fn absolute(&self, text: &str) -> Option<PathBuf> {
        let path = below_home(text, self.home).unwrap_or_else(|| PathBuf::from(text));
        path.is_absolute().then(|| without_dots(&path))
    }

    /// What `:workspace_roots` means beside the working directory, where a relative path starts.
    fn further_workspace_roots(&self) -> Vec<PathBuf> {
        let mut roots = vec![self.cwd.to_owned()];
        let written = get_table(self.profile, &["workspace_roots"]).into_iter().flatten();
        for (text, _) in written.filter(|(_, item)| item.value == Value::Boolean(true)) {
            let path = below_home(text, self.home).unwrap_or_else(|| self.cwd.join(text));
            let path = without_dots(&path);
            if !roots.contains(&path) {
                roots.push(path);
            }
        }
        roots.split_off(1)
    }

    fn key(&self, rest: &[&str]) -> String {
        dotted(&[&["permissions", self.name, "filesystem"], rest].concat())
    }
}

fn access(item: &Item) -> FileSystemAccess {
    match &item.value {
        Value::Text(word) if word == "read" => FileSystemAccess::Read,
        Value::Text(word) if word == "write" => FileSystemAccess::Write,
        _ => FileSystemAccess::Deny,
    }
}

/// `/a/**` is the directory itself where something is allowed, and a pattern where it is denied.
fn without_subtree(text: &str, access: FileSystemAccess) -> &str {
    match text.strip_suffix("/**") {
        Some(directory) if access != FileSystemAccess::Deny => directory,
        _ => text,
    }
}

fn is_pattern(text: &str) -> bool {
    text.contains(['*', '?', '[', ']'])
}

fn is_descendant(text: &str) -> bool {
    let mut components = Path::new(text).components().peekable();
    components.peek().is_some() && components.all(|it| matches!(it, Component::Normal(_)))
}

fn pattern(path: &Path) -> FileSystemPath {
    FileSystemPath::GlobPattern { pattern: without_dots(path).to_string_lossy().into_owned() }
}

fn special(name: &str, subpath: Option<String>) -> SpecialPath {
    match name {
        ":root" => SpecialPath::Root,
        ":minimal" => SpecialPath::Minimal,
        ":slash_tmp" => SpecialPath::SlashTmp,
        ":tmpdir" => SpecialPath::Tmpdir,
        _ => SpecialPath::Unknown { path: name.to_owned(), subpath },
    }
}

fn wrong_key(table: String, key: &str, item: &Item, expected: String) -> Mismatch {
    let found = format!("`{key}`");
    Mismatch { origin: item.key_origin, found, ..Mismatch::new(table, item, expected) }
}

fn only_deny(key: String, item: &Item) -> Mismatch {
    let hint = "only `deny` goes with a pattern; what ends in `/**` can be allowed as well";
    let expected = "`deny`".to_owned();
    Mismatch { hint: Some(hint.to_owned()), ..Mismatch::new(key, item, expected) }
}
