//! Laws over the whole list of fragments, and the table that is made from it.

#![expect(
    clippy::disallowed_methods,
    reason = "the tests read the sources and documents of this repository"
)]

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use pretty_assertions::assert_eq;
use recto_core::context::{Cap, FRAGMENTS, FragmentSpec, Markers};

/// Files of the folder that hold no fragment.
const HELPERS: &[&str] = &["mod", "registry", "file_limits", "markers_within", "recognize", "xml"];

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

#[test]
fn kinds_names_and_markers_are_unique() {
    let all = |of: fn(&FragmentSpec) -> String| -> Vec<String> {
        FRAGMENTS.iter().map(of).filter(|it| !it.is_empty()).collect()
    };
    for values in [
        all(|it| it.name.to_owned()),
        all(|it| it.kind.to_string()),
        all(|it| (it.markers)().start.to_ascii_lowercase()),
    ] {
        let unique: HashSet<&String> = values.iter().collect();
        assert_eq!(unique.len(), values.len(), "{values:?}");
    }
}

#[test]
fn markers_outlive_a_trim_and_none_ends_what_does_not_start() {
    for fragment in FRAGMENTS {
        let Markers { start, end } = (fragment.markers)();
        assert!(!start.is_empty() || end.is_empty(), "{}", fragment.name);
        assert_eq!((start.trim_start(), end.trim_end()), (start, end), "{}", fragment.name);
    }
}

#[test]
fn every_sample_is_recognized_as_what_it_is_and_as_nothing_else() {
    for fragment in FRAGMENTS {
        assert_ne!(fragment.samples(), [], "{} has a sample", fragment.name);
        for sample in fragment.samples() {
            assert_eq!(sample.kind, fragment.kind);
            let recognized = |text: &str| -> Vec<&str> {
                FRAGMENTS.iter().filter(|it| it.matches(text)).map(|it| it.name).collect()
            };
            let expected: &[&str] =
                if (fragment.markers)() == Markers::NONE { &[] } else { &[fragment.name] };
            assert_eq!(recognized(&sample.text), expected);
            let around = format!("\n {} \r\n", sample.text.to_ascii_uppercase());
            assert_eq!(recognized(&around), expected);
            assert_eq!(recognized(&format!("see {}", sample.text)), [""; 0]);
        }
    }
}

#[test]
fn every_sample_is_under_its_cap_and_speaks_as_one_role() {
    for fragment in FRAGMENTS {
        let samples = fragment.samples();
        assert!(samples.iter().all(|it| it.role == samples[0].role), "{}", fragment.name);
        if let Cap::Tokens(cap) = fragment.cap {
            let most = samples.iter().map(recto_core::context::RenderedFragment::tokens).max();
            assert!(most.is_some_and(|it| it <= cap), "{}: {most:?} of {cap}", fragment.name);
        }
    }
}

#[test]
fn every_file_of_the_folder_is_in_the_list() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/context");
    let list = fs::read_to_string(folder.join("mod.rs")).unwrap();
    let is_listed = |name: &String| list.contains(&format!("\n    {name}::"));
    let mut strangers: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|it| it == "rs"))
        .map(|path| path.file_stem().unwrap_or_default().to_string_lossy().into_owned())
        .filter(|name| !is_listed(name) && !HELPERS.contains(&name.as_str()))
        .collect();
    strangers.sort();
    assert_eq!(strangers, [""; 0], "files in core/src/context that are not in its list");
}

fn snake_case(name: &str) -> String {
    let mut out = String::new();
    for (at, character) in name.char_indices() {
        if character.is_ascii_uppercase() && at > 0 {
            out.push('_');
        }
        out.push(character.to_ascii_lowercase());
    }
    out
}

#[test]
fn samples_look_as_they_did() {
    insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true }, {
        for fragment in FRAGMENTS {
            let texts: Vec<String> = fragment.samples().into_iter().map(|it| it.text).collect();
            let name = format!("fragment_{}", snake_case(fragment.name));
            insta::assert_snapshot!(name, texts.join("\n\n=== next sample ===\n\n"));
        }
    });
}

#[test]
fn the_table_in_the_document_is_the_list() {
    const START: &str = "<!-- fragments -->\n";
    const END: &str = "<!-- /fragments -->";

    let path = repository().join("docs/fragments.md");
    let document = fs::read_to_string(&path).unwrap();
    let (head, rest) = document.split_once(START).expect("the document has the block");
    let (found, tail) = rest.split_once(END).expect("the block ends");
    let table = table();
    if bless() {
        fs::write(path, format!("{head}{START}{table}{END}{tail}")).unwrap();
        return;
    }
    assert_eq!(found, table, "RECTO_BLESS=1 writes docs/fragments.md");
}

/// Whether documents that are made from the code are to be written.
fn bless() -> bool {
    std::env::var_os("RECTO_BLESS").is_some()
}

fn table() -> String {
    let mut lines = vec![
        "| fragment | kind | role | markers | sent | cap |".to_owned(),
        "|---|---|---|---|---|---|".to_owned(),
    ];
    lines.extend(FRAGMENTS.iter().map(row));
    lines.join("\n") + "\n"
}

fn row(fragment: &FragmentSpec) -> String {
    let role = fragment.samples().first().map(|it| it.role.to_string()).unwrap_or_default();
    let markers = match (fragment.markers)() {
        Markers::NONE => "none".to_owned(),
        Markers { start, end: "" } => format!("`{}`…", shorter(start)),
        Markers { start, end } => format!("`{}`…`{end}`", shorter(start)),
    };
    let cap = match fragment.cap {
        Cap::Tokens(tokens) => format!("{tokens} tokens"),
        Cap::Setting(key) => format!("`{key}`"),
        Cap::Author => "its author's".to_owned(),
    };
    let FragmentSpec { name, kind, sent, .. } = fragment;
    format!("| `{name}` | `{kind}` | {role} | {markers} | {sent} | {cap} |")
}

/// As much of a marker as a table has room for.
fn shorter(marker: &str) -> &str {
    recto_context_fragments::truncate_head(marker, 40)
}
