//! Who speaks in an item, found without decoding it where that is possible.
//!
//! A replay asks this of every item, and most items are read by nobody else.

use std::borrow::Cow;
use std::sync::LazyLock;

use memchr::memmem;
use recto_context_fragments::Markers;
use recto_protocol::{ContentItem, ContentKind, Item, Message, ResponseItem, Role};

use crate::history::is_from_person;

/// Fragments that only old or foreign records hold, or that no type of ours speaks yet.
const RECORDED_MARKERS: &[Markers] = &[
    Markers::new("<user_instructions>", "</user_instructions>"),
    Markers::new("<environment_context>", "</environment_context>"),
    Markers::new("# AGENTS.md instructions", "</INSTRUCTIONS>"),
    Markers::new("<skill>", "</skill>"),
    Markers::new("<turn_aborted>", "</turn_aborted>"),
    Markers::new("<user_shell_command>", "</user_shell_command>"),
    Markers::new("<subagent_notification>", "</subagent_notification>"),
    Markers::new("<hook_prompt", "</hook_prompt>"),
];

/// Who an item comes from, as far as turns are concerned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Speaker {
    /// A person.
    Person,
    /// The program, before the person speaks: context and its updates.
    Context,
    /// The program, after the person spoke: skills that they named, hooks, an interruption.
    Attachment,
    /// The model, or a tool that it called.
    Model,
}

impl Speaker {
    /// Who speaks in an item.
    pub fn of(item: &Item) -> Self {
        let json = item.json();
        match quick_role(json) {
            Some(QuickRole::Model) => Self::Model,
            Some(QuickRole::Developer) => program(item),
            Some(QuickRole::User) if plainly_from_person(item) => Self::Person,
            Some(QuickRole::User) | None => slowly(item),
        }
    }
}

enum QuickRole {
    User,
    Developer,
    Model,
}

/// Finds where the content of a message stands; made once, for every item is looked at.
static CONTENT: LazyLock<memmem::Finder<'static>> =
    LazyLock::new(|| memmem::Finder::new("\"content\""));

/// The role, where the item is written as programs write it: its type first, its role before its content.
fn quick_role(json: &str) -> Option<QuickRole> {
    let members = json.strip_prefix(r#"{"type":""#)?;
    let (name, members) = members.split_once('"')?;
    if matches!(
        name,
        "reasoning"
            | "function_call"
            | "function_call_output"
            | "custom_tool_call"
            | "custom_tool_call_output"
    ) {
        return Some(QuickRole::Model);
    }
    let before_content = &members[..CONTENT.find(members.as_bytes())?];
    let has = |role: &str| before_content.contains(role);
    if has(r#""role":"user""#) {
        Some(QuickRole::User)
    } else if has(r#""role":"assistant""#) {
        Some(QuickRole::Model)
    } else if has(r#""role":"developer""#) {
        Some(QuickRole::Developer)
    } else {
        None
    }
}

/// Whether a message of the user's side is a person's beyond doubt: its kinds say so, or it has none and no part of it
/// begins as a fragment does.
fn plainly_from_person(item: &Item) -> bool {
    if item.kinds().iter().any(|kind| kind.as_str() != "unknown") {
        return item.kinds().iter().any(ContentKind::is_from_user);
    }
    let bytes = item.json().as_bytes();
    memmem::find_iter(bytes, br#""text":"#).all(|at| {
        bytes[at + 7..]
            .strip_prefix(b"\"")
            .and_then(|text| text.first())
            .is_some_and(u8::is_ascii_alphanumeric)
    })
}

fn slowly(item: &Item) -> Speaker {
    let view = match &*item.decoded() {
        ResponseItem::Message(Message { role: Role::User, content, .. }) => {
            let unmarked = item.kinds().iter().any(|kind| kind.as_str() != "unknown")
                || !content.iter().filter_map(ContentItem::text).any(is_recorded_context);
            if unmarked && is_from_person(item) { Some(Speaker::Person) } else { None }
        }
        ResponseItem::Message(Message { role: Role::Assistant, .. }) => Some(Speaker::Model),
        ResponseItem::Message(_) | ResponseItem::AdditionalTools(_) => None,
        _ => Some(Speaker::Model),
    };
    view.unwrap_or_else(|| program(item))
}

fn is_recorded_context(text: &str) -> bool {
    RECORDED_MARKERS.iter().any(|markers| markers.matches(text))
}

fn program(item: &Item) -> Speaker {
    const KINDS: [&str; 3] =
        ["skills.selected_skill_instructions", "hooks.additional_context", "generic.turn_aborted"];
    const STARTS: [&str; 3] =
        ["\"text\":\"<skill>", "\"text\":\"<turn_aborted>", "\"text\":\"<hook_prompt"];
    let attached = item.kinds().iter().any(|kind| KINDS.contains(&kind.as_str()))
        || STARTS.iter().any(|start| item.json().contains(start));
    if attached { Speaker::Attachment } else { Speaker::Context }
}

/// What a person said in an item, on one line and at most `characters` long; none where it is only pictures or blank.
pub fn title_of(item: &Item, characters: usize) -> Option<String> {
    let view: Cow<'_, ResponseItem> = item.decoded();
    let ResponseItem::Message(message) = &*view else { return None };
    let text = message
        .content
        .iter()
        .filter_map(ContentItem::text)
        .find(|text| !text.trim().is_empty() && !is_image_mark(text))?;
    let mut title = String::new();
    for word in text.split_whitespace() {
        if !title.is_empty() {
            title.push(' ');
        }
        title.push_str(word);
        if title.len() > characters * 4 {
            break;
        }
    }
    if let Some((end, _)) = title.char_indices().nth(characters) {
        title.truncate(end);
        title.push('…');
    }
    Some(title)
}

/// The reference puts a picture between these.
fn is_image_mark(text: &str) -> bool {
    let text = text.trim();
    (text.starts_with("<image name=") && text.ends_with('>')) || text == "</image>"
}
