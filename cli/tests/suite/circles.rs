//! Files of one folder name each other in one direction.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::tidy::hold;
use super::workspace::{Source, sources};

/// What each file or folder of one folder uses there.
type Uses = BTreeMap<String, BTreeSet<String>>;

#[test]
fn no_folder_has_a_circle_of_files() {
    let mut broken = Vec::new();
    for root in ["core/src", "cli/src"] {
        for (folder, uses) in uses_by_folder(root) {
            let circles = circles(&uses).into_iter();
            broken.extend(circles.map(|circle| format!("{folder}: {}", circle.join(" -> "))));
        }
    }
    hold(
        "Files of a folder use each other in one direction; move what both need into a file below both:",
        &broken,
    );
}

#[test]
fn a_circle_is_found_and_told_once() {
    let source = |path: &str, text: &str| Source { path: path.to_owned(), text: text.to_owned() };
    let files = [
        source("core/src/m/mod.rs", "mod a;\nuse a::A;\n"),
        source("core/src/m/a.rs", "use super::b::{\n    self, B,\n};\n"),
        source("core/src/m/b.rs", "use crate::{m::inner::x::X, other::{Y, Z}};\n"),
        source("core/src/m/inner/x.rs", "use super::super::a::A;\nuse super::y::Y;\n"),
        source("core/src/m/inner/y.rs", "pub(super) use super::Gone;\n"),
        source("core/src/m/c.rs", "use super::a::A;\n\n#[cfg(test)]\nuse super::d;\n"),
        source("core/src/m/d.rs", "use super::c::C;\n"),
    ];
    let uses = uses_between("core/src", &files);
    let found: Vec<_> = uses.values().flat_map(circles).collect();
    assert_eq!(found, [["a", "b", "inner", "a"]]);
}

/// By folder, which of its files and folders use which others there.
fn uses_by_folder(root: &str) -> BTreeMap<String, Uses> {
    uses_between(root, &sources(root, ".rs"))
}

fn uses_between(root: &str, files: &[Source]) -> BTreeMap<String, Uses> {
    let modules: Vec<Vec<&str>> = files.iter().map(|file| module(root, file)).collect();
    let is_there = |path: &[String]| modules.iter().any(|module| module.starts_with(&texts(path)));
    let mut folders: BTreeMap<String, Uses> = BTreeMap::new();
    for (file, module) in files.iter().zip(&modules) {
        for used in used_paths(file) {
            let Some(target) = resolved(module, &used) else { continue };
            let shared = module.iter().zip(&target).take_while(|(a, b)| *a == *b).count();
            let (Some(file), Some(_)) = (module.get(shared), target.get(shared)) else { continue };
            if is_there(&target[..=shared]) {
                let folder = [&[root], &module[..shared]].concat().join("/");
                let uses = folders.entry(folder).or_default();
                uses.entry((*file).to_owned()).or_default().insert(target[shared].clone());
            }
        }
    }
    folders
}

fn texts(path: &[String]) -> Vec<&str> {
    path.iter().map(String::as_str).collect()
}

/// The path of a file's module from the root of its crate.
fn module<'f>(root: &str, file: &'f Source) -> Vec<&'f str> {
    let path = file.path[root.len() + 1..].trim_end_matches(".rs");
    let mut module: Vec<&str> = path.split('/').collect();
    if matches!(module.last(), Some(&"mod" | &"lib" | &"main")) {
        module.pop();
    }
    module
}

/// A used path from the root of the crate; none for another crate's, and for one below the file itself.
fn resolved(module: &[&str], used: &[String]) -> Option<Vec<String>> {
    let ups = used.iter().take_while(|it| *it == "super").count();
    let base = match used.first()?.as_str() {
        "crate" => &[],
        "super" => module.get(..module.len().checked_sub(ups)?)?,
        _ => return None,
    };
    let rest = &used[ups.max(1)..];
    Some(base.iter().map(|it| (*it).to_owned()).chain(rest.iter().cloned()).collect())
}

/// The paths of all `use` declarations, groups taken apart.
fn used_paths(file: &Source) -> Vec<Vec<String>> {
    let mut paths = Vec::new();
    let mut declaration = String::new();
    for (_, line) in file.code_lines() {
        let line = line.trim();
        let begins =
            line.starts_with("use ") || (line.starts_with("pub") && line.contains(" use "));
        if declaration.is_empty() && !begins {
            continue;
        }
        declaration.push_str(line);
        if line.ends_with(';') {
            let tree = declaration.split_once("use ").map_or("", |it| it.1);
            take_apart(&[], tree.trim_end_matches(';'), &mut paths);
            declaration.clear();
        }
    }
    paths
}

fn take_apart(before: &[String], tree: &str, paths: &mut Vec<Vec<String>>) {
    let Some((prefix, group)) = tree.split_once('{') else {
        let names = tree.split(" as ").next().unwrap_or_default().split("::");
        let names = names.map(|it| it.trim().to_owned()).filter(|it| !it.is_empty());
        paths.push(before.iter().cloned().chain(names).collect());
        return;
    };
    let names = prefix.split("::").map(|it| it.trim().to_owned()).filter(|it| !it.is_empty());
    let before: Vec<String> = before.iter().cloned().chain(names).collect();
    let group = group.strip_suffix('}').unwrap_or(group);
    let mut depth = 0_i32;
    for member in group.split(|it: char| {
        depth += i32::from(it == '{') - i32::from(it == '}');
        it == ',' && depth == 0
    }) {
        if !member.trim().is_empty() {
            take_apart(&before, member, paths);
        }
    }
}

/// Circles, each with its first file at both ends; the files of one that is told begin no other.
fn circles(uses: &Uses) -> Vec<Vec<&str>> {
    let mut told = BTreeSet::new();
    let mut circles = Vec::new();
    for start in uses.keys() {
        if told.contains(start.as_str()) {
            continue;
        }
        if let Some(circle) = shortest_circle(uses, start) {
            told.extend(circle.iter().copied());
            circles.push(circle);
        }
    }
    circles
}

fn shortest_circle<'u>(uses: &'u Uses, start: &'u str) -> Option<Vec<&'u str>> {
    let mut reached_from: BTreeMap<&str, &str> = BTreeMap::new();
    let mut next = VecDeque::from([start]);
    while let Some(user) = next.pop_front() {
        for used in uses.get(user).into_iter().flatten() {
            if used == start {
                let mut circle = vec![start, user];
                while let Some(last) = circle.last().filter(|it| **it != start) {
                    circle.push(reached_from[last]);
                }
                circle.reverse();
                return Some(circle);
            }
            if !reached_from.contains_key(used.as_str()) {
                reached_from.insert(used, user);
                next.push_back(used);
            }
        }
    }
    None
}
