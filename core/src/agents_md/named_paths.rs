//! Paths that a text names: in backticks, or as the target of a link.

use std::collections::HashSet;
use std::path::Path;

/// Letters that no path in prose has; they tell patterns, variables, commands and addresses.
const NOT_IN_PATHS: &[char] = &[
    '*', '?', '<', '>', '{', '}', '$', '~', '|', '"', '\'', ':', '=', '(', ')', '[', ']', '`', '…',
    ',',
];

/// Extensions that mark a word without a slash as a file.
const DOCUMENT_EXTENSIONS: [&str; 3] = ["md", "markdown", "mdx"];

/// Finds the relative paths that a text names, with their lines, each path once.
///
/// Careful rather than complete: a word counts only where it can hardly be anything else.
pub(super) fn named_paths(text: &str) -> Vec<(usize, &str)> {
    let mut named: Vec<(usize, &str)> = Vec::new();
    let mut seen = HashSet::new();
    let mut in_fence = false;
    for (at, line) in text.lines().enumerate() {
        if line.trim_start().starts_with("```") {
            in_fence = !in_fence;
            continue;
        }
        if in_fence {
            continue;
        }
        for target in in_backticks(line).chain(link_targets(line)) {
            if seen.insert(target) {
                named.push((at + 1, target));
            }
        }
    }
    named
}

fn in_backticks(line: &str) -> impl Iterator<Item = &str> {
    line.split('`').skip(1).step_by(2).filter(|word| looks_like_a_path(word))
}

fn link_targets(line: &str) -> impl Iterator<Item = &str> {
    line.split("](").skip(1).filter_map(|rest| {
        let target = rest.split(')').next()?.split('#').next()?;
        (looks_like_a_path(target) || has_document_extension(target)).then_some(target)
    })
}

fn looks_like_a_path(word: &str) -> bool {
    let is_plain =
        !word.is_empty() && !word.contains(char::is_whitespace) && !word.contains(NOT_IN_PATHS);
    let is_relative =
        !word.starts_with(['/', '-', '@', '.', '#', '%', '\\']) || word.starts_with("./");
    let last = word.rsplit('/').next().unwrap_or(word);
    let has_extension =
        Path::new(last).extension().and_then(|it| it.to_str()).is_some_and(|extension| {
            (1..=4).contains(&extension.len())
                && extension.chars().all(|it| it.is_ascii_lowercase())
        });
    let is_nested =
        word.contains('/') && !word.contains("//") && (has_extension || word.ends_with('/'));
    is_plain && is_relative && (is_nested || has_document_extension(word))
}

fn has_document_extension(word: &str) -> bool {
    let plain =
        !word.is_empty() && !word.contains(char::is_whitespace) && !word.contains(NOT_IN_PATHS);
    let extension = Path::new(word).extension().and_then(|it| it.to_str()).unwrap_or_default();
    plain && !word.starts_with(['/', '.', '-', '@']) && DOCUMENT_EXTENSIONS.contains(&extension)
}
