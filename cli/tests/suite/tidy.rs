//! Rules of this repository that a machine can hold.

use toml::Table;

use super::workspace::{CRATES, Source, exists, names, rust_sources, source, sources};

/// The modules of core, each of which may name only those before it.
const LAYERS: [&str; 14] = [
    "environment",
    "http",
    "config",
    "agents_md",
    "skills",
    "plugins",
    "context",
    "world_state",
    "history",
    "rollout",
    "model",
    "hooks",
    "tools",
    "session",
];

/// Fails with everything that breaks a rule, and with the rule.
#[track_caller]
pub(super) fn hold(rule: &str, broken: &[String]) {
    assert!(broken.is_empty(), "{rule}\n  {}\n", broken.join("\n  "));
}

#[test]
fn crates_depend_in_one_direction() {
    let mut broken = Vec::new();
    for (at, name) in CRATES.iter().enumerate() {
        let dependencies = dependencies(name);
        for later in &CRATES[at..] {
            if dependencies.contains(&format!("recto-{later}")) {
                broken.push(format!("{name}/Cargo.toml names recto-{later}"));
            }
        }
    }
    for forbidden in ["tokio", "regex"] {
        if dependencies("context-fragments").contains(&forbidden.to_owned()) {
            broken.push(format!("context-fragments/Cargo.toml names {forbidden}"));
        }
    }
    hold(
        "protocol <- context-fragments <- core <- cli; fragments know no tokio and no regex:",
        &broken,
    );
}

/// What a crate's library or program is built from; not what its tests use.
fn dependencies(name: &str) -> Vec<String> {
    let manifest = source(&format!("{name}/Cargo.toml"));
    let manifest: Table = manifest.text.parse().expect("Cargo.toml is TOML");
    ["dependencies", "build-dependencies"]
        .iter()
        .filter_map(|table| manifest.get(*table)?.as_table())
        .flat_map(|table| table.keys().cloned())
        .collect()
}

#[test]
fn modules_of_core_name_only_modules_before_them() {
    let mut broken = Vec::new();
    for file in sources("core/src", ".rs") {
        let Some(module) = module_of(&file) else { continue };
        let Some(own) = place(module) else {
            broken.push(format!("{}: {module} is no layer; give it a place in LAYERS", file.path));
            continue;
        };
        for (number, named) in named_modules(&file) {
            if place(&named).is_some_and(|it| it > own) || named == "testing" {
                broken.push(format!("{}:{number}: {module} names {named}", file.path));
            }
        }
    }
    hold(&format!("Modules of core stand in this order: {}.", LAYERS.join(", ")), &broken);
}

/// The module of core that a file belongs to; none for the root and for `testing`, which may name all.
fn module_of(file: &Source) -> Option<&str> {
    let path = file.path.strip_prefix("core/src/")?;
    let module = path.split('/').next()?.trim_end_matches(".rs");
    (!matches!(module, "lib" | "testing")).then_some(module)
}

fn place(module: &str) -> Option<usize> {
    LAYERS.iter().position(|it| *it == module)
}

/// The modules that a file names from the root of its crate, with line numbers.
fn named_modules(file: &Source) -> Vec<(usize, String)> {
    let from_root = "super::".repeat(depth(file));
    let mut named = Vec::new();
    let mut in_group: Option<usize> = None;
    for (number, line) in file.code_lines() {
        if let Some(depth) = in_group {
            let trimmed = line.trim_start();
            if depth == 1 {
                named.push((number, identifier(trimmed)));
            }
            in_group = depth_after(depth, trimmed);
            continue;
        }
        for start in ["crate::", from_root.as_str()] {
            for (at, _) in line.match_indices(start) {
                let is_part_of_more = line[..at].ends_with([':', '$']);
                let rest = &line[at + start.len()..];
                if is_part_of_more {
                    continue;
                }
                if let Some(group) = rest.strip_prefix('{') {
                    named.extend(members(group).into_iter().map(|it| (number, it)));
                    in_group = depth_after(1, group);
                } else {
                    named.push((number, identifier(rest)));
                }
            }
        }
    }
    named
}

/// How many modules a file lies below the root of its crate.
fn depth(file: &Source) -> usize {
    let below_src = file.path.split('/').count() - 2;
    if file.path.ends_with("/mod.rs") { below_src - 1 } else { below_src }
}

