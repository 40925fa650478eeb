//! Where each part of a prompt came from, for those who look at it; a model is never told.

use std::ops::Range;
use std::path::PathBuf;

use recto_context_fragments::ContextualUserFragment;
use recto_protocol::{ContentItem, ContentKind, Item, ResponseItem};

use crate::context::{
    AvailablePlugins, AvailableSkills, ContextFragment, DeveloperInstructions, EnvironmentContext,
    PermissionsInstructions, UserInstructions,
};
use crate::world_state::Facts;

/// What a stretch of text came from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// A file.
    File(PathBuf),
    /// A key in the configuration.
    Setting(&'static str),
    /// What was captured about the surroundings.
    Captured,
    /// The person who gave the input.
    Person,
    /// A value from outside, by its key.
    Outside(String),
    /// This engine's own words.
    Engine,
}

/// A stretch of one part of an item and what it came from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Provenance {
    /// Bytes of the part's text.
    pub range: Range<usize>,
    /// What it came from.
    pub origin: Origin,
}

/// Tells for every part of an item where each byte of its text came from, in order and without gaps.
///
/// `facts` are those that the item was rendered from.
pub fn provenance(facts: &Facts, item: &Item) -> Vec<Vec<Provenance>> {
    let ResponseItem::Message(message) = item.view() else { return Vec::new() };
    let texts = message.content.iter().map(ContentItem::text);
    texts
        .zip(item.kinds())
        .map(|(text, kind)| text.map(|text| part(facts, kind, text)).unwrap_or_default())
        .collect()
}

fn part(facts: &Facts, kind: &ContentKind, text: &str) -> Vec<Provenance> {
    let whole = |origin| vec![Provenance { range: 0..text.len(), origin }];
    if *kind == UserInstructions::KIND {
        return instructions(facts, text);
    }
    if *kind == DeveloperInstructions::KIND {
        return whole(Origin::Setting("developer_instructions"));
    }
    let captured = [
        EnvironmentContext::KIND,
        PermissionsInstructions::KIND,
        AvailableSkills::KIND,
        AvailablePlugins::KIND,
    ];
    if captured.contains(kind) {
        return whole(Origin::Captured);
    }
    if kind.is_from_user() {
        return whole(Origin::Person);
    }
    match kind.as_str().strip_prefix("additional_content.") {
        Some(key) => whole(Origin::Outside(key.to_owned())),
        None => whole(Origin::Engine),
    }
}

/// The files inside the AGENTS.md fragment, and our own words around and between them.
fn instructions(facts: &Facts, text: &str) -> Vec<Provenance> {
    let offset = facts.agents_md.text.as_ref().and_then(|inner| {
        let body_end = text.len().checked_sub(UserInstructions::markers().end.len() + 1)?;
        body_end.checked_sub(inner.len())
    });
    let mut spans = Vec::new();
    let mut at = 0;
    for span in offset.map(|_| &facts.agents_md.spans).into_iter().flatten() {
        let range = span.range.start + offset.unwrap_or(0)..span.range.end + offset.unwrap_or(0);
        if range.start > at {
            spans.push(Provenance { range: at..range.start, origin: Origin::Engine });
        }
        at = range.end;
        spans.push(Provenance { range, origin: Origin::File(span.path.clone()) });
    }
    spans.push(Provenance { range: at..text.len(), origin: Origin::Engine });
    spans
}
