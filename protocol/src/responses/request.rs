//! The body of `POST /responses`, in both shapes, written from pieces that exist already.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::value::RawValue;

use super::body::{RequestBody, array_items};
use crate::{AnswerStyle, Item, ModelInfo, OutputSchema, Prompt, ReasoningSummary, Role, WireKind};

/// What a request says beside the prompt.
#[derive(Debug, Clone)]
pub struct ResponsesRequest<'a> {
    /// Which model is asked, and how it is to answer.
    pub model: &'a ModelInfo,
    /// What the model is to read.
    pub prompt: &'a Prompt,
    /// Whether the model may call several tools at once; never on Responses Lite.
    pub parallel_tool_calls: bool,
    /// Under which key the provider caches the prefix: the thread's id.
    pub prompt_cache_key: Option<&'a str>,
    /// The shape that the answer is to have; none where it is free.
    pub output_schema: Option<&'a OutputSchema>,
}

impl ResponsesRequest<'_> {
    /// The body as JSON, in the shape that the wire asks for.
    pub fn to_json(&self, wire: WireKind) -> String {
        let body = self.body(wire);
        body.texts().fold(String::with_capacity(body.len()), |json, text| json + text)
    }

    /// Writes the same body piece by piece, so that a long conversation need not be there a second time.
    pub fn write_to(&self, wire: WireKind, out: &mut impl Write) -> io::Result<()> {
        self.body(wire).texts().try_for_each(|text| out.write_all(text.as_bytes()))
    }

    /// The same body to be read while it is sent; it shares the items and outlives the request.
    pub fn body(&self, wire: WireKind) -> RequestBody {
        match wire {
            WireKind::Responses => self.full(),
            WireKind::ResponsesLite => self.lite(),
        }
    }

    fn full(&self) -> RequestBody {
        let head = Object::default()
            .field("model", &self.model.slug)
            .field("instructions", &self.prompt.base_instructions.text)
            .field("stream", &true)
            .json("input", "[");
        let tail = Object(String::from("]"))
            .field("tools", &self.prompt.tools)
            .field("tool_choice", "auto")
            .field("parallel_tool_calls", &self.parallel_tool_calls)
            .end(self, None);
        RequestBody::new(head.0, self.prompt.input.clone(), tail)
    }

    /// Tools and base instructions as the first two items; no top-level field for either.
    fn lite(&self) -> RequestBody {
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
        let comma = if self.prompt.input.is_empty() { "" } else { "," };
        let head = Object::default()
            .field("model", &self.model.slug)
            .field("stream", &true)
            .json("input", &format!("[{tools},{instructions}{comma}"));
        let tail = Object(String::from("]"))
            .field("tool_choice", "auto")
            .field("parallel_tool_calls", &false)
            .end(self, Some("all_turns"));
        RequestBody::new(head.0, self.prompt.input.clone(), tail)
    }
}

/// The input items as one JSON array, each as it goes out.
pub fn input_json<'a>(input: impl IntoIterator<Item = &'a Item>) -> String {
    let mut out = String::from("[");
    out.extend(array_items(input));
    out.push(']');
    out
}

/// An object that is written member by member.
#[derive(Default)]
struct Object(String);

impl Object {
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
    fn end(self, request: &ResponsesRequest<'_>, reasoning_context: Option<&str>) -> String {
        let body = self
            .object("reasoning", reasoning(&request.model.style, reasoning_context))
            .field("store", &false)
            .field("include", &["reasoning.encrypted_content"]);
        let body = match request.prompt_cache_key {
            Some(key) => body.field("prompt_cache_key", key),
            None => body,
        };
        body.object("text", text_options(request)).0 + "}"
    }

    /// A member that is an object; left out where nothing is in it.
    fn object(self, name: &str, object: Self) -> Self {
        if object.0.is_empty() { self } else { self.json(name, &(object.0 + "}")) }
    }
}

/// How the model is to think.
fn reasoning(style: &AnswerStyle, context: Option<&str>) -> Object {
    let mut object = Object::default();
    if let Some(effort) = &style.effort {
        object = object.field("effort", effort);
    }
    if style.summary != ReasoningSummary::None {
        object = object.field("summary", &style.summary);
    }
    match context {
        Some(context) => object.field("context", context),
        None => object,
    }
}

/// How the answer is to be written, member by member as the reference says it.
fn text_options(request: &ResponsesRequest<'_>) -> Object {
    let mut object = Object::default();
    if let Some(verbosity) = &request.model.style.verbosity {
        object = object.field("verbosity", verbosity);
    }
    let Some(schema) = request.output_schema else { return object };
    let format = Object::default()
        .field("type", "json_schema")
        .field("strict", &true)
        .json("schema", schema.json())
        .field("name", "codex_output_schema");
    object.object("format", format)
}

fn json(value: &(impl Serialize + ?Sized)) -> String {
    serde_json::to_string(value)
        .unwrap_or_else(|_| unreachable!("strings, booleans and raw values always serialize"))
}
