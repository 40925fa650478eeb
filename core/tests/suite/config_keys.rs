//! Laws over the whole list of keys, and over any bytes.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use async_trait::async_trait;
use pretty_assertions::assert_eq;
use proptest::prelude::*;
use recto_core::config::{
    ConfigError, ConfigSources, KNOWN_KEYS, KnownKey, OTHER_KEYS, ValueKind, load,
};
use recto_core::environment::{
    FileContents, FileSystem, FileSystemError, FileSystemResult, Metadata,
};
use recto_core::testing::rounds;

use super::config::load_text;

/// The key's path with a name where the person chooses one.
fn path(key: &KnownKey) -> String {
    key.path.replace('*', "chosen")
}

const fn wrong_value(kind: ValueKind) -> &'static str {
    match kind {
        ValueKind::WholeNumber | ValueKind::Seconds => "\"ten\"",
        ValueKind::Boolean => "\"perhaps\"",
        _ => "3",
    }
}

const fn right_value(kind: ValueKind) -> &'static str {
    match kind {
        ValueKind::Text | ValueKind::Path => "\"words\"",
        ValueKind::WholeNumber | ValueKind::Seconds => "3",
        ValueKind::Boolean | ValueKind::Feature => "true",
        ValueKind::TextList | ValueKind::PathList | ValueKind::VariableList => "[\"words\"]",
        ValueKind::TextMap => "{ name = \"words\" }",
        ValueKind::OneOf(_) | ValueKind::Approval => "\"never\"",
        ValueKind::FileAccess => "{ name = \"none\" }",
        ValueKind::Hooks => "[]",
    }
}

#[tokio::test]
async fn every_known_key_refuses_a_value_of_another_type_and_is_named() {
    for key in KNOWN_KEYS {
        let loaded = load_text(&format!("{} = {}", path(key), wrong_value(key.kind))).await;
        let Err(ConfigError::Value(error)) = loaded.result else {
            panic!("{} took {}", key.path, wrong_value(key.kind));
        };
        assert_eq!((&error.key, &error.expected), (&path(key), &key.kind.expected()));
        assert_eq!((error.location.line, error.location.column), (1, path(key).len() + 4));
    }
}

#[tokio::test]
async fn every_known_key_takes_a_value_of_its_type() {
    for key in KNOWN_KEYS {
        let words: &[&str] = match key.kind {
            ValueKind::OneOf(words) => words,
            _ => &[],
        };
        let quoted = words.iter().map(|word| format!("\"{word}\""));
        let values: Vec<String> = if words.is_empty() {
            vec![right_value(key.kind).to_owned()]
        } else {
            quoted.collect()
        };
        for value in values {
            let loaded = load_text(&format!("{} = {value}", path(key))).await;
            if let Err(ConfigError::Value(error)) = &loaded.result {
                assert_ne!(error.expected, key.kind.expected(), "{} = {value}", key.path);
            }
        }
    }
}

#[test]
fn no_key_stands_in_the_list_twice() {
    let paths: Vec<&str> = KNOWN_KEYS
        .iter()
        .map(|key| key.path)
        .chain(OTHER_KEYS.iter().map(|key| key.path))
        .collect();
    let different: BTreeSet<&str> = paths.iter().copied().collect();
    assert_eq!(paths.len(), different.len());
}

#[test]
fn every_summary_is_one_sentence() {
    for KnownKey { path, summary, .. } in KNOWN_KEYS {
        assert!(summary.ends_with('.') && summary.len() <= 80, "{path}: {summary}");
    }
}

#[tokio::test]
async fn a_key_that_only_codex_reads_gives_no_warning() {
    for key in OTHER_KEYS {
        let path = key.path.replace('*', "chosen");
        let mut text = format!("{path} = {{}}");
        if path.starts_with("model_providers") {
            text.push_str("\nmodel_providers.chosen.name = \"x\"");
        }
        if path.starts_with("mcp_servers") {
            text.push_str("\nmcp_servers.chosen.url = \"x\"");
        }
        if path.starts_with("permissions") {
            text.push_str("\ndefault_permissions = \":workspace\"");
        }
        assert_eq!(load_text(&text).await.warnings(), "");
    }
}

