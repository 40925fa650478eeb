//! What a model wrote down before the conversation was shortened.

use recto_context_fragments::{ContextualUserFragment, Markers};
use recto_protocol::{ContentKind, Role};

use super::registry::{Cap, ContextFragment};

/// Hands the summary of the conversation so far to the model that goes on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CompactionSummary {
    /// The model's own words.
    pub summary: String,
}

/// As the reference has it; what stands before a summary is how one is known again.
const INTRODUCTION: &str = "Another language model started to solve this problem and produced a summary of its thinking process. You also have \
     access to the state of the tools that were used by that language model. Use this to build on the work that has \
     already been done and avoid duplicating work. Here is the summary produced by the other language model, use the \
     information in this summary to assist with your own analysis:";

impl ContextualUserFragment for CompactionSummary {
    fn role(&self) -> Role {
        Role::User
    }

    fn markers() -> Markers {
        Markers::new(INTRODUCTION, "")
    }

    fn body(&self) -> String {
        format!("\n{}", self.summary)
    }
}

impl ContextFragment for CompactionSummary {
    const KIND: ContentKind = ContentKind::new("compaction.summary");
    const SENT: &'static str = "At the end of the history that takes the place of a longer one.";
    const CAP: Cap = Cap::Author;

    fn samples() -> Vec<Self> {
        vec![Self { summary: "The parser is done; its tests are not.".to_owned() }]
    }
}
