//! A provider as its configuration and the variables say, ready to be asked.

use std::collections::BTreeMap;
use std::time::Duration;

use reqwest::Url;

use crate::config::{ApiKey, ModelProvider};

/// The built-in provider whose key and address may come from variables of its own.
const OPENAI: &str = "openai";

/// How often a request is tried again, where nobody said.
const REQUEST_MAX_RETRIES: u64 = 4;

/// How often a broken stream is asked for again, where nobody said.
const STREAM_MAX_RETRIES: u64 = 5;

/// How long a stream may say nothing, where nobody said.
const STREAM_IDLE_TIMEOUT: Duration = Duration::from_mins(5);

/// Where a model is asked, and with what.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Provider {
    /// The name for people.
    pub name: String,
    /// The address that `/responses` is added to.
    pub base_url: Url,
    /// The key; none where the provider needs none.
    pub key: Option<ApiKey>,
    /// The variable that the key came from.
    pub key_variable: Option<String>,
    /// Headers sent with every request.
    pub headers: BTreeMap<String, String>,
    /// Headers sent with every request, whose values came from variables and are nobody's business.
    pub secret_headers: BTreeMap<String, ApiKey>,
    /// Query parameters sent with every request.
    pub query: BTreeMap<String, String>,
    /// How often a request that got no stream is tried again.
    pub request_max_retries: u64,
    /// How often a stream that broke is asked for again.
    pub stream_max_retries: u64,
    /// How long a server may say nothing.
    pub stream_idle_timeout: Duration,
}

/// Why a provider cannot be asked.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ProviderError {
    /// Nobody said where it is.
    #[error("the provider `{name}` has no address: set `base_url` in [model_providers.{id}]")]
    NoAddress {
        /// Its id.
        id: String,
        /// Its name.
        name: String,
    },
    /// Its address is none.
    #[error(
        "the address of the provider `{name}` is no URL: {reason}; it is like http://localhost:11434/v1"
    )]
    BadAddress {
        /// Its name.
        name: String,
        /// What is wrong with it.
        reason: String,
    },
    /// Its key is in a variable that is not there, or empty.
    #[error(
        "the provider `{name}` needs a key: set the environment variable {variable}{instructions}"
    )]
    MissingKey {
        /// Its name.
        name: String,
        /// The variable.
        variable: String,
        /// What the configuration says about getting one, behind a separator; else empty.
        instructions: String,
    },
}

impl Provider {
    /// A provider that needs nothing but its address, with the usual patience.
    pub fn new(name: &str, base_url: &str) -> Result<Self, ProviderError> {
        Ok(Self {
            name: name.to_owned(),
            base_url: address(name, base_url)?,
            key: None,
            key_variable: None,
            headers: BTreeMap::new(),
            secret_headers: BTreeMap::new(),
            query: BTreeMap::new(),
            request_max_retries: REQUEST_MAX_RETRIES,
            stream_max_retries: STREAM_MAX_RETRIES,
            stream_idle_timeout: STREAM_IDLE_TIMEOUT,
        })
    }

    /// Takes what the configuration says of a provider; `variable` gives the value of an environment variable.
    ///
    /// A provider without `env_key` and token is asked without a key. The built-in `openai` has its key in
    /// `OPENAI_API_KEY`, and `OPENAI_BASE_URL` goes before its own address. A header whose variable is not there is
    /// left out.
    pub fn resolve(
        id: &str,
        config: &ModelProvider,
        variable: impl Fn(&str) -> Option<String>,
    ) -> Result<Self, ProviderError> {
        let name = &config.name;
        let from_variable = if id == OPENAI { variable("OPENAI_BASE_URL") } else { None };
        let base_url = from_variable
            .filter(|url| !url.trim().is_empty())
            .or_else(|| config.base_url.clone())
            .ok_or_else(|| ProviderError::NoAddress { id: id.to_owned(), name: name.clone() })?;
        let env_key = config.env_key.as_deref().or((id == OPENAI).then_some("OPENAI_API_KEY"));
        let key = match env_key {
            Some(env_key) => Some(key(config, env_key, &variable)?),
            None => config.bearer_token.clone(),
        };
        let from_variables = config.env_http_headers.iter();
        let secret_headers = from_variables
            .filter_map(|(name, from)| Some((name.clone(), ApiKey::new(&variable(from)?)?)))
            .collect();
        let usual = Self::new(name, &base_url)?;
        Ok(Self {
            key,
            key_variable: env_key.map(str::to_owned),
            headers: config.http_headers.clone(),
            secret_headers,
            query: config.query_params.clone(),
            request_max_retries: config.request_max_retries.unwrap_or(usual.request_max_retries),
            stream_max_retries: config.stream_max_retries.unwrap_or(usual.stream_max_retries),
            stream_idle_timeout: config.stream_idle_timeout.unwrap_or(usual.stream_idle_timeout),
            ..usual
        })
    }

    /// Where a response is asked for.
    pub(super) fn responses_url(&self) -> Url {
        let mut url = self.base_url.clone();
        let path = format!("{}/responses", url.path().trim_end_matches('/'));
        url.set_path(&path);
        if !self.query.is_empty() {
            url.query_pairs_mut().extend_pairs(&self.query);
        }
        url
    }

    /// The same for people: without what may be secret in an address.
    pub(super) fn shown_url(&self) -> String {
        let mut url = self.responses_url();
        url.set_query(None);
        url.set_fragment(None);
        // An address that has no place for a name has none to hide.
        let _ = url.set_username("").and_then(|()| url.set_password(None));
        url.to_string()
    }

    /// A text from a server or the network, without anything that was sent as a secret.
    pub(super) fn redact(&self, text: &str) -> String {
        let secrets = self.key.iter().chain(self.secret_headers.values());
        let text = secrets.fold(text.to_owned(), |text, secret| secret.redact(&text));
        let named = self.headers.iter().chain(&self.query).filter(|(name, _)| is_secret(name));
        named.filter_map(|(_, value)| ApiKey::new(value)).fold(text, |text, it| it.redact(&text))
    }
}

fn address(name: &str, base_url: &str) -> Result<Url, ProviderError> {
    let bad = |reason: String| ProviderError::BadAddress { name: name.to_owned(), reason };
    let url = Url::parse(base_url.trim()).map_err(|error| bad(error.to_string()))?;
    match url.scheme() {
        "http" | "https" if url.has_host() => Ok(url),
        scheme => Err(bad(format!("`{scheme}` is not http or https"))),
    }
}

fn key(
    config: &ModelProvider,
    env_key: &str,
    variable: impl Fn(&str) -> Option<String>,
) -> Result<ApiKey, ProviderError> {
    let instructions = || match &config.env_key_instructions {
        Some(text) => format!("; {text}"),
        None => String::new(),
    };
    variable(env_key).as_deref().and_then(ApiKey::new).ok_or_else(|| ProviderError::MissingKey {
        name: config.name.clone(),
        variable: env_key.to_owned(),
        instructions: instructions(),
    })
}

/// Whether a header or a parameter of this name holds a secret, as far as its name says.
fn is_secret(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    ["auth", "key", "token", "secret"].iter().any(|part| name.contains(part))
}
