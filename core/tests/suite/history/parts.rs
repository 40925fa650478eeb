//! What of an item a server takes and a model can read.

use pretty_assertions::assert_eq;
use recto_core::history::{Audience, Change, Fate, History, ImageProblem, LeftOut};
use recto_protocol::{ContentKind, InputModality, Item};
use serde_json::{Value, json};

use super::notation::{history, items, of_json, prompt, sent, sent_to};

const PNG: &str = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

fn at(provider: &str) -> Audience {
    Audience { provider: Some(provider.into()), ..Audience::default() }
}

fn text_only() -> Audience {
    Audience { input_modalities: vec![InputModality::Text], provider: None }
}

fn user(content: &Value) -> Item {
    of_json(&json!({"type": "message", "role": "user", "content": content}))
}

fn image(url: &str) -> Value {
    json!({"type": "input_image", "image_url": url})
}

#[test]
fn b113_reasoning_is_sent_only_to_the_provider_that_sealed_it() {
    let mut history = History::new(at("one"));
    history.record(items("U(1) R(E1) A(ok)"));
    history.set_audience(&at("two"));
    history.record(items("U(2) R(E2) A(fine)"));
    assert_eq!(sent(&history), "U(1) A(ok) U(2) R(E2) A(fine)");
    assert_eq!(sent_to(&history, &at("one")), "U(1) R(E1) A(ok) U(2) A(fine)");
    assert_eq!(
        sent_to(&history, &Audience::default()),
        "U(1) R(E1) A(ok) U(2) R(E2) A(fine)",
        "where nobody says who reads it, nothing is held back"
    );
    history.set_audience(&at("one"));
    assert_eq!(sent(&history), "U(1) R(E1) A(ok) U(2) A(fine)");
    assert_eq!(
        history.fates(&at("one"))[4],
        Fate::LeftOut(LeftOut::SealedByOther("two".to_owned()))
    );
}

#[test]
fn b113_readable_reasoning_is_sent_to_everybody() {
    let mut history = History::new(at("one"));
    history.record(items("U(1) R() A(ok)"));
    assert_eq!(sent_to(&history, &at("two")), "U(1) R() A(ok)");
}

#[test]
fn b115_an_id_that_no_server_issued_is_not_sent() {
    for (id, expected) in [
        (json!("msg_0f3a"), json!("msg_0f3a")),
        (json!("made_up_7"), Value::Null),
        (json!("msg_01a22eea-0262-72b2-a695-38915d645463"), Value::Null),
        (json!(""), Value::Null),
        (Value::Null, Value::Null),
    ] {
        let part = json!([{"type": "input_text", "text": "hi"}]);
        let item = json!({"type": "message", "id": id, "role": "user", "content": part});
        let history = history([of_json(&item)]);
        let input = prompt(&history).input;
        let sent: Value = serde_json::from_str(&input.last().unwrap().wire_json()).unwrap();
        assert_eq!(sent["id"], expected, "{id}");
        assert_eq!(sent.as_object().unwrap().contains_key("id"), !expected.is_null());
    }
}

#[test]
fn b116_a_picture_that_no_server_would_take_is_told_as_a_text() {
    use ImageProblem::{NotBase64, Remote, TooLarge, Truncated, UnknownFormat};

    let jpeg = "data:image/jpeg;base64,/9j/4AAQSkZJRg==";
    let huge = format!("data:image/png;base64,{}", "A".repeat(60_000_000));
    for (url, problem) in [
        (PNG, None),
        (jpeg, None),
        ("data:image/gif;base64,R0lGODlhAQABAAAAACw=", None),
        ("data:image/webp;base64,UklGRgQAAABXRUJQ", None),
        ("data:image/webp;base64,UklGRiQAAABXRUJQ", Some(Truncated)),
        ("data:image/png;base64,this is text", Some(NotBase64)),
        ("data:image/png;base64,aGVsbG8=", Some(UnknownFormat)),
        ("data:image/png;base64,", Some(UnknownFormat)),
        ("data:image/png,abc", Some(NotBase64)),
        ("data:image/png", Some(NotBase64)),
        (&PNG[..90], Some(Truncated)),
        ("data:image/png;base64,iVBORw0KGgo=", Some(Truncated)),
        (&huge, Some(TooLarge)),
        ("https://x.example/a.png", Some(Remote)),
        ("file:///etc/passwd", Some(UnknownFormat)),
        ("nonsense", Some(UnknownFormat)),
    ] {
        let history = history([user(&json!([image(url)])), user(&json!([image(PNG)]))]);
        let expected = match problem {
            None => vec![],
            Some(problem) => vec![Change::BadImage(problem)],
        };
        let start = &url[..url.len().min(50)];
        assert_eq!(history.fates(history.audience())[0], Fate::Sent(expected), "{start}");
        let first = sent(&history);
        let placeholder = match problem {
            None => format!("U(<{}>)", &url[..22]),
            Some(problem) => format!("U({})", problem.placeholder()),
        };
        assert_eq!(first.split(" U(<").next(), Some(&*placeholder), "{start}");
    }
}

