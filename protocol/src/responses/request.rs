//! The body of `POST /responses`, in both shapes, written from pieces that exist already.

use serde::Serialize;
use serde_json::value::RawValue;

use crate::{Item, Prompt, Role, WireKind};

/// What a request says beside the prompt.
#[derive(Debug, Clone)]
pub struct ResponsesRequest<'a> {
    /// The model's slug.
    pub model: &'a str,
    /// What the model is to read.
    pub prompt: &'a Prompt,
    /// Whether the model may call several tools at once; never on Responses Lite.
    pub parallel_tool_calls: bool,
    /// Under which key the provider caches the prefix: the thread's id.
    pub prompt_cache_key: Option<&'a str>,
}

impl ResponsesRequest<'_> {
    /// The body as JSON, in the shape that the wire asks for.
    pub fn to_json(&self, wire: WireKind) -> String {
        match wire {
            WireKind::Responses => self.full(),
            WireKind::ResponsesLite => self.lite(),
        }
    }

    fn full(&self) -> String {
        Body::default()
            .field("model", self.model)
            .field("instructions", &self.prompt.base_instructions.text)
            .json("input", &input_json(&self.prompt.input))
            .field("tools", &self.prompt.tools)
            .field("tool_choice", "auto")
            .field("parallel_tool_calls", &self.parallel_tool_calls)
            .end(self.prompt_cache_key, None)
    }

    /// Tools and base instructions as the first two items; no top-level field for either.
    fn lite(&self) -> String {
        #[derive(Serialize)]
        struct AdditionalTools<'a> {
            r#type: &'static str,
            role: Role,
            tools: &'a [Box<RawValue>],
        }
        #[derive(Serialize)]
        struct InputText<'a> {
            r#type: &'static str,
            text: &'a str,
        }
        #[derive(Serialize)]
        struct Instructions<'a> {
            r#type: &'static str,
            role: Role,
            content: [InputText<'a>; 1],
        }

        let tools = json(&AdditionalTools {
            r#type: "additional_tools",
            role: Role::Developer,
            tools: &self.prompt.tools,
        });
        let instructions = json(&Instructions {
            r#type: "message",
            role: Role::Developer,
            content: [InputText {
                r#type: "input_text",
                text: &self.prompt.base_instructions.text,
            }],
        });
        let input = &self.prompt.input;
        let pieces = [&*tools, &*instructions].into_iter().chain(input.iter().map(Item::wire_json));
        Body::default()
            .field("model", self.model)
            .json("input", &array(pieces))
            .field("tool_choice", "auto")
            .field("parallel_tool_calls", &false)
            .end(self.prompt_cache_key, Some("all_turns"))
    }
}

/// The input items as one JSON array, each as it goes out.
pub fn input_json<'a>(input: impl IntoIterator<Item = &'a Item>) -> String {
    array(input.into_iter().map(Item::wire_json))
}

fn array<'a>(pieces: impl Iterator<Item = &'a str>) -> String {
    let mut out = String::from("[");
    for piece in pieces {
        if out.len() > 1 {
            out.push(',');
        }
        out.push_str(piece);
    }
    out.push(']');
    out
}

/// An object that is written member by member.
#[derive(Default)]
struct Body(String);

impl Body {
    fn field(self, name: &str, value: &(impl Serialize + ?Sized)) -> Self {
        let value = json(value);
        self.json(name, &value)
    }

    fn json(mut self, name: &str, value: &str) -> Self {
        self.0.push(if self.0.is_empty() { '{' } else { ',' });
        self.0.push('"');
        self.0.push_str(name);
        self.0.push_str("\":");
        self.0.push_str(value);
        self
    }

    /// The members that both shapes end with.
    fn end(self, prompt_cache_key: Option<&str>, reasoning_context: Option<&str>) -> String {
        #[derive(Serialize)]
        struct Reasoning<'a> {
            context: &'a str,
        }

        let body = match reasoning_context {
            Some(context) => self.field("reasoning", &Reasoning { context }),
            None => self,
        };
        let body = body
            .field("store", &false)
            .field("stream", &true)
            .field("include", &["reasoning.encrypted_content"]);
        let body = match prompt_cache_key {
            Some(key) => body.field("prompt_cache_key", key),
            None => body,
        };
        body.0 + "}"
    }
}

fn json(value: &(impl Serialize + ?Sized)) -> String {
    serde_json::to_string(value)
        .unwrap_or_else(|_| unreachable!("strings, booleans and raw values always serialize"))
}
