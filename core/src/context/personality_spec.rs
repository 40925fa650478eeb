//! How the person wants to be talked to.

use recto_context_fragments::{ContextualUserFragment, Markers};
use recto_protocol::{ContentKind, Role};
use serde::{Deserialize, Serialize};

use super::registry::{Cap, ContextFragment};

/// A way to talk that a person can choose.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Personality {
    /// Warm, and glad to explain.
    Friendly,
    /// Short, and about the matter.
    Pragmatic,
}

/// Tells the model which personality was chosen, or that none is any more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PersonalitySpec {
    /// The choice.
    pub personality: Option<Personality>,
}

const FRIENDLY: &str = "The user has chosen a friendly tone. In messages from here on, be warm and patient, explain \
                        the why behind a step, and share joy in what works. Be as exact as ever: say plainly what \
                        failed and what you do not know.";

const PRAGMATIC: &str = "The user has chosen a pragmatic tone. In messages from here on, come to the point at once: \
                         results first, then what the user must know or decide. No small talk, no praise.";

const NONE: &str = "The user no longer asks for a certain tone. In messages from here on, talk as your base \
                    instructions say.";

impl ContextualUserFragment for PersonalitySpec {
    fn role(&self) -> Role {
        Role::Developer
    }

    fn markers() -> Markers {
        Markers::new("<personality_spec>", "</personality_spec>")
    }

    fn body(&self) -> String {
        let text = match self.personality {
            Some(Personality::Friendly) => FRIENDLY,
            Some(Personality::Pragmatic) => PRAGMATIC,
            None => NONE,
        };
        format!("\n{text}\n")
    }
}

impl ContextFragment for PersonalitySpec {
    const KIND: ContentKind = ContentKind::new("personality.instructions");
    const SENT: &'static str = "Where the feature is on, a personality is chosen and the base instructions carry none; \
                                again when the choice changed.";
    const CAP: Cap = Cap::Tokens(100);

    fn samples() -> Vec<Self> {
        [Some(Personality::Friendly), Some(Personality::Pragmatic), None]
            .map(|personality| Self { personality })
            .into()
    }
}
