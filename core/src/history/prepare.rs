//! One item on its way out, looked at by itself: what of it a server takes and the audience can read.

use recto_context_fragments::approximate_tokens;
use recto_protocol::{ContentItem, ContentKind, Item, OutputPayload, ResponseItem, TextMessage};

use super::audience::Audience;
use super::fate::{Change, LeftOut};
use super::images;
use super::pairs::Link;
use super::recorded::Recorded;
use super::tokens::{Tokens, estimate};

/// The kind that the reference gives a text which stands for a picture.
pub(crate) const PICTURE_AS_TEXT: ContentKind = ContentKind::new("images.preparation_error");

/// What a model that takes no pictures reads instead of one, in the words of the reference.
const NO_IMAGE_INPUT: &str = "image content omitted because you do not support image input";

/// An item that may go out.
#[derive(Debug, Clone)]
pub(super) struct Piece {
    /// The item as it goes out; the recorded one itself where nothing had to change.
    pub(super) item: Item,
    pub(super) link: Link,
    pub(super) changes: Vec<Change>,
    /// What it costs, as estimated.
    pub(super) tokens: Tokens,
}

/// Looks at one item; the recorded one is not changed.
pub(super) fn prepare(recorded: &Recorded, audience: &Audience) -> Result<Piece, LeftOut> {
    let item = &recorded.item;
    if let Some(message) = item.text_message() {
        return of_texts(item, &message);
    }
    let view = item.decoded();
    if is_sealed(&view)
        && let Some(provider) = &recorded.provider
        && !audience.can_open(Some(provider))
    {
        return Err(LeftOut::SealedByOther(provider.to_string()));
    }
    let mut changes = Vec::new();
    Ok(match changed(item, &view, audience, &mut changes)? {
        Some((view, kinds)) => {
            let (link, tokens) = (Link::of(&view)?, estimate(&view));
            Piece { item: Item::new(view, kinds), link, changes, tokens }
        }
        None => {
            Piece { item: item.clone(), link: Link::of(&view)?, changes, tokens: estimate(&view) }
        }
    })
}

/// A message of texts goes out as it stands, and most items are such; it is not decoded for that.
fn of_texts(item: &Item, message: &TextMessage) -> Result<Piece, LeftOut> {
    if message.texts.iter().all(|text| text.is_blank) {
        return Err(LeftOut::Empty);
    }
    let link = Link::of_message(message.role)?;
    let tokens = message.texts.iter().map(|text| approximate_tokens(text.bytes) as Tokens).sum();
    Ok(Piece { item: item.clone(), link, changes: Vec::new(), tokens })
}

/// Whether only the provider that made it can read it.
fn is_sealed(view: &ResponseItem) -> bool {
    match view {
        ResponseItem::Reasoning(reasoning) => reasoning.encrypted_content.is_some(),
        ResponseItem::Compaction(_) => true,
        _ => false,
    }
}

/// The item with what has to change about it; none where it goes out as it stands.
fn changed(
    item: &Item,
    view: &ResponseItem,
    audience: &Audience,
    changes: &mut Vec<Change>,
) -> Result<Option<(ResponseItem, Vec<ContentKind>)>, LeftOut> {
    match view {
        ResponseItem::Message(message) => {
            let Some(parts) = changed_parts(&message.content, audience, changes) else {
                return if says_something(&message.content) {
                    Ok(None)
                } else {
                    Err(LeftOut::Empty)
                };
            };
            let (content, kinds) = apply(&message.content, item.kinds(), &parts);
            if !says_something(&content) {
                return Err(LeftOut::Empty);
            }
            let mut message = message.clone();
            message.content = content;
            Ok(Some((ResponseItem::Message(message), kinds)))
        }
        ResponseItem::FunctionCallOutput(output) => {
            Ok(changed_output(&output.output, audience, changes).map(|payload| {
                let mut output = output.clone();
                output.output = payload;
                (ResponseItem::FunctionCallOutput(output), Vec::new())
            }))
        }
        ResponseItem::CustomToolCallOutput(output) => {
            Ok(changed_output(&output.output, audience, changes).map(|payload| {
                let mut output = output.clone();
                output.output = payload;
                (ResponseItem::CustomToolCallOutput(output), Vec::new())
            }))
        }
        ResponseItem::NamedOutput(output) => Ok(changed_output(&output.output, audience, changes)
            .map(|payload| {
                let mut output = output.clone();
                output.output = payload;
                (ResponseItem::NamedOutput(output), Vec::new())
            })),
        ResponseItem::LocalShellCall(call) if call.call_id.is_none() && call.id.is_some() => {
            changes.push(Change::CallIdFromItem);
            let mut call = call.clone();
            call.call_id.clone_from(&call.id);
            Ok(Some((ResponseItem::LocalShellCall(call), Vec::new())))
        }
        _ => Ok(None),
    }
}

fn changed_output(
    output: &OutputPayload,
    audience: &Audience,
    changes: &mut Vec<Change>,
) -> Option<OutputPayload> {
    let OutputPayload::Content(content) = output else { return None };
    let parts = changed_parts(content, audience, changes)?;
    Some(OutputPayload::Content(apply(content, &[], &parts).0))
}

/// What becomes of a part.
#[derive(Clone, Copy)]
enum Part {
    Stays,
    Goes,
    Becomes(&'static str),
}

/// What becomes of each part; none where all stay.
fn changed_parts(
    content: &[ContentItem],
    audience: &Audience,
    changes: &mut Vec<Change>,
) -> Option<Vec<Part>> {
    let before = changes.len();
    let parts = content.iter().map(|part| changed_part(part, audience, changes)).collect();
    (changes.len() > before).then_some(parts)
}

fn changed_part(part: &ContentItem, audience: &Audience, changes: &mut Vec<Change>) -> Part {
    let (change, part) = match part {
        ContentItem::InputText { .. } | ContentItem::OutputText { .. } => return Part::Stays,
        ContentItem::InputImage { image_url, .. } if image_url.trim().is_empty() => {
            (Change::EmptyImage, Part::Goes)
        }
        ContentItem::InputImage { .. } if !audience.sees_images() => {
            (Change::NoImageInput, Part::Becomes(NO_IMAGE_INPUT))
        }
        ContentItem::InputImage { image_url, .. } => match images::check_picture(image_url) {
            Ok(()) => return Part::Stays,
            Err(problem) => (Change::BadImage(problem), Part::Becomes(problem.placeholder())),
        },
        ContentItem::Other(value) => {
            let part_type = value.get("type").and_then(|it| it.as_str()).unwrap_or_default();
            (Change::UnknownPart(part_type.to_owned()), Part::Goes)
        }
    };
    changes.push(change);
    part
}

fn apply(
    content: &[ContentItem],
    kinds: &[ContentKind],
    parts: &[Part],
) -> (Vec<ContentItem>, Vec<ContentKind>) {
    let mut changed = (Vec::new(), Vec::new());
    for (index, (item, part)) in content.iter().zip(parts).enumerate() {
        let (item, kind) = match part {
            Part::Stays => (item.clone(), kinds.get(index).cloned()),
            Part::Goes => continue,
            Part::Becomes(text) => (
                ContentItem::InputText { text: (*text).to_owned() },
                kinds.get(index).map(|_| PICTURE_AS_TEXT),
            ),
        };
        changed.0.push(item);
        changed.1.extend(kind);
    }
    changed
}

/// Whether there is more than blank text.
fn says_something(content: &[ContentItem]) -> bool {
    content.iter().any(|part| part.text().is_none_or(|text| !text.trim().is_empty()))
}
