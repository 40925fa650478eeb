//! AGENTS.md, as the model reads it.

use recto_context_fragments::{ContextualUserFragment, Markers};
use recto_protocol::{ContentKind, Role};

use super::registry::{Cap, ContextFragment};

/// The instructions of the host and the project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UserInstructions {
    /// The directory in the heading; none where no project doc was loaded, for several environments and for removals.
    pub directory: Option<String>,
    /// The text between the markers.
    pub text: String,
}

impl UserInstructions {
    /// What stands before the text, from the first marker on.
    pub fn heading(&self) -> String {
        let directory = self.directory.as_ref().map(|it| format!(" for {it}")).unwrap_or_default();
        format!("{START}{directory}\n\n<INSTRUCTIONS>\n")
    }
}

const START: &str = "# AGENTS.md instructions";
const END: &str = "</INSTRUCTIONS>";

impl ContextualUserFragment for UserInstructions {
    fn role(&self) -> Role {
        Role::User
    }

    fn markers() -> Markers {
        Markers::new(START, END)
    }

    fn body(&self) -> String {
        format!("{}{}\n", &self.heading()[START.len()..], self.text)
    }
}

impl ContextFragment for UserInstructions {
    const KIND: ContentKind = ContentKind::new("agents_md.instructions");
    const SENT: &'static str = "With the first request, and as a replacement or a removal when the text changed.";
    const CAP: Cap = Cap::Setting("project_doc_max_bytes");

    fn samples() -> Vec<Self> {
        vec![
            Self { directory: Some("/repo".to_owned()), text: "Run the tests.\n".to_owned() },
            Self { directory: None, text: "Be brief.".to_owned() },
        ]
    }
}