#[test]
fn b118_a_picture_without_an_address_is_not_there() {
    let text = json!({"type": "input_text", "text": "a"});
    for (content, expected) in [
        (json!([text, image("")]), "U(a) A(ok)"),
        (json!([image("")]), "A(ok)"),
        (json!([image(" "), image("")]), "A(ok)"),
        (json!([text, {"type": "input_image", "image_url": null}]), "U(a) A(ok)"),
        (json!([{"type": "input_image"}]), "A(ok)"),
        (json!([text, {"type": "of_tomorrow"}]), "U(a) A(ok)"),
    ] {
        let mut history = history([user(&content)]);
        history.record(items("A(ok)"));
        assert_eq!(sent(&history), expected, "{content}");
    }
}

#[test]
fn b119_a_model_without_pictures_reads_a_text_and_the_next_one_sees_them_again() {
    let output = json!({
        "type": "function_call_output", "call_id": "c1",
        "output": [{"type": "input_text", "text": "t"}, image(PNG)],
    });
    let mut history = history([user(&json!([{"type": "input_text", "text": "look"}, image(PNG)]))]);
    history.record(items("FC(c1)"));
    history.record([of_json(&output)]);
    let before: Vec<Item> = history.items().cloned().collect();
    let seen = "U(look+<data:image/png;base64,>) FC(c1) FO(c1,t+<data:image/png;base64,>)";
    let told = "U(look+image content omitted because you do not support image input) FC(c1) \
        FO(c1,t+image content omitted because you do not support image input)";
    assert_eq!(sent(&history), seen);
    assert_eq!(sent_to(&history, &text_only()), told);
    history.set_audience(&text_only());
    assert_eq!(sent(&history), told);
    history.set_audience(&Audience::default());
    assert_eq!(sent(&history), seen);
    assert!(history.items().eq(&before));
}

#[test]
fn a_part_that_becomes_a_text_keeps_the_kinds_of_the_others() {
    let item = of_json(&json!({
        "type": "message", "role": "user",
        "content": [image(""), {"type": "input_text", "text": "a"}, image("https://x/a.png")],
        "internal_chat_message_metadata_passthrough":
            {"content_item_kinds": ["user.image", "user.text", "user.image"]},
    }));
    let input = prompt(&history([item])).input;
    let kinds: Vec<&str> = input.last().unwrap().kinds().iter().map(ContentKind::as_str).collect();
    assert_eq!(kinds, ["user.text", "images.preparation_error"]);
}

#[test]
fn b133_a_message_that_says_nothing_is_left_out() {
    for role in ["assistant", "user", "developer"] {
        let text = if role == "assistant" { "output_text" } else { "input_text" };
        for content in [
            json!([]),
            json!([{"type": text, "text": ""}]),
            json!([{"type": text, "text": "  \n"}]),
            json!([{"type": text, "text": ""}, {"type": text, "text": " "}]),
        ] {
            let message = json!({"type": "message", "role": role, "content": content});
            let mut history = history([of_json(&message)]);
            history.record(items("U(real)"));
            assert_eq!(sent(&history), "U(real)", "{message}");
        }
    }
}

#[test]
fn b137_an_item_that_is_not_as_its_type_asks_is_left_out_and_told() {
    for broken in [
        json!({"type": "function_call_output", "output": "x"}),
        json!({"type": "function_call_output", "call_id": null, "output": "x"}),
        json!({"type": "function_call_output", "call_id": "", "output": "x"}),
        json!({"type": "function_call_output", "call_id": 7, "output": "x"}),
        json!({"type": "function_call", "name": "f", "call_id": "c1"}),
        json!({"type": "function_call", "name": "f", "arguments": "{}", "call_id": ""}),
        json!({"type": "message", "role": "tool", "content": []}),
        json!({"type": 7}),
        json!({}),
    ] {
        let mut history = history(items("U(1)"));
        history.record([of_json(&broken)]);
        history.record(items("FC(c2) FO(c2,x)"));
        assert_eq!(sent(&history), "U(1) FC(c2) FO(c2,x)", "{broken}");
        let fate = history.fates(history.audience()).swap_remove(1);
        assert!(matches!(fate, Fate::LeftOut(LeftOut::Malformed(_))), "{broken}: {fate:?}");
    }
}

#[test]
fn an_item_of_an_unknown_type_stays_in_the_history_and_is_not_sent() {
    let history = history(items("U(1) X(new) A(ok)"));
    assert_eq!(sent(&history), "U(1) A(ok)");
    assert_eq!(history.items().len(), 3);
}

#[test]
fn what_has_nothing_to_change_goes_out_as_the_very_text_that_was_recorded() {
    let history = history(items("U(1) FC(c1) FO(c1,x) A(ok)"));
    let texts = |item: &Item| item.wire_parts()[0].as_ptr();
    let recorded: Vec<_> = history.items().map(|item| item.json().as_ptr()).collect();
    assert_eq!(prompt(&history).input.iter().map(texts).collect::<Vec<_>>(), recorded);
}

#[test]
fn a_shell_call_without_a_call_id_goes_by_the_id_of_its_item() {
    let call = json!({
        "type": "local_shell_call", "id": "lsh_1", "status": "completed",
        "action": {"type": "exec", "command": ["ls"]},
    });
    let history = history([of_json(&call)]);
    assert_eq!(sent(&history), "LS(lsh_1) FO(lsh_1,aborted)");
}
