//! Which model is asked, and where.

use std::collections::BTreeMap;
use std::time::Duration;

use recto_protocol::{ReasoningSummary, Verbosity};
use serde::de::value::StrDeserializer;
use serde::de::{DeserializeOwned, IntoDeserializer};

use super::api_key::ApiKey;
use super::mismatch::Mismatch;
use super::model_catalog::CatalogModel;
use super::names::{dotted, nearest};
use super::value::{Item, Table, Value, get, get_natural, get_table, get_text, get_text_map};

/// Which model is asked, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelConfig {
    /// The model's name on the wire; none leaves it to the caller.
    pub model: Option<String>,
    /// The id of the provider that is asked; always one of [`providers`](Self::providers).
    pub provider: String,
    /// The providers by id: the built-in ones and those of `model_providers`.
    pub providers: BTreeMap<String, ModelProvider>,
    /// Tokens that fit into one request with its answer, where somebody said.
    pub context_window: Option<u64>,
    /// How hard the model thinks, where somebody said.
    pub reasoning_effort: Option<String>,
    /// How much of its thoughts it tells, where somebody said.
    pub reasoning_summary: Option<ReasoningSummary>,
    /// How much it writes, where somebody said.
    pub verbosity: Option<Verbosity>,
    /// Models that the person describes; they go before those that are known here.
    pub catalog: Vec<CatalogModel>,
    /// Tokens from which the history is compacted, where somebody said.
    pub auto_compact_token_limit: Option<u64>,
}

/// Where models are reached; they all speak the Responses protocol.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ModelProvider {
    /// The name for people.
    pub name: String,
    /// The address that paths are added to; none where the caller must know it.
    pub base_url: Option<String>,
    /// The variable that holds the key.
    pub env_key: Option<String>,
    /// What people are told about getting that key.
    pub env_key_instructions: Option<String>,
    /// The key itself, where it stands in the configuration; `env_key` wins.
    pub bearer_token: Option<ApiKey>,
    /// Headers sent with every request.
    pub http_headers: BTreeMap<String, String>,
    /// Headers sent with every request, by the variable that holds the value.
    pub env_http_headers: BTreeMap<String, String>,
    /// Query parameters sent with every request.
    pub query_params: BTreeMap<String, String>,
    /// How often a request is tried again, where somebody said.
    pub request_max_retries: Option<u64>,
    /// How often a stream is tried again, where somebody said.
    pub stream_max_retries: Option<u64>,
    /// How long a stream may say nothing, where somebody said.
    pub stream_idle_timeout: Option<Duration>,
}

/// Providers that are there without being configured: id, name, address.
const BUILT_IN: [(&str, &str, Option<&str>); 4] = [
    ("amazon-bedrock", "Amazon Bedrock", None),
    ("lmstudio", "LM Studio", Some("http://localhost:1234/v1")),
    ("ollama", "Ollama", Some("http://localhost:11434/v1")),
    ("openai", "OpenAI", Some("https://api.openai.com/v1")),
];

/// The one built-in provider that may be changed.
const CHANGEABLE: &str = "amazon-bedrock";

/// The provider where nobody chose one.
const DEFAULT_PROVIDER: &str = "openai";

/// Reads what is said about models and providers.
pub(super) fn model(settings: &Table) -> Result<ModelConfig, Mismatch> {
    let mut providers: BTreeMap<String, ModelProvider> =
        BUILT_IN.into_iter().map(built_in).collect();
    if let Some(url) = get_text(settings, &["openai_base_url"])
        && let Some(openai) = providers.get_mut("openai")
    {
        openai.base_url = Some(url.to_owned());
    }
    for (id, item) in get_table(settings, &["model_providers"]).into_iter().flatten() {
        if let Value::Table(table) = &item.value {
            providers.insert(id.clone(), configured(id, item, table)?);
        }
    }
    let provider = get_text(settings, &["model_provider"]).unwrap_or(DEFAULT_PROVIDER).to_owned();
    if let Some(item) = get(settings, &["model_provider"])
        && !providers.contains_key(&provider)
    {
        return Err(unknown_provider(&provider, item, &providers));
    }
    Ok(ModelConfig {
        model: get_text(settings, &["model"]).map(str::to_owned),
        provider,
        providers,
        context_window: get_natural(settings, &["model_context_window"]),
        reasoning_effort: reasoning_effort(settings)?,
        reasoning_summary: get_word(settings, "model_reasoning_summary"),
        verbosity: get_word(settings, "model_verbosity"),
        catalog: Vec::new(),
        auto_compact_token_limit: get_natural(settings, &["model_auto_compact_token_limit"]),
    })
}

