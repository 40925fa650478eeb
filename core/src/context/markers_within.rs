//! Markers of fragments in a text that is none: a model may take what stands behind them for the engine's words.

use super::FRAGMENTS;

/// A marker inside a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MarkerWithin {
    /// The marker.
    pub marker: &'static str,
    /// The line that it first stands in, counted from 1.
    pub line: usize,
}

/// The markers that a text holds, by their first line; ASCII letters compare without case.
pub fn markers_within(text: &str) -> Vec<MarkerWithin> {
    let text = text.to_ascii_lowercase();
    let mut found: Vec<(usize, &'static str)> = FRAGMENTS
        .iter()
        .map(|spec| (spec.markers)())
        .flat_map(|markers| [markers.start, markers.end])
        .filter(|marker| !marker.is_empty())
        .filter_map(|marker| Some((text.find(&marker.to_ascii_lowercase())?, marker)))
        .collect();
    found.sort_unstable();
    found.dedup();
    let line = |at: usize| 1 + text[..at].matches('\n').count();
    found.into_iter().map(|(at, marker)| MarkerWithin { marker, line: line(at) }).collect()
}