/// A file system that holds `/home/config.toml` and `/r/.codex/config.toml`.
#[derive(Debug)]
struct TwoFiles {
    own: Vec<u8>,
    project: Vec<u8>,
}

#[async_trait]
impl FileSystem for TwoFiles {
    async fn get_metadata(&self, _: &Path) -> FileSystemResult<Metadata> {
        Err(FileSystemError::NotFound)
    }

    async fn read_file(&self, path: &Path, _: u64) -> FileSystemResult<FileContents> {
        let bytes = match path.to_str() {
            Some("/home/config.toml") => self.own.clone(),
            Some("/r/.codex/config.toml") => self.project.clone(),
            _ => return Err(FileSystemError::NotFound),
        };
        Ok(FileContents { len: bytes.len() as u64, bytes })
    }

    async fn read_directory(&self, _: &Path) -> FileSystemResult<Vec<OsString>> {
        Err(FileSystemError::NotFound)
    }

    async fn canonicalize(&self, path: &Path) -> FileSystemResult<PathBuf> {
        Ok(path.to_owned())
    }
}

/// Loads and shows everything that can be shown; the only question is whether it panics.
fn survives(own: Vec<u8>, project: Vec<u8>, overrides: &[String]) {
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
    let mut overrides = overrides.to_vec();
    overrides.push("projects={\"/r\"={trust_level=\"trusted\"}}".to_owned());
    let result = runtime.block_on(load(&ConfigSources {
        file_system: &TwoFiles { own, project },
        codex_home: Path::new("/home"),
        system_config: None,
        home: Some(Path::new("/home")),
        cwd: Path::new("/r"),
        overrides: &overrides,
        assumed_trust: None,
    }));
    match result {
        Ok(config) => drop(format!(
            "{:?}{config:?}",
            config.warnings.iter().map(ToString::to_string).collect::<Vec<_>>()
        )),
        Err(error) => drop(format!("{error}{:?}", error.hint())),
    }
}

/// Text that is nearly a configuration: known keys, odd keys, odd values, tables.
fn nearly_toml() -> impl Strategy<Value = String> {
    let keys: Vec<String> = KNOWN_KEYS.iter().map(path).collect();
    let key = prop_oneof![
        4 => proptest::sample::select(keys),
        1 => "[a-z_.\"' é]{0,12}",
    ];
    let value = prop_oneof![
        proptest::sample::select(vec![
            "true",
            "-1",
            "3",
            "1e9",
            "\"a\"",
            "'é'",
            "[]",
            "[1, \"a\"]",
            "{}",
            "{ a = 1 }",
            "nan",
            "1979-05-27",
            "\"never\"",
            "\"read-only\"",
            "{ granular = {} }",
            "\"\"\"\n\"\"\"",
            "99999999999999999999999",
        ])
        .prop_map(str::to_owned),
        ".{0,8}",
    ];
    let line = (key, value, 0..6_u8).prop_map(|(key, value, shape)| match shape {
        0 => format!("[{key}]\n"),
        1 => format!("[[{key}]]\n"),
        _ => format!("{key} = {value}\n"),
    });
    proptest::collection::vec(line, 0..6).prop_map(|lines| lines.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: rounds(300, 20_000), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_bytes_make_it_panic(own in any::<Vec<u8>>(), project in any::<Vec<u8>>()) {
        survives(own, project, &[]);
    }

    #[test]
    fn no_text_like_a_configuration_makes_it_panic(own in nearly_toml(), project in nearly_toml()) {
        survives(own.into_bytes(), project.into_bytes(), &[]);
    }

    #[test]
    fn no_override_makes_it_panic(any in any::<Vec<String>>(), near in proptest::collection::vec(nearly_toml(), 0..3)) {
        survives(Vec::new(), Vec::new(), &any);
        for text in near {
            survives(Vec::new(), Vec::new(), &[text]);
        }
    }
}
