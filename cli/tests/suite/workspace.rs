//! This repository's own files, as the tidy tests look at them.

#![expect(clippy::disallowed_methods, reason = "tests look at the repository's own files")]

use std::fs;
use std::path::{Path, PathBuf};

/// The crates, each of which may depend on those before it only.
pub(crate) const CRATES: [&str; 4] = ["protocol", "context-fragments", "core", "cli"];

/// A text file of the repository.
pub(crate) struct Source {
    /// Its path from the top, with `/`.
    pub(crate) path: String,
    /// Its text.
    pub(crate) text: String,
}

impl Source {
    /// The lines that are code, with their numbers: no comment lines, nothing from `#[cfg(test)]` on.
    pub(crate) fn code_lines(&self) -> impl Iterator<Item = (usize, &str)> {
        let numbered = self.text.lines().enumerate().map(|(at, line)| (at + 1, line));
        numbered
            .take_while(|(_, line)| line.trim() != "#[cfg(test)]")
            .filter(|(_, line)| !line.trim_start().starts_with("//"))
    }
}

/// The top of the repository.
pub(crate) fn top() -> PathBuf {
    let cli = Path::new(env!("CARGO_MANIFEST_DIR"));
    cli.parent().expect("the crate lies in the workspace").to_owned()
}

/// Whether something stands at a path from the top.
pub(crate) fn exists(path: &str) -> bool {
    fs::symlink_metadata(top().join(path)).is_ok()
}

/// One file, by its path from the top.
pub(crate) fn source(path: &str) -> Source {
    let text = fs::read_to_string(top().join(path));
    let text = text.unwrap_or_else(|error| panic!("{path} cannot be read: {error}"));
    Source { path: path.to_owned(), text }
}

/// All files below a directory whose name has this ending, sorted; none where the directory is missing.
pub(crate) fn sources(directory: &str, ending: &str) -> Vec<Source> {
    let mut found = Vec::new();
    for name in names(directory) {
        let path = format!("{directory}/{name}");
        if top().join(&path).is_dir() {
            found.extend(sources(&path, ending));
        } else if name.ends_with(ending) {
            found.push(source(&path));
        }
    }
    found
}

/// The Rust files in some folders of every crate.
pub(crate) fn rust_sources(folders: &[&str]) -> Vec<Source> {
    let folders =
        CRATES.iter().flat_map(|name| folders.iter().map(move |folder| format!("{name}/{folder}")));
    folders.flat_map(|folder| sources(&folder, ".rs")).collect()
}

/// The names in a directory, sorted; none where it is missing.
pub(crate) fn names(directory: &str) -> Vec<String> {
    let Ok(entries) = fs::read_dir(top().join(directory)) else { return Vec::new() };
    let mut names: Vec<String> =
        entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok()).collect();
    names.sort();
    names
}
