//! What stays when a summary takes the place of a conversation.

use pretty_assertions::assert_eq;
use recto_core::context::{CompactionSummary, ContextualUserFragment};
use recto_core::history::compaction::{KEPT_TOKENS, kept_messages};
use recto_core::history::is_from_person;
use recto_protocol::{ContentItem, ContentKind, Item, ResponseItem};
use serde_json::json;

use super::notation::{history, items, notation, of_json, sent};

fn user(text: &str) -> Item {
    of_json(&json!({
        "type": "message", "role": "user", "content": [{"type": "input_text", "text": text}],
    }))
}

fn user_of_kinds(text: &str, kinds: &[&str]) -> Item {
    of_json(&json!({
        "type": "message", "role": "user", "content": [{"type": "input_text", "text": text}],
        "internal_chat_message_metadata_passthrough": {"content_item_kinds": kinds},
    }))
}

/// What stands before a summary.
fn start() -> String {
    CompactionSummary { summary: String::new() }.render()
}

fn texts(item: &Item) -> Vec<(usize, String)> {
    let ResponseItem::Message(message) = item.view() else { panic!("a message") };
    let text = |part: &ContentItem| part.text().unwrap_or_default().to_owned();
    message.content.iter().map(text).map(|text| (text.len(), text)).collect()
}

#[test]
fn the_context_stands_before_the_last_message_of_the_person_and_the_summary_ends_it() {
    let history =
        history(items("D(old) C(old) U(1) R(E) FC(c1) FO(c1,x) A(ok) U(2) D(hook) A(ok) U(3)"));
    let replacement = history.replacement(items("D(new) C(env)"), "done so far");
    let start = start();
    let expected = format!("U(1) U(2) D(new) U(env) U(3) U({start}done so far)");
    assert_eq!(notation(&replacement), expected);
}

#[test]
fn a_conversation_of_one_message_or_none_has_the_context_first() {
    let start = start();
    let replacement = |recorded: &str| {
        notation(&history(items(recorded)).replacement(items("D(new)"), "s")[..])
            .replace(&start, "")
    };
    assert_eq!(replacement("D(old) U(1) A(ok)"), "D(new) U(1) U(s)");
    assert_eq!(replacement("D(old)"), "D(new) U(s)");
}

#[test]
fn an_old_summary_goes_with_the_next_compaction() {
    let start = start();
    let mut history = history(items("U(1) A(ok)"));
    let first = history.replacement(items("D(new)"), "one");
    history.replace(first);
    history.record([user(&format!("{start}from a record without kinds"))]);
    history.record(items("U(2)"));
    let second = history.replacement(items("D(newer)"), "two");
    assert_eq!(notation(&second), format!("U(1) D(newer) U(2) U({start}two)"));
}

#[test]
fn kinds_say_what_a_person_said_and_markers_only_where_there_are_none() {
    let environment = "<environment_context>x</environment_context>";
    for (item, expected) in [
        (user_of_kinds(environment, &["user.text"]), true),
        (user_of_kinds("plain", &["agents_md.instructions"]), false),
        (user_of_kinds("plain", &["unknown"]), true),
        (user_of_kinds(environment, &["unknown"]), false),
        (user_of_kinds("head", &["user.text", "unknown", "user.text"]), true),
        (user_of_kinds("s", &["compaction.summary"]), false),
        (user("plain"), true),
        (user(environment), false),
        (user("  <ENVIRONMENT_CONTEXT> upper </Environment_Context>\n"), false),
        (user("# AGENTS.md instructions for /x\n\n<INSTRUCTIONS>\na\n</INSTRUCTIONS>"), false),
        (user("<external_a>nk</external_a>"), false),
        (user("<environment_context> only start"), true),
        (user("<user_instructions>\nold\n</user_instructions>"), false),
        (user(&format!("{}s", start())), false),
        (
            of_json(&json!({"type": "message", "role": "user", "content": [
                {"type": "input_text", "text": environment},
                {"type": "input_text", "text": "typed beside"},
            ]})),
            false,
        ),
        (items("A(ok)").remove(0), false),
        (items("D(ok)").remove(0), false),
        (items("FC(c1)").remove(0), false),
    ] {
        assert_eq!(is_from_person(&item), expected, "{item:?}");
    }
    assert_eq!(history(items("C(env) U(1) A(ok) U(2) D(x) U(3)")).user_turns(), 3);
}

#[test]
fn b122_the_newest_messages_stay_and_the_one_that_does_not_fit_is_cut_in_its_middle() {
    // The sizes of a run of the reference, which kept 24,990 bytes on each side and told of 7 tokens.
    let kept = kept_messages(
        [
            user(&"1".repeat(50_008)),
            user(&"2".repeat(50_008)),
            user("B3 $nothing "),
            user(&"4".repeat(30_008)),
        ]
        .iter(),
    );
    let sizes: Vec<Vec<usize>> =
        kept.iter().map(|item| texts(item).into_iter().map(|(size, _)| size).collect()).collect();
    assert_eq!(sizes, [vec![24_990, "…7 tokens truncated…".len(), 24_990], vec![12], vec![30_008]]);
    assert_eq!(texts(&kept[0])[1].1, "…7 tokens truncated…");
    let kinds: Vec<&str> = kept[0].kinds().iter().map(ContentKind::as_str).collect();
    assert_eq!(kinds, ["user.text", "unknown", "user.text"]);
    assert!(is_from_person(&kept[0]));
}

#[test]
fn b122_one_huge_message_is_bounded_and_its_characters_are_whole() {
    let mut history = history([user(&"é€𝄞".repeat(200_000))]);
    let replacement = history.replacement(items("D(new)"), "s");
    history.replace(replacement);
    let bound = u64::try_from(KEPT_TOKENS).unwrap() + 200;
    assert!((bound - 400..bound).contains(&history.estimated_tokens()));
}

#[test]
fn nothing_is_kept_of_older_messages_once_the_bound_is_reached() {
    let kept = kept_messages([user("old"), user(&"n".repeat(80_000))].iter());
    assert_eq!(kept.len(), 1);
    assert_eq!(kept_messages([user("old"), user(&"n".repeat(79_997))].iter()).len(), 1);
}

#[test]
fn pictures_are_taken_out_of_kept_messages_and_what_stays_is_the_same_item() {
    let picture = json!({"type": "input_image", "image_url": "data:image/png;base64,AAAA"});
    let message = |content: serde_json::Value, kinds: serde_json::Value| {
        of_json(&json!({"type": "message", "role": "user", "content": content,
            "internal_chat_message_metadata_passthrough": {"content_item_kinds": kinds}}))
    };
    let text = |text: &str| json!({"type": "input_text", "text": text});
    let plain = message(json!([text("b")]), json!(["user.text"]));
    let kept = kept_messages(
        [
            message(
                json!([text(""), picture, text("a")]),
                json!(["user.text", "user.image", "user.text"]),
            ),
            message(json!([picture]), json!(["user.image"])),
            plain.clone(),
        ]
        .iter(),
    );
    assert_eq!(notation(&kept), "U(+a) U(b)");
    assert_eq!(kept[0].kinds().len(), 2);
    assert!(kept[1].is_same(&plain));
}

#[test]
fn a_replaced_conversation_goes_on() {
    let mut history = history(items("D(old) U(1) A(ok) U(2)"));
    let replacement = history.replacement(items("D(new)"), "s");
    history.replace(replacement);
    history.record(items("A(ok) U(3)"));
    let start = start();
    let expected = format!("U(1) D(new) U(2) U({start}s) A(ok) U(3)");
    assert_eq!(sent(&history), expected);
}
