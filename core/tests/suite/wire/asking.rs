//! Asks a client one question, and tells what came of it.

use recto_core::history::{Audience, History};
use recto_core::http::http_client;
use recto_core::model::{
    Provider, ResponsesClient, SampleEnd, SampleError, SampleEvent, SampleRequest, Sampler,
    find_model,
};
use recto_protocol::{
    BaseInstructions, BaseInstructionsSource, ContentItem, ContentKind, Item, ModelInfo, Prompt,
    Role,
};
use tokio::sync::mpsc::unbounded_channel;

use super::server::Server;

/// The last event of a good answer.
pub(super) const COMPLETED: &str =
    r#"{"type":"response.completed","response":{"id":"resp_1","usage":null}}"#;

/// A provider that is asked once.
pub(super) fn provider(server: &Server) -> Provider {
    Provider { request_max_retries: 0, stream_max_retries: 0, ..patient(server) }
}

/// A provider that is asked as often as usual.
pub(super) fn patient(server: &Server) -> Provider {
    Provider::new("Test", &server.base_url).expect("the address is one")
}

pub(super) fn client(provider: Provider) -> ResponsesClient {
    ResponsesClient::new(http_client().expect("a client can be made"), provider, 7)
}

/// A conversation of one message.
pub(super) fn prompt() -> Prompt {
    let mut history = History::new(Audience::default());
    let text = ContentItem::InputText { text: "hi".to_owned() };
    history.record([Item::message(Role::User, [(text, ContentKind::USER_TEXT)])]);
    let base =
        BaseInstructions { text: "Be brief.".to_owned(), source: BaseInstructionsSource::Model };
    history.for_prompt(base, Vec::new(), &Audience::default())
}

pub(super) fn model(slug: &str) -> ModelInfo {
    find_model(slug).info
}

/// What came of a question.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Answer {
    pub(super) events: Vec<String>,
    pub(super) end: Result<SampleEnd, SampleError>,
}

/// Asks and waits for the end.
pub(super) async fn ask(provider: Provider) -> Answer {
    ask_model(provider, "gpt-5.5").await
}

pub(super) async fn ask_model(provider: Provider, slug: &str) -> Answer {
    let client = client(provider);
    let (model, prompt) = (model(slug), prompt());
    let (sender, mut receiver) = unbounded_channel();
    let request = SampleRequest {
        model: &model,
        prompt: &prompt,
        cache_key: "thread-1",
        output_schema: None,
    };
    let end = client.sample(request, sender).await;
    let mut events = Vec::new();
    while let Some(event) = receiver.recv().await {
        events.push(words(event));
    }
    Answer { events, end }
}

fn words(event: SampleEvent) -> String {
    match event {
        SampleEvent::MessageStarted { phase } => format!("message {phase:?}"),
        SampleEvent::TextDelta(text) => format!("text {text}"),
        SampleEvent::ReasoningDelta(text) => format!("thought {text}"),
        SampleEvent::Retry { reason } => format!("retry {reason}"),
        SampleEvent::ItemDone(item) => format!("item {}", item.json()),
    }
}
