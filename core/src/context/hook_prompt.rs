//! A hook wants the model to go on.

use recto_context_fragments::{ContextualUserFragment, Markers};
use recto_protocol::{ContentKind, Role};

use super::registry::{Cap, ContextFragment};

/// The reason for which a stop hook did not let a turn end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HookPrompt {
    /// Which run of which hook: `stop:0:/home/me/.codex/hooks.json`.
    pub hook_run_id: String,
    /// What it wants.
    pub text: String,
}

const START: &str = "<hook_prompt ";
const ATTRIBUTE: &str = "hook_run_id=\"";
const END: &str = "</hook_prompt>";

impl HookPrompt {
    /// Reads a fragment back.
    pub fn parse(text: &str) -> Option<Self> {
        let inner = text.trim().strip_prefix(START)?.strip_suffix(END)?;
        let (id, text) = inner.strip_prefix(ATTRIBUTE)?.split_once("\">")?;
        Some(Self { hook_run_id: unescape(id), text: unescape(text) })
    }
}

impl ContextualUserFragment for HookPrompt {
    fn role(&self) -> Role {
        Role::User
    }

    fn markers() -> Markers {
        Markers::new(START, END)
    }

    fn body(&self) -> String {
        let id = escape(&self.hook_run_id).replace('"', "&quot;");
        format!("{ATTRIBUTE}{id}\">{}", escape(&self.text))
    }

    /// The start marker ends where the attributes do, so the markers alone would take `<hook_prompt ` in prose.
    fn matches_text(text: &str) -> bool {
        let attributes = || text.trim().get(START.len()..).and_then(|rest| rest.split_once("\">"));
        let is_attribute = |it: &str| {
            it.get(..ATTRIBUTE.len()).is_some_and(|at| at.eq_ignore_ascii_case(ATTRIBUTE))
        };
        Self::markers().matches(text)
            && attributes().is_some_and(|(attributes, _)| is_attribute(attributes))
    }
}

/// Escapes what could be markup; quotes stay, as the reference leaves them.
fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

fn unescape(text: &str) -> String {
    text.replace("&quot;", "\"").replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
}

impl ContextFragment for HookPrompt {
    const KIND: ContentKind = ContentKind::new("hooks.prompt");
    const SENT: &'static str =
        "When a stop hook does not let a turn end; the turn goes on with it.";
    const CAP: Cap = Cap::Author;

    fn samples() -> Vec<Self> {
        vec![Self {
            hook_run_id: "stop:0:/home/me/.codex/hooks.json".to_owned(),
            text: "again </hook_prompt> & <b> \"q\"".to_owned(),
        }]
    }
}
