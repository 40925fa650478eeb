//! Which files commands may reach, in words.

use std::path::Path;

use recto_protocol::{
    FileSystemAccess, FileSystemEntry, FileSystemPath, FileSystemPermissions, SpecialPath,
};

/// Sentences that say which files may be read and written.
pub(super) fn file_limits(file_system: &FileSystemPermissions) -> String {
    let FileSystemPermissions::Restricted { entries, .. } = file_system else {
        return "Commands may read and write every file.".to_owned();
    };
    let known: Vec<&FileSystemEntry> = entries.iter().filter(|entry| is_known(entry)).collect();
    let of = |access| known.iter().copied().filter(move |entry| entry.access == access);
    let writable: Vec<&FileSystemEntry> = of(FileSystemAccess::Write).collect();
    let denied: Vec<&FileSystemEntry> = of(FileSystemAccess::Deny).collect();
    let (kept, read): (Vec<_>, Vec<_>) =
        of(FileSystemAccess::Read).partition(|entry| lies_in_one(entry, &writable));
    let reads_all = read.iter().chain(&writable).any(|entry| is_root(&entry.path));
    let mut text = allowed(reads_all, &names(&read), &names(&writable), &names(&kept));
    if !denied.is_empty() {
        text.push_str("\nThey may not even read ");
        text.push_str(&names(&denied));
        text.push('.');
    }
    if read.iter().chain(&writable).any(|entry| lies_in_one(entry, &denied)) {
        text.push_str(" Where one of these places lies in another, the inner one counts.");
    }
    text
}

fn allowed(reads_all: bool, read: &str, writable: &str, kept: &str) -> String {
    let but = if kept.is_empty() { String::new() } else { format!(" but not in {kept}") };
    match (reads_all, read.is_empty(), writable.is_empty()) {
        (true, _, true) => "Commands may read files; they may write none.".to_owned(),
        (true, _, false) => format!("Commands may read files, and write in {writable}{but}."),
        (false, true, true) => "Commands may neither read nor write files.".to_owned(),
        (false, true, false) => {
            format!("Commands may read only in {writable}, and write there{but}.")
        }
        (false, false, true) => {
            format!("Commands may read only in {read}; they may write no files.")
        }
        (false, false, false) => {
            format!(
                "Commands may read only in {read} and {writable}, and write in {writable}{but}."
            )
        }
    }
}

const fn is_known(entry: &FileSystemEntry) -> bool {
    !matches!(&entry.path, FileSystemPath::Special { value: SpecialPath::Unknown { .. } })
}

fn is_root(path: &FileSystemPath) -> bool {
    match path {
        FileSystemPath::Special { value } => *value == SpecialPath::Root,
        FileSystemPath::Path { path } => path == Path::new("/"),
        FileSystemPath::GlobPattern { .. } => false,
    }
}

/// Whether a place is known to lie in one of these; where `TMPDIR` is, is not known here.
fn lies_in_one(entry: &FileSystemEntry, places: &[&FileSystemEntry]) -> bool {
    let FileSystemPath::Path { path } = &entry.path else { return false };
    places.iter().any(|place| match &place.path {
        FileSystemPath::Path { path: place } => path.starts_with(place),
        FileSystemPath::Special { value: SpecialPath::Root } => true,
        FileSystemPath::Special { value: SpecialPath::SlashTmp } => path.starts_with("/tmp"),
        FileSystemPath::Special { .. } | FileSystemPath::GlobPattern { .. } => false,
    })
}

fn names(entries: &[&FileSystemEntry]) -> String {
    let names: Vec<String> = entries
        .iter()
        .map(|entry| match &entry.path {
            FileSystemPath::Path { path } => format!("`{}`", path.display()),
            FileSystemPath::GlobPattern { pattern } => format!("files like `{pattern}`"),
            FileSystemPath::Special { value } => format!("`{}`", value.name()),
        })
        .collect();
    names.join(", ")
}