/// Any word that is not blank: servers have words of their own.
fn reasoning_effort(settings: &Table) -> Result<Option<String>, Mismatch> {
    let key = "model_reasoning_effort";
    let Some(item) = get(settings, &[key]) else { return Ok(None) };
    match get_text(settings, &[key]).map(str::trim) {
        Some("") => Err(Mismatch::new(key.into(), item, "a word that is not blank".into())),
        word => Ok(word.map(str::to_owned)),
    }
}

/// One of the words that the list of keys names, each the name of a variant.
fn get_word<T: DeserializeOwned>(settings: &Table, key: &str) -> Option<T> {
    let word: StrDeserializer<'_, serde::de::value::Error> =
        get_text(settings, &[key])?.into_deserializer();
    T::deserialize(word).ok()
}

fn built_in((id, name, url): (&str, &str, Option<&str>)) -> (String, ModelProvider) {
    let provider = ModelProvider {
        name: name.to_owned(),
        base_url: url.map(str::to_owned),
        ..ModelProvider::default()
    };
    (id.to_owned(), provider)
}

fn configured(id: &str, item: &Item, table: &Table) -> Result<ModelProvider, Mismatch> {
    let built_in = BUILT_IN.iter().find(|it| it.0 == id);
    if built_in.is_some() && id != CHANGEABLE {
        return Err(Mismatch {
            found: format!("`{id}`"),
            hint: Some(
                "give the provider an id of your own and name it in `model_provider`".into(),
            ),
            ..Mismatch::new("model_providers".into(), item, "an id that is not built in".into())
        });
    }
    let text = |key| get_text(table, &[key]).map(str::to_owned);
    let name = text("name")
        .filter(|name| !name.trim().is_empty())
        .or_else(|| Some(built_in?.1.to_owned()));
    let Some(name) = name else {
        let name_item = get(table, &["name"]);
        let found = name_item.map_or_else(|| "nothing".to_owned(), |it| it.value.describe());
        let key = dotted(&["model_providers", id, "name"]);
        let expected = "a name that is not blank".to_owned();
        return Err(Mismatch { found, ..Mismatch::new(key, name_item.unwrap_or(item), expected) });
    };
    Ok(ModelProvider {
        name,
        base_url: text("base_url"),
        env_key: text("env_key"),
        env_key_instructions: text("env_key_instructions"),
        bearer_token: get_text(table, &["experimental_bearer_token"]).and_then(ApiKey::new),
        http_headers: get_text_map(table, &["http_headers"]),
        env_http_headers: get_text_map(table, &["env_http_headers"]),
        query_params: get_text_map(table, &["query_params"]),
        request_max_retries: get_natural(table, &["request_max_retries"]),
        stream_max_retries: get_natural(table, &["stream_max_retries"]),
        stream_idle_timeout: get_natural(table, &["stream_idle_timeout_ms"])
            .map(Duration::from_millis),
    })
}

fn unknown_provider(
    id: &str,
    item: &Item,
    providers: &BTreeMap<String, ModelProvider>,
) -> Mismatch {
    let near = nearest(id, providers.keys().map(String::as_str));
    let hint = match near {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("describe it in [{}]", dotted(&["model_providers", id])),
    };
    let mismatch = Mismatch::new("model_provider".into(), item, "the id of a provider".into());
    Mismatch { hint: Some(hint), ..mismatch }
}
