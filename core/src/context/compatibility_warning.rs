//! A setting that means something else than it did.

use recto_context_fragments::{ContextualUserFragment, Markers, TokenCount, truncate_middle};
use recto_protocol::{ContentKind, Role};

use super::registry::{Cap, ContextFragment};

/// Tells the model about a setting that is out of date, so that it does not count on it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CompatibilityWarning {
    /// The key as it was written.
    pub setting: String,
    /// What holds instead, as a sentence.
    pub instead: String,
}

/// What each of the two parts may cost.
const PART_TOKENS: TokenCount = 100;

impl ContextualUserFragment for CompatibilityWarning {
    fn role(&self) -> Role {
        Role::Developer
    }

    fn markers() -> Markers {
        Markers::new("<compatibility_warning>", "</compatibility_warning>")
    }

    fn body(&self) -> String {
        let setting = truncate_middle(&self.setting, PART_TOKENS);
        let instead = truncate_middle(&self.instead, PART_TOKENS);
        format!("\nThe setting `{setting}` is out of date. {instead}\n")
    }
}

impl ContextFragment for CompatibilityWarning {
    const KIND: ContentKind = ContentKind::new("generic.compatibility_warning");
    const SENT: &'static str = "With the first request, once for each setting that is out of date.";
    const CAP: Cap = Cap::Tokens(250);

    fn samples() -> Vec<Self> {
        let long = "a very long name ".repeat(1_000);
        vec![
            Self {
                setting: "sandbox_mode".to_owned(),
                instead: "The permission profile `:workspace` holds.".to_owned(),
            },
            Self { setting: long.clone(), instead: long },
        ]
    }
}