/// How deep in braces a text leaves us; none where it closes the last one.
fn depth_after(depth: usize, text: &str) -> Option<usize> {
    let depth = depth + text.matches('{').count();
    depth.checked_sub(text.matches('}').count()).filter(|depth| *depth > 0)
}

/// The first identifiers of a group's members on this line.
fn members(group: &str) -> Vec<String> {
    let mut depth = 0_i32;
    let members = group.split(|it: char| {
        depth += i32::from(it == '{') - i32::from(it == '}');
        it == ',' && depth == 0
    });
    members.map(|member| identifier(member.trim_start())).collect()
}

fn identifier(text: &str) -> String {
    text.chars().take_while(|it| it.is_alphanumeric() || *it == '_').collect()
}

#[test]
fn every_path_that_a_document_names_exists() {
    let mut broken = Vec::new();
    for document in documents() {
        for path in named_paths(&document.text) {
            if !exists(path) {
                broken.push(format!("{}: {path}", document.path));
            }
        }
        let directory =
            document.path.rsplit_once('/').map_or(String::new(), |it| format!("{}/", it.0));
        for target in linked_paths(&document.text) {
            if !exists(&format!("{directory}{target}")) {
                broken.push(format!("{}: a link to {target}", document.path));
            }
        }
    }
    hold("Documents name only paths that exist:", &broken);
}

/// What people read: the documents at the top and those in docs.
fn documents() -> Vec<Source> {
    let at_top = ["AGENTS.md", "README.md"].map(source);
    at_top.into_iter().chain(sources("docs", ".md")).collect()
}

/// Words in backticks that are paths from the top of the repository; of `core/src/*.rs` the part before the star.
fn named_paths(text: &str) -> impl Iterator<Item = &str> {
    let mut at_top: Vec<String> = names("");
    at_top.retain(|name| name != "target");
    let quoted = outside_blocks(text).flat_map(|part| part.split('`').skip(1).step_by(2));
    quoted
        .filter(|word| word.contains('/') && !word.contains(char::is_whitespace))
        .map(|word| word.split(['*', '<', '#', ':']).next().unwrap_or(word))
        .filter(move |word| at_top.iter().any(|name| word.split('/').next() == Some(name)))
}

/// Targets of Markdown links into the repository.
fn linked_paths(text: &str) -> impl Iterator<Item = &str> {
    outside_blocks(text)
        .flat_map(|part| part.split("](").skip(1))
        .filter_map(|rest| rest.split([')', '#']).next())
        .filter(|target| !target.is_empty() && !target.contains("://"))
}

/// A document without its fenced blocks.
fn outside_blocks(text: &str) -> impl Iterator<Item = &str> {
    text.split("```").step_by(2)
}

#[test]
fn the_map_for_agents_is_short() {
    let lines = source("AGENTS.md").text.lines().count();
    assert!(
        lines <= 100,
        "AGENTS.md is a map of at most 100 lines and has {lines}; move text to docs/"
    );
}

#[test]
fn no_test_file_is_forgotten() {
    let mut broken = Vec::new();
    for name in CRATES {
        let manifest = source(&format!("{name}/Cargo.toml")).text;
        for entry in names(&format!("{name}/tests")) {
            let is_known = ["all.rs", "suite", "support", "fixtures"].contains(&entry.as_str())
                || manifest.contains(&format!("tests/{entry}"));
            if !is_known {
                broken.push(format!("{name}/tests/{entry}: it belongs into suite/"));
            }
        }
        let suite = format!("{name}/tests/suite");
        if !exists(&suite) {
            continue;
        }
        let declared = source(&format!("{suite}/mod.rs")).text;
        for entry in names(&suite).iter().filter(|it| *it != "mod.rs" && *it != "snapshots") {
            let module = entry.trim_end_matches(".rs");
            if !declared.lines().any(|line| line.trim() == format!("mod {module};")) {
                broken.push(format!("{suite}/{entry}: suite/mod.rs does not declare it"));
            }
        }
    }
    hold("Every test runs in its crate's one test program:", &broken);
}

