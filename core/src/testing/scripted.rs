//! A model, tools and a recorder that do what a test says.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use recto_protocol::responses::input_json;
use recto_protocol::{Item, OutputPayload, OutputSchema, TokenUsage, TurnId};
use serde_json::json;
use serde_json::value::to_raw_value;
use tokio::sync::Notify;
use tokio::sync::mpsc::UnboundedSender;

use super::wire::check_wire;
use crate::model::{SampleEnd, SampleError, SampleEvent, SampleRequest, Sampler};
use crate::rollout::{RecordError, RolloutEntry, SessionRecorder};
use crate::session::IdSource;
use crate::tools::{ToolCall, ToolDefinition, ToolHandler};

/// One step of a scripted answer.
#[derive(Debug, Clone)]
pub enum Reply {
    /// An item, as JSON.
    Item(String),
    /// A message of the assistant.
    Message(&'static str),
    /// A call of a function: id, name, arguments.
    Call(&'static str, &'static str, &'static str),
    /// The response ends and cost so many tokens.
    Usage(u64),
    /// The response breaks off and is asked for again; what follows is the answer to that.
    Retry(&'static str),
    /// The response fails.
    Fail(SampleError),
    /// The response never ends by itself.
    Hang,
}

/// A model that answers each request with the next reply of its script; with `ok` when the script is at its end.
#[derive(Debug, Default)]
pub struct ScriptedSampler {
    script: Mutex<VecDeque<Vec<Reply>>>,
    requests: Mutex<Vec<Request>>,
    hanging: Notify,
}

/// A request that a scripted model saw.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// The model's slug.
    pub model: String,
    /// The base instructions.
    pub instructions: String,
    /// The input items, as they go out.
    pub input: String,
    /// The names of the tools.
    pub tools: Vec<String>,
    /// The shape that the answer is to have.
    pub output_schema: Option<OutputSchema>,
}

impl ScriptedSampler {
    /// A model with a script, one entry a request.
    pub fn new(script: impl IntoIterator<Item = Vec<Reply>>) -> Self {
        Self { script: Mutex::new(script.into_iter().collect()), ..Self::default() }
    }

    /// Adds the answer to one more request.
    pub fn then(&self, replies: Vec<Reply>) {
        lock(&self.script).push_back(replies);
    }

    /// Answers `ok` from now on.
    pub fn forget_script(&self) {
        lock(&self.script).clear();
    }

    /// The requests so far.
    pub fn requests(&self) -> Vec<Request> {
        lock(&self.requests).clone()
    }

    /// Waits until a request hangs.
    pub async fn hangs(&self) {
        self.hanging.notified().await;
    }
}

#[async_trait]
impl Sampler for ScriptedSampler {
    async fn sample(
        &self,
        request: SampleRequest<'_>,
        events: UnboundedSender<SampleEvent>,
    ) -> Result<SampleEnd, SampleError> {
        check_wire(&request);
        lock(&self.requests).push(Request {
            model: request.model.slug.clone(),
            instructions: request.prompt.base_instructions.text.clone(),
            input: input_json(&request.prompt.input),
            tools: request.prompt.tools.iter().map(|it| tool_name(it.get())).collect(),
            output_schema: request.output_schema.cloned(),
        });
        let replies = lock(&self.script).pop_front().unwrap_or_else(|| vec![Reply::Message("ok")]);
        let mut end = SampleEnd::default();
        for reply in replies {
            let json = match reply {
                Reply::Item(json) => json,
                Reply::Message(text) => message(text),
                Reply::Call(id, name, arguments) => call(id, name, arguments),
                Reply::Usage(total_tokens) => {
                    end.usage = Some(TokenUsage { total_tokens, ..TokenUsage::default() });
                    continue;
                }
                Reply::Retry(reason) => {
                    let _ = events.send(SampleEvent::Retry { reason: reason.to_owned() });
                    continue;
                }
                Reply::Fail(error) => return Err(error),
                Reply::Hang => {
                    self.hanging.notify_one();
                    std::future::pending().await
                }
            };
            let item = Item::from_json(&json).expect("a script holds JSON objects");
            let _ = events.send(SampleEvent::ItemDone(item));
        }
        Ok(end)
    }
}

fn tool_name(definition: &str) -> String {
    let tool: serde_json::Value = serde_json::from_str(definition).unwrap_or_default();
    tool["name"].as_str().unwrap_or_default().to_owned()
}

fn message(text: &str) -> String {
    let text = serde_json::Value::from(text);
    format!(
        r#"{{"type":"message","role":"assistant","content":[{{"type":"output_text","text":{text}}}]}}"#
    )
}

fn call(id: &str, name: &str, arguments: &str) -> String {
    let arguments = serde_json::Value::from(arguments);
    format!(
        r#"{{"type":"function_call","name":"{name}","arguments":{arguments},"call_id":"{id}"}}"#
    )
}

/// Tools that answer every call with its name and input; one waits until it is released.
#[derive(Debug, Default)]
pub struct ScriptedTools {
    names: Vec<String>,
    hanging: Notify,
    released: Notify,
}

impl ScriptedTools {
    /// The tool that waits.
    pub const HANGS: &'static str = "hang";

    /// Tools that a model is told under these names; it may call any other, too.
    pub fn named(names: &[&str]) -> Self {
        Self { names: names.iter().map(|&it| it.to_owned()).collect(), ..Self::default() }
    }

    /// Waits until a call hangs.
    pub async fn hangs(&self) {
        self.hanging.notified().await;
    }

    /// Lets the call that waits end.
    pub fn release(&self) {
        self.released.notify_one();
    }
}

#[async_trait]
impl ToolHandler for ScriptedTools {
    fn definitions(&self) -> Vec<ToolDefinition> {
        let definition = |name: &String| ToolDefinition {
            name: name.clone(),
            json: to_raw_value(&json!({"type": "function", "name": name})).expect("a name is JSON"),
        };
        self.names.iter().map(definition).collect()
    }

    async fn call(&self, call: &ToolCall) -> OutputPayload {
        if call.name == Self::HANGS {
            self.hanging.notify_one();
            self.released.notified().await;
        }
        OutputPayload::Text(format!("{}({})", call.name, call.input))
    }
}

/// Keeps what a session records; like a file on a full disk where a test says so.
#[derive(Debug, Default)]
pub struct MemoryRecorder {
    entries: Mutex<Vec<RolloutEntry>>,
    is_full: AtomicBool,
}

impl MemoryRecorder {
    /// What was recorded so far.
    pub fn entries(&self) -> Vec<RolloutEntry> {
        lock(&self.entries).clone()
    }

    /// From now on nothing fits any more, or it fits again.
    pub fn set_full(&self, is_full: bool) {
        self.is_full.store(is_full, Ordering::SeqCst);
    }
}

#[async_trait]
impl SessionRecorder for MemoryRecorder {
    async fn record(&self, entries: Vec<RolloutEntry>) -> Result<(), RecordError> {
        lock(&self.entries).extend(entries);
        if self.is_full.load(Ordering::SeqCst) {
            return Err(RecordError { message: "no space left on device".to_owned() });
        }
        Ok(())
    }
}

/// Names that count up.
#[derive(Debug, Default)]
pub struct CountedIds(Mutex<u128>);

impl IdSource for CountedIds {
    fn turn_id(&self) -> TurnId {
        let mut count = lock(&self.0);
        *count += 1;
        format!("{:032x}", *count).parse().expect("32 digits are a UUID")
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
