//! Rules about the conformance cases and the mutations that they are tried with.

use std::collections::BTreeSet;

use recto_core::testing::Case;

use super::workspace::{exists, source, sources};

/// The cases of every file, named as the suite names them.
fn cases() -> Vec<(String, Case)> {
    let files = sources("cli/tests/conformance/cases", ".txt");
    assert!(!files.is_empty(), "the cases are files");
    let named = |path: &str| path.rsplit('/').next().unwrap_or(path).replace(".txt", "");
    files
        .iter()
        .flat_map(|file| {
            Case::parse_file(&file.text)
                .into_iter()
                .map(|case| (format!("{}::{}", named(&file.path), case.name), case))
        })
        .collect()
}

/// The mutations: id, file, expression, case.
fn mutations() -> Vec<[String; 4]> {
    let list = source(".config/mutants.txt");
    list.text
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| {
            let fields: Vec<String> = line.split('\t').map(str::to_owned).collect();
            fields.try_into().unwrap_or_else(|_| panic!("four fields: {line}"))
        })
        .collect()
}

#[test]
fn every_case_names_the_rules_that_it_holds() {
    for (name, case) in cases() {
        assert!(!case.rules.is_empty(), "{name} names no rule");
        for rule in &case.rules {
            assert!(rule.chars().any(char::is_alphabetic), "{name}: a rule says nothing: {rule:?}");
        }
    }
}

#[test]
fn every_mutation_names_a_file_and_a_case_and_is_told_in_the_document() {
    let names: BTreeSet<String> = cases().into_iter().map(|(name, _)| name).collect();
    let document = source("docs/testing.md").text;
    let mut ids = BTreeSet::new();
    for [id, file, _, case] in mutations() {
        assert!(exists(&file), "{id}: {file} is missing");
        assert!(names.contains(&case), "{id}: no case {case}");
        let ends = format!(" | `{case}` |");
        let is_told = document
            .lines()
            .any(|line| line.starts_with(&format!("| `{id}` | ")) && line.ends_with(&ends));
        assert!(is_told, "docs/testing.md has no row for {id} and {case}");
        assert!(ids.insert(id.clone()), "{id} is twice");
    }
    assert!(ids.len() >= 20, "{} mutations are few", ids.len());
}
