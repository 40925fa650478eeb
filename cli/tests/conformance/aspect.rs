//! What of a program's answer is compared.

use pretty_assertions::StrComparison;
use serde_json::Value;

use crate::programs::{Run, Runs};

/// Fragments that recto sends, by the kind that the reference gives them, and how their text starts.
const KINDS: [(&str, &str); 4] = [
    ("host_skills.instructions", "<skills_instructions>"),
    ("agents_md.instructions", "# AGENTS.md instructions"),
    ("environments.environment_context", "<environment_context>"),
    ("permissions.instructions", "<permissions instructions>"),
];

/// The kind of the developer's own instructions, which have no marker.
const DEVELOPER_INSTRUCTIONS: &str = "generic.developer_instructions";

/// The kind of what a person typed.
const USER_TEXT: &str = "user.text";

/// One thing that a case compares.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Aspect {
    /// The AGENTS.md fragment, byte for byte.
    AgentsMd,
    /// The environment fragment, byte for byte.
    Environment,
    /// The developer's own instructions.
    DeveloperInstructions,
    /// Items with their roles and the kinds of their contents, as far as recto knows them.
    Order,
    /// The same, of items with the role user.
    UserKinds,
    /// Whether the program ended well.
    Exit,
    /// That both programs refuse: they fail and print no items.
    Refuses,
}

impl Aspect {
    /// The aspect that a case names.
    pub(crate) fn named(name: &str) -> Option<Self> {
        Some(match name {
            "agents_md" => Self::AgentsMd,
            "environment" => Self::Environment,
            "developer_instructions" => Self::DeveloperInstructions,
            "order" => Self::Order,
            "user_kinds" => Self::UserKinds,
            "exit" => Self::Exit,
            "refuses" => Self::Refuses,
            _ => return None,
        })
    }

    /// How a run looks under this aspect.
    pub(crate) fn view(self, run: &Run) -> String {
        match self {
            Self::AgentsMd => text_of_kind(run, "agents_md.instructions"),
            Self::Environment => text_of_kind(run, "environments.environment_context"),
            Self::DeveloperInstructions => text_of_kind(run, DEVELOPER_INSTRUCTIONS),
            Self::Order => order(run, &["developer", "user"]),
            Self::UserKinds => order(run, &["user"]),
            Self::Exit => if run.success { "succeeds" } else { "fails" }.to_owned(),
            Self::Refuses => match (run.success, run.has_output) {
                (false, false) => "refuses".to_owned(),
                (false, true) => "fails after it printed".to_owned(),
                (true, _) => "succeeds".to_owned(),
            },
        }
    }

    /// Why the two programs are not equal under this aspect; none where they are.
    pub(crate) fn problem(self, runs: &Runs) -> Option<String> {
        let (reference, recto) = (self.view(&runs.reference), self.view(&runs.recto));
        let compares_exits = matches!(self, Self::Exit | Self::Refuses);
        let both_succeed = runs.reference.success && runs.recto.success;
        let is_as_wanted = match self {
            Self::Exit => true,
            Self::Refuses => recto == "refuses",
            _ => both_succeed,
        };
        if reference == recto && is_as_wanted {
            return None;
        }
        if compares_exits || !both_succeed {
            return Some(format!(
                "reference: {}\n{}\nrecto: {}\n{}",
                Self::Refuses.view(&runs.reference),
                runs.reference.messages,
                Self::Refuses.view(&runs.recto),
                runs.recto.messages
            ));
        }
        let (reference, recto) = (readable(&reference), readable(&recto));
        Some(format!("reference (<) and recto (>):\n{}", StrComparison::new(&reference, &recto)))
    }
}

/// The texts of all contents of a kind, each ended by a mark, so that none differs from an empty one.
fn text_of_kind(run: &Run, kind: &str) -> String {
    let contents = run.items.iter().flat_map(contents);
    let texts: Vec<&str> = contents.filter(|it| it.kind == kind).map(|it| it.text).collect();
    if texts.is_empty() { "(none)".to_owned() } else { texts.join("<END>\n") + "<END>\n" }
}

/// One line for each item with one of these roles: the role and the known kinds.
fn order(run: &Run, roles: &[&str]) -> String {
    let known = |kind: &str| {
        [DEVELOPER_INSTRUCTIONS, USER_TEXT].contains(&kind)
            || KINDS.iter().any(|(name, _)| *name == kind)
    };
    let mut lines = Vec::new();
    for item in &run.items {
        let role = item["role"].as_str().unwrap_or_default();
        let kinds: Vec<&str> =
            contents(item).into_iter().map(|it| it.kind).filter(|kind| known(kind)).collect();
        if roles.contains(&role) && !kinds.is_empty() {
            lines.push(format!("{role}: {}", kinds.join(" ")));
        }
    }
    lines.join("\n")
}

struct Content<'a> {
    kind: &'a str,
    text: &'a str,
}

/// The contents of an item with their kinds: those that it came with, or else those that the texts show.
fn contents(item: &Value) -> Vec<Content<'_>> {
    let kinds = &item["internal_chat_message_metadata_passthrough"]["content_item_kinds"];
    let role = item["role"].as_str().unwrap_or_default();
    let contents = item["content"].as_array().map(Vec::as_slice).unwrap_or_default();
    let texts = contents.iter().map(|it| it["text"].as_str().unwrap_or_default());
    texts
        .enumerate()
        .map(|(at, text)| Content {
            kind: kinds[at].as_str().unwrap_or_else(|| kind_by_marker(role, text)),
            text,
        })
        .collect()
}

fn kind_by_marker(role: &str, text: &str) -> &'static str {
    let marked = KINDS.iter().find(|(_, start)| text.starts_with(start));
    let without_marker = if role == "user" { USER_TEXT } else { DEVELOPER_INSTRUCTIONS };
    marked.map_or(without_marker, |(kind, _)| kind)
}

/// A text for people: characters that nobody sees are escaped, long runs of one character counted.
pub(crate) fn readable(text: &str) -> String {
    const LONG: usize = 40;
    let mut out = String::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let run = rest.len() - rest.trim_start_matches(first).len();
        let times = run / first.len_utf8();
        let shown = match first {
            '\n' | '"' | '\'' | '\\' => first.to_string(),
            _ => first.escape_debug().to_string(),
        };
        if times > LONG {
            out.extend([&shown, "<", &times.to_string(), " times>"]);
        } else {
            out.push_str(&shown.repeat(times));
        }
        rest = &rest[run..];
    }
    out
}
