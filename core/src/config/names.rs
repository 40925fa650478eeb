//! Names of keys as people write them.

/// A path of keys as it is written in TOML.
pub(super) fn dotted(path: &[&str]) -> String {
    let segments: Vec<String> = path.iter().map(|segment| quoted(segment)).collect();
    segments.join(".")
}

/// One key as it is written in TOML.
pub(super) fn quoted(segment: &str) -> String {
    let is_bare = !segment.is_empty()
        && segment.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'));
    if is_bare { segment.to_owned() } else { format!("{segment:?}") }
}

/// The word that somebody meant, perhaps: of those that differ by little, the one that differs least.
pub(super) fn nearest<'w>(word: &str, words: impl Iterator<Item = &'w str>) -> Option<&'w str> {
    let word = word.to_lowercase().replace('-', "_");
    let close = |candidate: &&str| {
        let distance =
            strsim::damerau_levenshtein(&word, &candidate.to_lowercase().replace('-', "_"));
        (distance <= (candidate.len() / 4).max(1)).then_some(distance)
    };
    words.filter_map(|it| Some((close(&it)?, it))).min().map(|(_, candidate)| candidate)
}