#[test]
fn module_files_only_declare() {
    let mut broken = Vec::new();
    for file in rust_sources(&["src", "tests"]).iter().filter(|it| it.path.ends_with("/mod.rs")) {
        for (number, line) in file.code_lines() {
            let item = without_visibility(line.trim_start()).split([' ', '<', '!']).next();
            if matches!(
                item,
                Some("fn" | "async" | "impl" | "struct" | "enum" | "trait" | "macro_rules")
            ) {
                broken.push(format!("{}:{number}: {}", file.path, line.trim()));
            }
        }
    }
    hold(
        "A mod.rs declares modules, names what they give and may hold a list; code stands in files:",
        &broken,
    );
}

fn without_visibility(line: &str) -> &str {
    let Some(rest) = line.strip_prefix("pub") else { return line };
    rest.strip_prefix('(').and_then(|it| it.split_once(')')).map_or(rest, |it| it.1).trim_start()
}

#[test]
fn files_are_short() {
    const MOST: usize = 400;
    let lengths = rust_sources(&["src"]).into_iter().map(|it| (it.text.lines().count(), it.path));
    let broken: Vec<String> = lengths
        .filter(|(lines, _)| *lines > MOST)
        .map(|(lines, path)| format!("{path}: {lines} lines"))
        .collect();
    hold(&format!("A file in src has at most {MOST} lines; one of 300 is long already:"), &broken);
}

#[test]
fn functions_are_short() {
    const MOST: usize = 100;
    let mut broken = Vec::new();
    for file in rust_sources(&["src", "tests", "benches", "examples"]) {
        for (number, lines) in functions(&file.text) {
            if lines > MOST {
                broken.push(format!("{}:{number}: {lines} lines", file.path));
            }
        }
    }
    hold(&format!("A function has at most {MOST} lines:"), &broken);
}

/// Where functions start and how many lines they have, told by the indentation that rustfmt gives.
fn functions(text: &str) -> Vec<(usize, usize)> {
    let lines: Vec<&str> = text.lines().collect();
    let indent = |line: &str| line.len() - line.trim_start().len();
    let mut found = Vec::new();
    for (start, line) in lines.iter().enumerate() {
        let mut words = without_visibility(line.trim_start()).split(' ');
        let is_function = words.find(|it| !matches!(*it, "async" | "const")) == Some("fn");
        if !is_function || line.ends_with([';', '}']) {
            continue;
        }
        let body = &lines[start + 1..];
        let length = body.iter().position(|it| indent(it) == indent(line) && it.trim() == "}");
        found.extend(length.map(|length| (start + 1, length + 2)));
    }
    found
}

#[test]
fn lints_are_expected_with_a_reason_and_never_allowed() {
    let mut broken = Vec::new();
    for file in rust_sources(&["src", "tests", "benches", "examples"]) {
        for (number, line) in file.text.lines().enumerate() {
            let line = line.trim_start();
            if line.starts_with("#[allow(") || line.starts_with("#![allow(") {
                broken.push(format!("{}:{}: {line}", file.path, number + 1));
            }
        }
    }
    hold("A lint is switched off by #[expect(.., reason = \"..\")]:", &broken);
}

#[test]
fn a_prompt_is_constructed_in_one_place() {
    let places: Vec<String> =
        rust_sources(&["src"]).iter().flat_map(constructions_of_prompt).collect();
    let in_history = places.iter().filter(|it| it.starts_with("core/src/history/")).count();
    assert!(
        (places.len(), in_history) == (1, 1),
        "A Prompt is constructed once, in core/src/history, so that what is shown and what is sent cannot differ; \
         it is constructed here:\n  {}\n",
        places.join("\n  ")
    );
}

fn constructions_of_prompt(file: &Source) -> Vec<String> {
    let constructs = |line: &str| {
        line.match_indices("Prompt {").any(|(at, _)| {
            let before = &line[..at];
            let is_longer_name = before.ends_with(|it: char| it.is_alphanumeric() || it == '_');
            let is_other = ["struct ", "impl ", " for ", "-> ", "let "];
            !is_longer_name && !is_other.iter().any(|it| before.ends_with(it))
        })
    };
    let lines = file.code_lines().filter(|(_, line)| constructs(line));
    lines.map(|(number, line)| format!("{}:{number}: {}", file.path, line.trim())).collect()
}
