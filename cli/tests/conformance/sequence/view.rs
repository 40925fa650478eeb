//! What the model was told in a turn, without what each program words for itself.

use std::fmt::Write as _;

use recto_core::testing::FixtureDirectory;
use serde_json::{Map, Value};

/// Starts of texts that each program words for itself, and what stands for them.
const OWN_WORDS: [(&str, &str); 6] = [
    ("<permissions instructions>", "<permissions>"),
    ("<skills_instructions>", "<skills>"),
    ("<model_switch>", "<model_switch>"),
    ("<collaboration_mode>", "<collaboration_mode>"),
    ("You are performing a CONTEXT CHECKPOINT COMPACTION", "<compaction request>"),
    ("The conversation is about to be cut down", "<compaction request>"),
];

/// The kinds of tools that the reference tells in a part of its own.
const TOOLS: &str = "<tools>";

/// Sections whose state both programs persist in the same form.
const SECTIONS: [&str; 2] = ["agents_md", "environments"];

/// The requests of a turn and what was persisted of the world.
#[derive(Debug)]
pub(super) struct Told {
    requests: Vec<Vec<String>>,
    states: Vec<Value>,
}

impl Told {
    pub(super) fn new(requests: &[Vec<Value>], states: &[Value]) -> Self {
        Self {
            requests: requests
                .iter()
                .map(|input| input.iter().filter_map(line).collect())
                .collect(),
            states: states.iter().filter_map(state).collect(),
        }
    }

    /// One line an item; the paths of the tree are the same in every run.
    pub(super) fn readable(&self, tree: &FixtureDirectory) -> String {
        let mut out = String::new();
        for (at, request) in self.requests.iter().enumerate() {
            let _ = writeln!(out, "request {at}");
            for line in request {
                let _ = writeln!(out, "  {line}");
            }
        }
        for state in &self.states {
            let _ = writeln!(out, "state {state}");
        }
        out.replace(&*tree.root().to_string_lossy(), "$ROOT")
    }
}

fn line(item: &Value) -> Option<String> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    match item["type"].as_str()? {
        "message" => {
            let parts: Vec<String> = item["content"]
                .as_array()?
                .iter()
                .map(|part| text(&part["text"]))
                .filter(|part| !part.starts_with(TOOLS))
                .map(|part| without_own_words(&part))
                .collect();
            (!parts.is_empty()).then(|| format!("{}: {parts:?}", text(&item["role"])))
        }
        "function_call" => Some(format!("call {} {}", item["name"], item["arguments"])),
        "function_call_output" => Some(format!("output {} {}", item["call_id"], item["output"])),
        other => Some(other.to_owned()),
    }
}

fn without_own_words(text: &str) -> String {
    let own = OWN_WORDS.iter().find(|(start, _)| text.starts_with(start));
    own.map_or_else(|| text.to_owned(), |(_, name)| (*name).to_owned())
}

fn state(record: &Value) -> Option<Value> {
    let mut sections = Map::new();
    for name in SECTIONS {
        if let Some(section) = record["state"].get(name) {
            sections.insert(name.to_owned(), section.clone());
        }
    }
    let is_full = record["full"] == true;
    (is_full || !sections.is_empty())
        .then(|| serde_json::json!({"full": is_full, "state": sections}))
}
