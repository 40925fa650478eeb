//! Conversations in one line: `U(hi) A(ok) FC(c1) FO(c1,x)`.
//!
//! | | |
//! |---|---|
//! | `U(t)` `A(t)` `D(t)` `S(t)` | a message of the user, the model, the developer, the system |
//! | `C(t)` | a message of the user's side that the engine recorded as context |
//! | `R(e)` `R()` | reasoning, sealed or not |
//! | `FC(id)` `FO(id,t)` | a call of a function and its output |
//! | `CT(id)` `CO(id,t)` | a call of a tool that takes text and its output |
//! | `LS(id)` | a call of the shell, answered by `FO` |
//! | `TS(id)` `TO(id)` | a search for tools and its output |
//! | `X(t)` | an item of an unknown type |

use recto_core::history::{Audience, History};
use recto_protocol::{
    BaseInstructions, BaseInstructionsSource, ContentItem, ContentKind, Item, Prompt, Role,
};
use serde_json::{Value, json};

/// The items of a conversation in notation.
pub(super) fn items(notation: &str) -> Vec<Item> {
    let mut items = Vec::new();
    let mut rest = notation.trim();
    while let Some((name, after)) = rest.split_once('(') {
        let (arguments, after) = after.split_once(')').expect("a closing parenthesis");
        items.push(item(name, arguments));
        rest = after.trim_start();
    }
    assert_eq!(rest, "", "{notation}");
    items
}

fn item(name: &str, arguments: &str) -> Item {
    let (id, output) = arguments.split_once(',').unwrap_or((arguments, ""));
    let message = |role, part| json!({"type": "message", "role": role, "content": [part]});
    let input = |text: &str| json!({"type": "input_text", "text": text});
    let value = match name {
        "U" => message("user", input(arguments)),
        "D" => message("developer", input(arguments)),
        "S" => message("system", input(arguments)),
        "A" => message("assistant", json!({"type": "output_text", "text": arguments})),
        "C" => {
            let part = ContentItem::InputText { text: arguments.to_owned() };
            let kind = ContentKind::new("environments.environment_context");
            return Item::message(Role::User, [(part, kind)]);
        }
        "R" if id.is_empty() => json!({"type": "reasoning", "summary": []}),
        "R" => json!({"type": "reasoning", "summary": [], "encrypted_content": id}),
        "FC" => json!({"type": "function_call", "name": "f", "arguments": "{}", "call_id": id}),
        "FO" => json!({"type": "function_call_output", "call_id": id, "output": output}),
        "CT" => json!({"type": "custom_tool_call", "name": "t", "input": "x", "call_id": id}),
        "CO" => json!({"type": "custom_tool_call_output", "call_id": id, "output": output}),
        "LS" => json!({
            "type": "local_shell_call", "call_id": id, "status": "completed",
            "action": {"type": "exec", "command": ["ls"]},
        }),
        "TS" => json!({
            "type": "tool_search_call", "call_id": id, "execution": "client", "arguments": {},
        }),
        "TO" => json!({
            "type": "tool_search_output", "call_id": id, "status": "completed",
            "execution": "client", "tools": [],
        }),
        "X" => json!({"type": "of_tomorrow", "value": arguments}),
        _ => panic!("unknown item {name}"),
    };
    of_json(&value)
}

/// An item from its JSON.
pub(super) fn of_json(value: &Value) -> Item {
    Item::from_json(&value.to_string()).expect("an object")
}

/// A conversation with these items.
pub(super) fn history(items: impl IntoIterator<Item = Item>) -> History {
    let mut history = History::default();
    history.record(items);
    history
}

/// A request to the history's own audience.
pub(super) fn prompt(history: &History) -> Prompt {
    prompt_for(history, history.audience())
}

/// A request to an audience.
pub(super) fn prompt_for(history: &History, audience: &Audience) -> Prompt {
    let base_instructions =
        BaseInstructions { text: String::new(), source: BaseInstructionsSource::Model };
    history.for_prompt(base_instructions, Vec::new(), audience)
}

/// What goes out, in notation.
pub(super) fn sent(history: &History) -> String {
    notation(&prompt(history).input)
}

/// What goes out to an audience, in notation.
pub(super) fn sent_to(history: &History, audience: &Audience) -> String {
    notation(&prompt_for(history, audience).input)
}

/// Items in notation.
pub(super) fn notation<'a>(items: impl IntoIterator<Item = &'a Item>) -> String {
    items.into_iter().map(one).collect::<Vec<_>>().join(" ")
}

fn one(item: &Item) -> String {
    let value: Value = serde_json::from_str(&item.wire_json()).expect("JSON");
    let text = |name: &str| value[name].as_str().unwrap_or_default();
    let id = text("call_id");
    match text("type") {
        "message" => {
            let name = match text("role") {
                "user" => "U",
                "developer" => "D",
                "system" => "S",
                "assistant" => "A",
                role => role,
            };
            format!("{name}({})", parts(&value["content"]))
        }
        "reasoning" => format!("R({})", text("encrypted_content")),
        "function_call" => format!("FC({id})"),
        "function_call_output" => format!("FO({id},{})", parts(&value["output"])),
        "custom_tool_call" => format!("CT({id})"),
        "custom_tool_call_output" => format!("CO({id},{})", parts(&value["output"])),
        "local_shell_call" => format!("LS({id})"),
        "tool_search_call" => format!("TS({id})"),
        "tool_search_output" => format!("TO({id})"),
        "of_tomorrow" => format!("X({})", text("value")),
        "compaction" => format!("E({})", text("encrypted_content")),
        "web_search_call" => "WS()".to_owned(),
        _ => item.wire_json().into_owned(),
    }
}

/// A text as it is, or parts: texts with `+` between them, and pictures as `<URL>`.
fn parts(content: &Value) -> String {
    let Some(parts) = content.as_array() else {
        return content.as_str().unwrap_or_default().to_owned();
    };
    let part = |part: &Value| match part["image_url"].as_str() {
        Some(url) => format!("<{}>", &url[..url.len().min(22)]),
        None => part["text"].as_str().unwrap_or_default().to_owned(),
    };
    parts.iter().map(part).collect::<Vec<_>>().join("+")
}
