//! What a hook adds to the conversation.

use recto_context_fragments::{ContextualUserFragment, Markers, TokenCount, truncate_middle};
use recto_protocol::{ContentKind, Role};

use super::registry::{Cap, ContextFragment};

/// The text of one hook, without markers; each is a message of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HookAdditionalContext {
    /// The text.
    pub text: String,
}

/// What the text may cost; a longer one is cut in its middle.
const TEXT_TOKENS: TokenCount = 2_500;

impl ContextualUserFragment for HookAdditionalContext {
    fn role(&self) -> Role {
        Role::Developer
    }

    fn markers() -> Markers {
        Markers::NONE
    }

    fn body(&self) -> String {
        truncate_middle(&self.text, TEXT_TOKENS).into_owned()
    }
}

impl ContextFragment for HookAdditionalContext {
    const KIND: ContentKind = ContentKind::new("hooks.additional_context");
    const SENT: &'static str = "Before the input where a session-start hook gave it, behind the input where a hook on \
                                the prompt did.";
    const CAP: Cap = Cap::Tokens(TEXT_TOKENS + 10);

    fn samples() -> Vec<Self> {
        let text = "The build is red since noon.";
        vec![Self { text: text.to_owned() }, Self { text: text.repeat(1_000) }]
    }
}
